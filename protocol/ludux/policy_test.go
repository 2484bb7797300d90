package ludux

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

func TestPolicy(t *testing.T) {
	for seats, do := range map[int]referee.Do{1: referee.DoForfeit, 2: referee.DoForfeit, 3: referee.DoDefault, 15: referee.DoDefault} {
		p, c := Policy(seats)
		want := referee.Policy{
			Name: "ludux/1", Late: do, Illegal: do, Malformed: referee.DoReject, BadNonce: referee.DoReject, Oversized: referee.DoReject,
			Unreachable: referee.DoReject, Disconnected: referee.DoReject, BadProtocol: referee.DoReject,
		}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("%d seats: %s", seats, diff)
		}
		if diff := cmp.Diff(referee.Clock{Move: 15 * time.Second, Expiry: time.Hour, Warn: 5 * time.Second, WarnFrom: 10 * time.Second}, c); diff != "" {
			t.Errorf("%d seats: %s", seats, diff)
		}
		if err := errors.Join(p.Validate(&c, true), c.Validate()); err != nil {
			t.Errorf("%d seats: %v", seats, err)
		}
		if err := p.Validate(&c, false); (err != nil) != (seats > 2) {
			t.Errorf("%d seats without defaults: %v", seats, err)
		}
	}
}

// TestTwoSeats: an illegal action forfeits at once, what is malformed or stale never does.
func TestTwoSeats(t *testing.T) {
	m := connectFour(t)
	r := first(t, m)
	for range 50 {
		for _, body := range []string{"", "{}", respond(r, `"action":1.5`), strings.Repeat("x", MaxReply+1)} {
			if v := hand(m, began+14_000, r, body); v.Do != referee.DoReject || v.Strikes != 0 {
				t.Fatalf("%.40s: %+v", body, v)
			}
		}
	}
	play(t, m, began+14_999, r, "3")
	r = first(t, m)
	if r.Ask != 1 || r.Seat != 1 || r.Deadline != began+29_999 {
		t.Fatalf("%+v", r)
	}
	if v := hand(m, began+20_000, r, respond(r, `"action":7`)); v.Fault != referee.Illegal || v.Do != referee.DoForfeit {
		t.Errorf("%+v", v)
	}
	res, over := m.Result()
	if !over || res.Cause != referee.CauseForfeit || res.Reason != "illegal" || cmp.Diff([]float64{1, -1}, res.Returns) != "" {
		t.Errorf("%+v", res)
	}
	if v := hand(m, began+20_001, r, respond(r, `"action":3`)); v.Code != referee.Over {
		t.Errorf("after the end: %+v", v)
	}
}

// TestSilence: the agent is warned five seconds before the deadline, at which the match is lost.
func TestSilence(t *testing.T) {
	m := connectFour(t)
	var heard []string
	for now := m.Wake(); ; now = m.Wake() {
		o := m.Tick(now)
		for _, e := range o.Effects {
			heard = append(heard, fmt.Sprint(now-began, " ", e.Kind == referee.EffectWarned))
		}
		if res, over := m.Result(); over {
			if res.Reason != "late" || res.Cause != referee.CauseForfeit || now != began+15_000 {
				t.Errorf("at %d: %+v", now-began, res)
			}
			break
		}
	}
	if len(heard) == 0 || heard[0] != "10000 true" {
		t.Errorf("%q", heard)
	}
}

// TestManySeats: with three seats and more the safe default is played, and the miss recorded.
func TestManySeats(t *testing.T) {
	m := newMatch(t, game.New(chronicle{}), "", "", 3)
	r := first(t, m)
	if v := hand(m, began+1, r, respond(r, `"action":"shout"`)); v.Fault != referee.Illegal || v.Do != referee.DoDefault {
		t.Errorf("%+v", v)
	}
	m.Tick(m.Wake()) // a warning
	m.Tick(m.Wake())
	r = first(t, m)
	if r.Seat != 2 {
		t.Fatalf("seat %v is asked", r.Seat)
	}
	for range 4 {
		r = first(t, m)
		play(t, m, r.Deadline-1, r, `{"text":"x","type":"say"}`)
	}
	res, over := m.Result()
	if !over || res.Cause != referee.CausePlay || res.Seats[0].Faults[referee.Illegal] != 1 || res.Seats[1].Faults[referee.Late] != 1 || res.Seats[2].Strikes != 0 {
		t.Errorf("%v %+v", over, res)
	}
}

// TestSameSeq: a re-delivery keeps its seq, and the next request of the seat has the next.
func TestSameSeq(t *testing.T) {
	m := newMatch(t, game.New(chronicle{}), "", "", 2)
	var got []int64
	for range 6 {
		r := first(t, m)
		one := read(t, write(t, r))
		hand(m, began+5, r, "{}")
		again, err := AppendRequest(nil, first(t, m), at(began+7))
		if err != nil {
			t.Fatal(err)
		}
		two := read(t, string(again))
		if one.Seq != two.Seq || one.MatchID != two.MatchID || two.Deadline != one.Deadline-7*time.Millisecond {
			t.Errorf("%+v\n%+v", one, two)
		}
		got = append(got, int64(r.Seat), one.Seq)
		play(t, m, began, r, `{"text":"x","type":"say"}`)
	}
	if diff := cmp.Diff([]int64{0, 1, 1, 1, 0, 2, 1, 2, 0, 3, 1, 3}, got); diff != "" {
		t.Error(diff)
	}
}
