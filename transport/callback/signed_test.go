package callback_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// TestSigned plays a match and looks at every request of it.
func TestSigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		note := func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprintf(format, args...))
		}
		var seen events
		tr, p := serveOver(t, signedAgent(t, callback.SignedAgentOptions{
			Started: func(m *ludux.MatchStart) {
				note("%s started, seat %v against %s", m.MatchID, m.Seat, m.Opponents[0].Slug)
			},
			Ended: func(m *ludux.MatchEnd) { note("%s ended: %s, %s", m.MatchID, m.Outcome, m.Reason) },
		}), callback.Options{Observe: seen.add})
		r, faults := played(t, signedSetup(t, "m.1", "agent"), seat(t, tr, "agent", "http://agent.example/play"))
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Fatalf("got %v, faults %q", r.Cause, faults)
		}
		if diff := cmp.Diff([]string{"m.1 started, seat 0 against left", "m.1 ended: " + string(ludux.EndOf("m.1", 0, r).Outcome) + ", connect"}, told); diff != "" {
			t.Error(diff)
		}
		list := p.all("")
		ids := map[string]bool{}
		for _, x := range list {
			ids[x.id] = true
			at := time.Unix(x.unix, 0)
			if want := callback.Sign(x.id, at, x.body, theSecret); x.signature != want || x.unix != x.at.Unix() {
				t.Errorf("%s: signed %s at %d", x.kind, x.signature, x.unix)
			}
			if x.path != "/play" || x.header.Get("content-type") != "application/json" || x.header.Get("user-agent") != "ludux-arena/1" ||
				len(x.header) != 6 || strings.Contains(x.id, ".") {
				t.Errorf("%s: %s, headers %v", x.kind, x.path, x.header)
			}
		}
		asked := p.all(ludux.KindActionRequest)
		for i, x := range asked {
			if x.asked.Seq != int64(i+1) || x.asked.Deadline != 15*time.Second {
				t.Errorf("request %d: seq %d, %v", i, x.asked.Seq, x.asked.Deadline)
			}
		}
		if len(ids) != len(list) || len(list) != r.Seats[0].Moves+2 || p.connections() > 2 {
			t.Errorf("%d messages with %d ids over %d connections, %d moves", len(list), len(ids), p.connections(), r.Seats[0].Moves)
		}
		kinds := map[ludux.Kind]int{}
		for _, e := range seen.all() {
			kinds[e.News]++
			if e.Stage != callback.StageDone || e.Err != nil || e.Agent != "agent" || e.Attempt != 1 || e.News == "" && e.Verdict.Code != referee.OK {
				t.Errorf("event %+v", e)
			}
		}
		if diff := cmp.Diff(map[ludux.Kind]int{"": len(asked), "match_start": 1, "match_end": 1}, kinds); diff != "" {
			t.Error(diff)
		}
	})
}

// TestSignedAtSent has a clock that starts by sending: what agents are told of
// the time that is left is true all the same.
func TestSignedAtSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			if n <= 3 {
				w.WriteHeader(500)
			}
			return n <= 3
		}), callback.Options{})
		s := signedSetup(t, "m", "agent")
		s.Seats[0].Clock.Starts = referee.AtSent
		r, faults := played(t, s, seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CausePlay || len(faults) != 3 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		for i, want := range []time.Duration{15000, 14750, 14250, 13250} {
			if got := p.all(ludux.KindActionRequest)[i].asked.Deadline; got != want*time.Millisecond {
				t.Errorf("attempt %d: %v", i, got)
			}
		}
	})
}

// TestDropped breaks ten connections of a match, before the agent has thought or
// after it: moves, outcome and requests are those of a match in which none broke.
func TestDropped(t *testing.T) {
	type story struct {
		moves, asked []string
		result       *referee.Result
		faults       int
	}
	play := func(t *testing.T, drop func(n int) (drop, after bool)) (s story) {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int32
			agent := newSignedAgent(t, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				// Another answer each time: a second one to a request would show.
				return m.Respond(m.LegalActions[int(calls.Add(1))%len(m.LegalActions)], ""), nil
			}, callback.SignedAgentOptions{})
			var mu sync.Mutex
			n := 0
			tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) {}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				n++
				dropped, after := drop(n)
				mu.Unlock()
				if after {
					agent.ServeHTTP(httptest.NewRecorder(), r)
				}
				if dropped {
					hangUp(w)
					return
				}
				agent.ServeHTTP(w, r)
			})), callback.Options{})
			log := new(referee.Memory)
			r, err := (&referee.Local{Config: referee.Config{Log: log}}).Play(t.Context(), signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"), leftmost())
			if err != nil {
				t.Fatal(err)
			}
			for e, err := range referee.Events(t.Context(), log) {
				if err != nil {
					t.Fatal(err)
				}
				switch e.Kind {
				case referee.KindMove:
					s.moves = append(s.moves, fmt.Sprint(e.Seat, " ", e.Ask, " ", e.Action))
				case referee.KindFault:
					s.faults++
				}
			}
			for _, x := range p.all(ludux.KindActionRequest) {
				s.asked = append(s.asked, fmt.Sprint(x.asked.Seq, " ", string(x.asked.State), " ", x.id))
			}
			s.asked = slices.Compact(s.asked)
			r.Seats, s.result = nil, r // faults and time are others
		})
		return s
	}
	quiet := play(t, func(int) (bool, bool) { return false, false })
	dropped := 0
	rough := play(t, func(n int) (bool, bool) {
		drop := n%4 != 0 && dropped < 10
		if drop {
			dropped++
		}
		return drop, drop && n%4 == 2
	})
	if dropped != 10 || rough.faults == 0 || quiet.faults != 0 || len(quiet.moves) < 7 {
		t.Fatalf("%d dropped, %d and %d faults, %d moves", dropped, rough.faults, quiet.faults, len(quiet.moves))
	}
	quiet.faults, rough.faults = 0, 0
	if diff := cmp.Diff(quiet, rough, cmp.AllowUnexported(story{})); diff != "" {
		t.Error(diff)
	}
}
