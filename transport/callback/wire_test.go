package callback_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// TestWire looks at the very bytes of a request.
func TestWire(t *testing.T) {
	for _, env := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(env, "http://127.0.0.1:1")
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var heads, nonces []string
		p := &pipes{}
		p.conn = func(_ int, c net.Conn) bool {
			in := bufio.NewReader(c)
			for {
				head, length := "", 0
				for {
					line, err := textproto.NewReader(in).ReadLine()
					if err != nil {
						return false
					}
					if line == "" {
						break
					}
					if n, ok := strings.CutPrefix(line, "content-length: "); ok {
						for _, d := range n {
							length = length*10 + int(d-'0')
						}
						line = "content-length: N"
					}
					head += line + "\n"
				}
				body := make([]byte, length)
				if _, err := io.ReadFull(in, body); err != nil {
					return false
				}
				m, err := agentarena.DecodeRequest(body)
				if err != nil {
					t.Error(err)
					return false
				}
				if m.ReplayURL != "https://arena.example/m/m" || m.MatchID != "m" || m.You != "X" || m.Opponent != "Left" {
					t.Errorf("%+v", m)
				}
				mu.Lock()
				heads, nonces = append(heads, head), append(nonces, m.Nonce)
				mu.Unlock()
				if !write(c, "200 OK", "Set-Cookie: a=b\r\nX-Test: 1\r\n", goodBody(m)) {
					return false
				}
			}
		}
		tr := p.over(t, plain(nil))
		r, faults, _ := playedOver(t, seat(t, tr, "agent", "http://Agent.example/play?key=%20x"), "m")
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		mu.Lock()
		defer mu.Unlock()
		want := "POST /play?key=%20x HTTP/1.1\nhost: agent.example\ncontent-type: application/json\nuser-agent: agentarena-referee/1\ncontent-length: N\n"
		for i, h := range heads {
			if h != want {
				t.Errorf("request %d:\n%s", i, h)
			}
		}
		if conns, _, _ := p.seen(); len(heads) < 4 || conns != 1 {
			t.Errorf("%d requests over %d connections", len(heads), conns)
		}
		for _, n := range nonces {
			if len(n) != 32 || strings.Trim(n, "0123456789abcdef") != "" {
				t.Errorf("nonce %q", n)
			}
		}
		slices.Sort(nonces)
		if len(slices.Compact(nonces)) != len(heads) {
			t.Errorf("a nonce was used twice: %q", nonces)
		}
	})
}

// TestKeptConnection has servers that hang up on kept connections, as many do
// after a few seconds: that is no strike.
func TestKeptConnection(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(c net.Conn, m agentarena.MoveRequest) bool
	}{
		{"after each reply", func(c net.Conn, m agentarena.MoveRequest) bool { writeGood(c, m); return false }},
		{"as told", func(c net.Conn, m agentarena.MoveRequest) bool {
			write(c, "200 OK", "Connection: close\r\n", goodBody(m))
			return false
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool { return c.end(conn, m) }}
				tr := p.over(t, plain(nil))
				r, faults, took := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
				if r.Cause != referee.CausePlay || len(faults) != 0 || took != 0 {
					t.Errorf("got %v, faults %q, took %v", r.Cause, faults, took)
				}
			})
		})
	}
	t.Run("when the next request comes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var got events
			var mu sync.Mutex
			var nonces []string
			kept := map[net.Conn]bool{}
			p := &pipes{}
			p.reply = func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
				mu.Lock()
				nonces = append(nonces, m.Nonce)
				again := kept[c]
				kept[c] = true
				mu.Unlock()
				if again {
					<-time.After(time.Second)
					return false
				}
				return writeGood(c, m)
			}
			tr := p.over(t, plain(&got))
			r, faults, took := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
			n := r.Seats[0].Moves
			mu.Lock()
			defer mu.Unlock()
			if r.Cause != referee.CausePlay || len(faults) != 0 || took != time.Duration(n-1)*time.Second {
				t.Errorf("got %v, faults %q, %d moves took %v", r.Cause, faults, n, took)
			}
			// Each request but the first was written twice, each time with a nonce of its own.
			slices.Sort(nonces)
			if len(slices.Compact(nonces)) != 2*n-1 {
				t.Errorf("nonces %q", nonces)
			}
			for i, e := range got.all() {
				if e.Reused || e.Fault != referee.NoFault || e.Stage.String() != "done" || i > 0 && e.Connected != time.Second {
					t.Errorf("event %d: %+v", i, e)
				}
			}
		})
	})
}
