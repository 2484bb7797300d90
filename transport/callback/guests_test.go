package callback_test

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// slowPipes answer each request after so long.
func slowPipes(d time.Duration) *pipes {
	return &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
		<-time.After(d)
		return writeGood(c, m)
	}}
}

// practiseAll has so many strangers practise at once, each with a URL of its own
// making.
func practiseAll(t *testing.T, h http.Handler, urls ...string) *sync.WaitGroup {
	t.Helper()
	wg := new(sync.WaitGroup)
	for i, u := range urls {
		wg.Go(func() {
			body := fmt.Sprintf(`{"url":%q,"game":"connect4","house":"left"}`, u)
			if w := practise(t.Context(), h, fmt.Sprintf("192.0.2.%d:1", i), body); w.Code != 200 {
				t.Errorf("%s: %d %s", u, w.Code, w.Body)
			}
		})
	}
	return wg
}

// TestGuestsTakeTurns has strangers practise at one server, whatever the path.
func TestGuestsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := slowPipes(time.Second)
		h := practiceOver(t, p.over(t, plain(nil)), nil)
		practiseAll(t, h, "http://agent.example/", "http://agent.example/", "http://agent.example:80/?1", "http://agent.example/b", "http://agent.example/c").Wait()
		if _, requests, most := p.seen(); most != 1 || requests < 20 {
			t.Errorf("%d requests, %d at once", requests, most)
		}
	})
}

// TestGuestsGiveWay has strangers practise with the URL of an agent that plays,
// written in many ways: it waits for no more than the one request that is out.
func TestGuestsGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		p := slowPipes(2 * time.Second)
		tr := p.over(t, plain(&got))
		player := seat(t, tr, "agent", "http://agent.example/play")
		h := practiceOver(t, tr, nil)
		guests := practiseAll(t, h, "http://agent.example/play", "http://agent.example:80/play", "http://agent.example/%70lay", "http://agent.example/play?",
			"http://agent.example//play/", "http://agent.example/play?x=1", "http://agent.example/PLAY")
		<-time.After(time.Second)
		r, faults := played(t, setupFor(t, "m", "agent"), player)
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		guests.Wait()
		if _, _, most := p.seen(); most != 1 {
			t.Errorf("%d requests at once", most)
		}
		n := 0
		for _, e := range got.all() {
			if e.Match == "m" {
				n++
				if e.Waited > 2*time.Second {
					t.Errorf("request %d waited %v", e.Ask, e.Waited)
				}
			}
		}
		if n < 4 {
			t.Errorf("%d requests", n)
		}
	})
}

// TestOneEndpoint has two agents with one URL: to its server they are one.
func TestOneEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := slowPipes(time.Second)
		tr := p.over(t, plain(nil))
		var wg sync.WaitGroup
		for slug, u := range map[string]string{"a": "http://agent.example/play", "b": "http://agent.example:80/./play"} {
			player := seat(t, tr, slug, u)
			wg.Go(func() { played(t, setupFor(t, slug, slug), player) })
		}
		wg.Wait()
		if _, requests, most := p.seen(); most != 1 || requests < 8 {
			t.Errorf("%d requests, %d at once", requests, most)
		}
	})
}

// TestGuestsLeave has more practice matches than connections are kept: none of
// theirs is, and so the agents' are.
func TestGuestsLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ends := watched()
		o := plain(nil)
		o.MaxIdle = 1
		tr := p.over(t, o)
		h := practiceOver(t, tr, nil)
		for i := range 3 {
			practiseAll(t, h, "http://agent.example/").Wait()
			synctest.Wait()
			if conns, _, _ := p.seen(); conns != i+1 || len(ends.ended()) != i+1 {
				t.Errorf("after match %d: %d connections, ended %v", i, conns, ends.ended())
			}
		}
		playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
		synctest.Wait()
		if conns, _, _ := p.seen(); conns != 4 || len(ends.ended()) != 3 {
			t.Errorf("after the agent's: %d connections, ended %v", conns, ends.ended())
		}
	})
}
