package callback_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
