package callback_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// synctestPause lets others come in between, in virtual time.
func synctestPause() { <-time.After(time.Millisecond) }

// TestSignedAtOnce: requests of an agent's matches go out at the same time, over
// connections that are kept, and as many seats as allowed.
func TestSignedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := 0, 0
		tr, p := serveOver(t, scripted(func(_ int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			<-time.After(14 * time.Second) // nearly all there is
			mu.Lock()
			now--
			mu.Unlock()
			return false
		}), callback.Options{Seats: 8})
		a := referee.Agent{Slug: "agent", Name: "agent"}
		if err := tr.Register(t.Context(), a, "http://agent.example/"); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for i := range 8 {
			player, err := tr.Player(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				if r, faults := played(t, signedSetup(t, fmt.Sprint("m", i), "agent"), player); r.Cause != referee.CausePlay || len(faults) != 0 {
					t.Errorf("got %v, faults %q", r.Cause, faults)
				}
			})
		}
		if _, err := tr.Player(t.Context(), a); err == nil {
			t.Error("there is a ninth seat")
		}
		wg.Wait()
		synctest.Wait() // for the news of their ends
		// One for each seat, and one for each message about a match, after which this agent closes it.
		asked, news := len(p.all(ludux.KindActionRequest)), len(p.all(ludux.KindMatchStart))+len(p.all(ludux.KindMatchEnd))
		if most != 8 || p.connections() > 8+news || asked < 30 {
			t.Errorf("%d requests at once; %d requests over %d connections, %d of them for news", most, asked, p.connections(), news)
		}
	})
}

// TestSignedSeatNamed: what comes back to a POST is for the seat that the POST was about: one that names another is stale, and the agent is
// asked again; its own it may name.
func TestSignedSeatNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			answer := m.Respond(m.LegalActions[0], "")
			switch n {
			case 1: // of the other player
				answer.Seat = new(game.Seat(1))
			case 2: // of nobody
				answer.Seat = new(game.Seat(63))
			case 3: // of none
				answer.Seat = new(game.Seat(64))
			default:
				answer.Seat = new(m.Seat)
			}
			w.Write(answer.Append(nil))
			return true
		}), callback.Options{})
		r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CausePlay {
			t.Errorf("got %v", r.Cause)
		}
		if diff := cmp.Diff([]string{"stale", "stale", `malformed: seat: "64" is not 0 to 63`}, faults); diff != "" {
			t.Error(diff)
		}
		if asked := p.all(ludux.KindActionRequest); len(asked) != r.Seats[0].Moves+3 {
			t.Errorf("%d requests for %d moves", len(asked), r.Seats[0].Moves)
		}
	})
}

// TestSignedAgentSeat: an agent that sits on several seats names none in an answer to a POST, whatever its function gives.
func TestSignedAgentSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newSignedAgent(t, last, callback.SignedAgentOptions{})
		m := action("m", 1, time.Second, "3")
		m.Agent.Slug, m.Opponents = "agent", []ludux.Opponent{{Slug: "agent", Seat: 1}}
		if last := m.Respond("3", ""); last.Seat == nil {
			t.Error("else it would be named")
		}
		if status, body := deliver(t.Context(), h, m); status != 200 || body != `{"protocol":"ludux/1","type":"action_response","match_id":"m","seq":1,"action":3}` {
			t.Errorf("%d %s", status, body)
		}
	})
}
