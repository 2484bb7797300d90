package callback_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

const (
	timedOut = "HTTP/1.1 408 Request Time-out\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
	secondly = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
)

// TestIdleWords has servers that say something, or hang up, while their kept
// connection lies idle. None of it is taken for a reply.
func TestIdleWords(t *testing.T) {
	for name, words := range map[string]string{"time-out": timedOut, "another reply": secondly, "half a header": "HTTP/1.1 200", "a byte": "\x00", "the end": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got events
				p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
					writeGood(c, m)
					<-time.After(time.Second)
					if words != "" {
						raw(c, words)
						<-time.After(time.Hour) // and leaves it open
					}
					return false
				}}
				tr := p.over(t, plain(&got))
				s, slow := setupFor(t, "m", "agent"), slowly(2*time.Second)
				checkIdle(t, s, seat(t, tr, "agent", "http://agent.example/"), slow, &got)
				if conns, requests, _ := p.seen(); conns != requests || requests < 4 {
					t.Errorf("%d requests over %d connections", requests, conns)
				}
			})
		})
	}
}

// slowly moves to the left after so long.
func slowly(d time.Duration) referee.Player {
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		<-time.After(d)
		return referee.Answer{Action: r.Legal(nil)[0]}, nil
	})
}

// checkIdle plays a match that is to go well, over a new connection each time.
func checkIdle(t *testing.T, s referee.Setup, p, other referee.Player, got *events) {
	t.Helper()
	r, err := new(referee.Local).Play(t.Context(), s, p, other)
	if err != nil {
		t.Fatal(err)
	}
	if r.Cause != referee.CausePlay || r.Seats[0].Strikes != 0 {
		t.Errorf("got %v with %d strikes", r.Cause, r.Seats[0].Strikes)
	}
	for i, e := range got.all() {
		if e.Reused || e.Fault != referee.NoFault || e.Status != 200 {
			t.Errorf("event %d: %+v", i, e)
		}
	}
}

// TestIdleSockets does the same over the sockets of this machine, and TLS.
func TestIdleSockets(t *testing.T) {
	for _, secure := range []bool{false, true} {
		for name, words := range map[string]string{"time-out": timedOut, "another reply": secondly, "the end": ""} {
			t.Run(fmt.Sprintf("%s, TLS %v", name, secure), func(t *testing.T) {
				said := make(chan struct{}, 64) // one for each reply, when the words after it are out
				l, roots := listen(t, secure)
				var wg sync.WaitGroup
				wg.Go(func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						wg.Go(func() {
							defer c.Close()
							m, ok := readOne(c)
							if !ok {
								return
							}
							writeGood(c, m)
							if words == "" {
								c.Close()
							} else {
								raw(c, words)
							}
							said <- struct{}{}
							untilClosed(c)
						})
					}
				})
				t.Cleanup(wg.Wait)
				t.Cleanup(func() { l.Close() })
				var got events
				o := practice(&got)
				url := "http://" + l.Addr().String()
				if secure {
					o.TLS, url = clientTLS(roots), "https://"+l.Addr().String()
				}
				tr := newTransport(t, o)
				other := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
					<-said
					<-time.After(20 * time.Millisecond) // on their way; too short a time makes the test easier, not wrong
					return referee.Answer{Action: r.Legal(nil)[0]}, nil
				})
				checkIdle(t, setupFor(t, "m", "a"), seat(t, tr, "a", url), other, &got)
				tr.Close()
			})
		}
	}
}

func readOne(c net.Conn) (agentarena.MoveRequest, bool) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return agentarena.MoveRequest{}, false
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return agentarena.MoveRequest{}, false
	}
	m, err := agentarena.DecodeRequest(body)
	return m, err == nil
}

// listen opens a socket, with TLS for 127.0.0.1.
func listen(t *testing.T, secure bool) (net.Listener, *x509.CertPool) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if !secure {
		return l, nil
	}
	s := httptest.NewTLSServer(http.NotFoundHandler()) // it has a certificate
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return tls.NewListener(l, &tls.Config{Certificates: s.TLS.Certificates, DynamicRecordSizingDisabled: true}), roots
}

// TestTLSLeftovers has a server that puts a reply and more into one record: what
// is left lies in the TLS layer, where no look at the socket finds it.
func TestTLSLeftovers(t *testing.T) {
	l, roots := listen(t, true)
	var wg sync.WaitGroup
	var conns atomic.Int32
	wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Add(1)
			wg.Go(func() {
				defer c.Close()
				for {
					m, ok := readOne(c)
					if !ok {
						return
					}
					b := goodBody(m)
					// 4096 bytes is what one read takes.
					head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\nX: ", len(b))
					fill := make([]byte, 4096-len(head)-4-len(b))
					for i := range fill {
						fill[i] = 'x'
					}
					raw(c, head+string(fill)+"\r\n\r\n"+string(b)+secondly)
				}
			})
		}
	})
	t.Cleanup(wg.Wait)
	t.Cleanup(func() { l.Close() })
	var got events
	o := practice(&got)
	o.TLS = clientTLS(roots)
	tr := newTransport(t, o)
	checkIdle(t, setupFor(t, "m", "a"), seat(t, tr, "a", "https://"+l.Addr().String()), leftmost(), &got)
	if n := conns.Load(); n < 4 {
		t.Errorf("%d connections", n)
	}
	tr.Close()
}

// TestTimedOutMeanwhile has a server whose word that it has waited long enough
// crosses a request. A word of that kind on a new connection is the answer.
func TestTimedOutMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		kept := map[net.Conn]bool{}
		var mu sync.Mutex
		p := &pipes{}
		p.reply = func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			mu.Lock()
			again := kept[c]
			kept[c] = true
			mu.Unlock()
			if again || m.Strikes == 0 && m.MatchID == "always" {
				raw(c, timedOut)
				return false
			}
			return writeGood(c, m)
		}
		tr := p.over(t, plain(&got))
		player := seat(t, tr, "agent", "http://agent.example/")
		r, faults, _ := playedOver(t, player, "m")
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		for i, e := range got.all() {
			if e.Reused || e.Status != 200 {
				t.Errorf("event %d: %+v", i, e)
			}
		}
		tr.Close() // keeps nothing any more
		_, faults, _ = playedOver(t, player, "always")
		if len(faults) != 1 || faults[0] != "bad_protocol: status 408" {
			t.Errorf("faults %q", faults)
		}
	})
}
