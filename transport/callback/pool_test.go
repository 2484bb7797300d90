package callback_test

import (
	"crypto/x509"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// closings notes when the connections of a server ended, by their number.
type closings struct {
	mu    sync.Mutex
	begun time.Time
	at    map[int]time.Duration
}

// watched is a well-behaved server that notes when its connections end.
func watched() (*pipes, *closings) {
	c := &closings{begun: time.Now(), at: map[int]time.Duration{}}
	p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool { return writeGood(conn, m) }}
	p.end = func(n int) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.at[n] = time.Since(c.begun)
	}
	return p, c
}

func (c *closings) ended() map[int]time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.at)
}

// TestIdle keeps a connection between matches, for so long.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ends := watched()
		o := plain(nil)
		o.IdleTimeout = time.Minute
		tr := p.over(t, o)
		player := seat(t, tr, "agent", "http://agent.example/")
		playedOver(t, player, "a")
		<-time.After(59 * time.Second)
		playedOver(t, player, "b") // uses it again
		<-time.After(59 * time.Second)
		if conns, _, _ := p.seen(); conns != 1 || len(ends.ended()) != 0 {
			t.Errorf("%d connections, ended %v", conns, ends.ended())
		}
		<-time.After(2 * time.Second)
		if got := ends.ended(); got[1] != 119*time.Second {
			t.Errorf("ended %v", got)
		}
		playedOver(t, player, "c")
		if conns, _, _ := p.seen(); conns != 2 {
			t.Errorf("%d connections", conns)
		}
		tr.Close()
		synctest.Wait()
		if got := ends.ended(); got[2] != 120*time.Second {
			t.Errorf("after Close: ended %v", got)
		}
		playedOver(t, player, "d") // players go on, but nothing is kept
		synctest.Wait()
		if conns, _, _ := p.seen(); conns < 4 || len(ends.ended()) != conns {
			t.Errorf("%d connections, ended %v", conns, ends.ended())
		}
	})
}

// TestMaxIdle keeps so many connections and no more.
func TestMaxIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ends := watched()
		o := plain(nil)
		o.MaxIdle = 2
		tr := p.over(t, o)
		for _, slug := range []string{"a", "b", "c"} {
			played(t, setupFor(t, slug, slug), seat(t, tr, slug, "http://agent.example/"))
		}
		synctest.Wait()
		if conns, _, _ := p.seen(); conns-len(ends.ended()) != 2 || conns < 6 { // c's are closed after each request
			t.Errorf("%d connections, ended %v", conns, ends.ended())
		}
	})
}

// TestMoved registers an agent anew between two of its matches.
func TestMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		paths := map[string]bool{}
		p := &pipes{reply: func(_ int, c net.Conn, r *http.Request, m agentarena.MoveRequest) bool {
			mu.Lock()
			paths[m.MatchID+r.URL.Path] = true
			mu.Unlock()
			return writeGood(c, m)
		}}
		tr := p.over(t, plain(nil))
		player := seat(t, tr, "agent", "http://agent.example/old")
		playedOver(t, player, "a")
		seat(t, tr, "agent", "http://agent.example/old") // the same: nothing changes
		playedOver(t, player, "a")
		if conns, _, _ := p.seen(); conns != 1 {
			t.Errorf("%d connections before it moved", conns)
		}
		seat(t, tr, "agent", "http://agent.example/new")
		playedOver(t, player, "b")
		mu.Lock()
		defer mu.Unlock()
		if conns, _, _ := p.seen(); conns != 2 || len(paths) != 2 || !paths["a/old"] || !paths["b/new"] {
			t.Errorf("%d connections, paths %v", conns, paths)
		}
	})
}

// TestTLS plays against a server of net/http over TLS.
func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(good(t))
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	var got events
	tr := newTransport(t, callback.Options{AllowLoopback: true, TLS: clientTLS(roots), Observe: got.add})
	r, faults := played(t, setupFor(t, "m", "a"), seat(t, tr, "a", s.URL+"/play"))
	if r.Cause != referee.CausePlay || len(faults) != 0 {
		t.Errorf("got %v, faults %q", r.Cause, faults)
	}
	for i, e := range got.all() {
		if e.Reused != (i > 0) || e.Took < e.FirstByte || e.FirstByte < e.Connected {
			t.Errorf("event %d: %+v", i, e)
		}
	}
}

// TestUnsolicited has a server that sends a second reply right after the first:
// the connection is given up, and nothing is read from it again.
func TestUnsolicited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			b := goodBody(m)
			return raw(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%sHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", len(b), b))
		}}
		tr := p.over(t, plain(nil))
		r, faults, _ := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		if conns, requests, _ := p.seen(); conns != requests {
			t.Errorf("%d requests over %d connections", requests, conns)
		}
	})
}
