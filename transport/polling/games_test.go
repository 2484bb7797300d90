package polling_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// TestGames plays other games than the grid, one of them with secrets, in both of the first seats. What was answered
// while a match ran is answered again after its end, and shows no more than it did.
func TestGames(t *testing.T) {
	for _, name := range []string{"connect-four", "werewolf"} {
		for seat := range 2 {
			t.Run(fmt.Sprint(name, " ", seat), func(t *testing.T) {
				h := newHost(t, nil, func(o *polling.Options) { o.Opponents["any"] = polling.Opponent{Light: true, Player: anything} })
				path, o := h.begun(1, "any", fmt.Sprintf(`,"game":%q,"agentSeat":%d`, name, seat))
				sent := map[string]string{}
				for n := 0; o.Status == "agent" || o.Status == "ai"; n++ {
					if o.View == nil || o.Scores != nil && name == "werewolf" {
						t.Fatalf("%+v", o)
					}
					for _, p := range o.History {
						if p.Action == nil || name == "werewolf" && p.Seat != seat {
							t.Fatalf("history shows %+v", p)
						}
					}
					if o.Status == "ai" {
						o = h.await(path)
						continue
					}
					body := moveOf(o, n)
					a := h.as("ann", "POST", path+"/moves", body)
					after := a.observation(t)
					if after.Revision != o.Revision+1 || len(after.History) < len(o.History)+1 || after.History[len(after.History)-1].Seat != seat && name != "werewolf" {
						t.Fatalf("after %s: %s", body, a.body)
					}
					sent[body] = a.body
					o = after
				}
				if o = h.await(path); o.Status != "completed" || o.Turn != nil {
					t.Fatalf("%+v", o)
				}
				check := func() {
					t.Helper()
					for body, answer := range sent {
						if a := h.as("ann", "POST", path+"/moves", body); a.body != answer {
							t.Fatalf("%s was answered\n%s\nis\n%s", body, answer, a.body)
						}
					}
				}
				check()
				h.close()
				h = newHost(t, h, nil)
				check()
				if len(sent) == 0 {
					t.Error("no moves")
				}
				a := h.as("", "GET", "/replays/"+o.MatchID, "")
				var replay struct {
					History []struct{ Seat int }
					Players []struct{ Name string }
				}
				if err := json.Unmarshal([]byte(a.body), &replay); err != nil || len(replay.History) <= len(sent) || len(replay.Players) < 2 || replay.Players[seat].Name != "ann" {
					t.Errorf("the replay is %s", a.body)
				}
				if errs := h.failed(); errs != nil {
					t.Error(errs)
				}
			})
		}
	}
}

// anything plays every game.
var anything = referee.Inline(func(r *referee.Request) referee.Answer {
	if a := r.Legal(nil); len(a) > 0 {
		return referee.Answer{Action: a[len(a)-1]}
	}
	a, _ := r.Default()
	return referee.Answer{Action: a}
})

// TestTwoAgents has the host seat two agents that poll, without any request to begin.
func TestTwoAgents(t *testing.T) {
	h := newHost(t, nil, nil)
	policy, clock := gridarena.Policy(gridarena.Production)
	terms := &arena.Terms{Policy: policy, Clock: clock}
	who := []string{"ann", "bob"}
	m := arena.Match{ID: "cup-1", Game: "connect-four"}
	for _, name := range who {
		m.Seats = append(m.Seats, arena.Seat{Agent: referee.Agent{Slug: name, Name: name}, Carrier: "polling", Terms: terms})
	}
	if _, err := h.arena.Start(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for h.as("ann", "GET", "/matches/cup-1", "").status == 404 { // it begins in the background
		runtime.Gosched()
	}
	for n := 0; ; n++ {
		name := who[n%2]
		a := h.as(name, "GET", "/matches/cup-1", "", "Prefer", "wait=20")
		o := a.observation(t)
		if o.Status != "agent" {
			if o.Status != "completed" {
				t.Fatal(a)
			}
			break
		}
		if o.Seat != n%2 || o.Revision != n || string(o.AIPolicy) != "null" {
			t.Fatal(a)
		}
		if a := h.as(who[1-n%2], "POST", "/matches/cup-1/moves", moveOf(o, n)); a.status != 409 || a.code() != "wrong_status" {
			t.Fatal(a)
		}
		if a := h.as(name, "POST", "/matches/cup-1/moves", moveOf(o, n)); a.status != 200 {
			t.Fatal(a)
		}
	}
	for _, name := range who { // after the end, as long as it is remembered
		if a := h.as(name, "GET", "/matches/cup-1", ""); a.status != 200 {
			t.Fatal(a)
		}
	}
	if a := h.as("eve", "GET", "/matches/cup-1", ""); a.status != 403 {
		t.Fatal(a)
	}
	if a := h.as("", "GET", "/replays/cup-1", ""); a.status != 404 { // the host's to show
		t.Fatal(a)
	}
}

// TestOptions has each bad option named.
func TestOptions(t *testing.T) {
	_, err := polling.New(t.Context(), polling.Options{
		Prefix: "x/", MaxWait: 1e12, Waiters: -1, BodyTime: -1, Recent: -1, Limits: polling.Limits{Starts: -1},
		Opponents: map[string]polling.Opponent{
			"A":   {},
			"b":   {Game: "go", Policy: json.RawMessage(`[]`), Agent: referee.Agent{Slug: "c"}},
			"c":   {Policy: json.RawMessage(`{"x":"` + strings.Repeat("y", 300) + `"}`)},
			"bad": {Policy: polling.JSON(func() {}), Agent: referee.Agent{Slug: "fine"}},
		},
	})
	for _, want := range []string{
		"Auth: required", "Games: there", "Records: required", "Start: required", "Prefix: ", "MaxWait: ", "Waiters: ", "BodyTime: ", "Recent: ", "Limits.Starts: ",
		"Opponents[A]: not a name", "Opponents[b].Game: ", "Opponents[b].Policy: ", "Opponents[c].Policy: ", `Opponents[c].Agent: b has the slug "c"`,
	} {
		if err == nil || !strings.Contains(err.Error(), "polling: "+want) {
			t.Errorf("no %q in\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 15 {
		t.Errorf("%d errors:\n%v", n, err)
	}
}

// TestFirst compares what the request that begins a match is answered with what the seat is shown then: what chance has dealt
// is there from the start.
func TestFirst(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Pace = 1 })
	var agents int
	for n := range 12 {
		a := h.create(n, "never", fmt.Sprintf(`,"game":"werewolf","agentSeat":%d`, n%5))
		first := a.observation(t)
		now := h.as("ann", "GET", "/matches/"+first.MatchID, "").observation(t)
		if string(first.View) != string(now.View) || first.Status != now.Status || fmt.Sprint(first.LegalMoves) != fmt.Sprint(now.LegalMoves) || first.Revision != 0 {
			t.Errorf("seat %d: %s\nthen %+v", n%5, a.body, now)
		}
		if first.Status == "agent" {
			agents++
		}
	}
	if agents == 0 || agents == 12 { // werewolves and the seer alone are asked in the first night
		t.Error(agents)
	}
}
