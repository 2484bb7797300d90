package agentarena

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

func TestPolicy(t *testing.T) {
	for seats, out := range map[int]referee.Do{1: referee.DoForfeit, 2: referee.DoForfeit, 3: referee.DoEliminate, 15: referee.DoEliminate} {
		p, c := Policy(seats)
		want := referee.Policy{
			Name: "agentarena/1", Late: referee.DoStrike, Malformed: referee.DoStrike, BadNonce: referee.DoStrike, Illegal: referee.DoStrike,
			Oversized: referee.DoStrike, Unreachable: referee.DoStrike, Disconnected: referee.DoStrike, BadProtocol: referee.DoStrike,
			Strikes: 3, Out: out, Pause: 250 * time.Millisecond, PauseMax: 2 * time.Second, Reask: true,
		}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("%d seats: %s", seats, diff)
		}
		if diff := cmp.Diff(referee.Clock{Move: 10 * time.Second, Expiry: time.Hour, Starts: referee.AtSent}, c); diff != "" {
			t.Errorf("%d seats: %s", seats, diff)
		}
		if err := p.Validate(&c, true); err != nil {
			t.Errorf("%d seats: %v", seats, err)
		}
	}
}

// TestSilence: nobody answers. Three strikes of ten seconds each, with pauses between, and the match is over; the whole time
// comes again with each request.
func TestSilence(t *testing.T) {
	m := newMatch(t, connectfour.New(), two...)
	var sent []referee.Time
	now := began
	for i := 0; ; i++ {
		if _, over := m.Result(); over || i == 10 {
			break
		}
		if r, ok := m.Open(0); ok {
			deadline, open, _ := m.Sent(now, 0, r.Ask)
			if !open || deadline != now+10_000 {
				t.Fatalf("sent at %d: deadline %d, open %v", now, deadline, open)
			}
			sent = append(sent, now-began)
		}
		now = m.Wake()
		m.Tick(now)
	}
	if diff := cmp.Diff([]referee.Time{0, 10_250, 20_750}, sent); diff != "" {
		t.Error(diff)
	}
	res, over := m.Result()
	if !over || res.Cause != referee.CauseForfeit || res.Reason != "late" || res.Seats[0].Strikes != 3 || now-began != 30_750 {
		t.Errorf("over %v at %d: %+v", over, now-began, res)
	}
}

// TestNeverSent: a request that waits for its turn costs no time, and after an hour the match ends without a winner.
func TestNeverSent(t *testing.T) {
	m := newMatch(t, connectfour.New(), two...)
	if wake := m.Wake(); wake != began+3_600_000 {
		t.Fatalf("wakes %d ms after the start", wake-began)
	}
	m.Tick(m.Wake())
	res, over := m.Result()
	if !over || res.Cause != referee.CauseExpiry || res.Rated() {
		t.Errorf("over %v: %+v", over, res)
	}
}

// TestPauses: the pause doubles with each retry of one move, and begins anew with the next move.
func TestPauses(t *testing.T) {
	m := newMatch(t, game.New(parley{}), "Ann")
	now, got := began, []string{}
	for _, body := range []string{"", "", reply("pass"), ""} {
		r := openRequest(t, m)
		a := Decode(200, []byte(body), nonce, r)
		m.Answer(now, 0, &a)
		if _, over := m.Result(); over {
			got = append(got, "over")
			break
		}
		pause := referee.Time(0)
		if _, ok := m.Open(0); !ok {
			pause = m.Wake() - now
		}
		now += pause
		m.Tick(now)
		got = append(got, fmt.Sprint(pause))
	}
	if diff := cmp.Diff([]string{"250", "500", "0", "over"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestElimination: of three seats the one with three strikes is out, and the others play on.
func TestElimination(t *testing.T) {
	m := newMatch(t, game.New(parley{}), "Ann", "Bob", "Cy")
	now := began
	for m.Len() < 100 {
		if _, over := m.Result(); over {
			break
		}
		r := openRequest(t, m)
		body := reply("vote 1")
		if r.Seat == 0 {
			body = "{}"
		}
		a := Decode(200, []byte(body), nonce, r)
		m.Answer(now, r.Seat, &a)
		now += 5000
		m.Tick(now)
	}
	res, over := m.Result()
	if !over || res.Cause != referee.CausePlay || !res.Seats[0].Out || res.Seats[0].Strikes != 3 || res.Seats[1].Out {
		t.Fatalf("over %v: %+v", over, res)
	}
	if diff := cmp.Diff([]float64{0, 4, 0}, res.Returns); diff != "" {
		t.Error(diff)
	}
}
