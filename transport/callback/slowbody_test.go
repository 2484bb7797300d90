package callback_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/callback"
)

// pipeListener takes connections that are pipes.
type pipeListener struct {
	conns chan net.Conn
	ended chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}
func (l *pipeListener) Close() error   { close(l.ended); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

// dialServer connects to a server of net/http without any timeouts.
func dialServer(t *testing.T, h http.Handler) net.Conn {
	t.Helper()
	l := &pipeListener{make(chan net.Conn), make(chan struct{})}
	s := &http.Server{Handler: h}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	ours, theirs := net.Pipe()
	l.conns <- theirs
	t.Cleanup(func() {
		ours.Close()
		s.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return ours
}

// TestSlowBodies sends a part of a body and no more: the server has its
// connection back after 10 s, whatever the answer, and whatever the request was.
func TestSlowBodies(t *testing.T) {
	for _, c := range []struct {
		name, head, body string
		status           int
	}{
		{"a length", "POST / HTTP/1.1\r\nContent-Length: 100\r\n", "{", 408},
		{"chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", "1\r\n{\r\n", 408},
		{"nothing of it", "POST / HTTP/1.1\r\nContent-Length: 100\r\n", "", 408},
		{"another method", "PUT / HTTP/1.1\r\nContent-Length: 100\r\n", "{", 405},
	} {
		for _, to := range []string{"an agent", "practise", "a signed agent"} {
			t.Run(c.name+" to "+to, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					h := good(t)
					switch to {
					case "practise":
						h = practiceOver(t, newTransport(t, callback.Options{}), nil)
					case "a signed agent": // which is shown nothing before it is verified
						h, c.status = signedAgent(t, callback.SignedAgentOptions{}), 408
					}
					conn := dialServer(t, h)
					begun := time.Now()
					go io.WriteString(conn, c.head+"Host: x\r\nContent-Type: application/json\r\n\r\n"+c.body)
					in := bufio.NewReader(conn)
					resp, err := http.ReadResponse(in, nil)
					if err != nil || resp.StatusCode != c.status {
						t.Fatalf("%v, %v", resp, err)
					}
					io.Copy(io.Discard, resp.Body)
					if _, err := in.ReadByte(); err == nil {
						t.Error("the connection is open")
					}
					if took := time.Since(begun); took > 11*time.Second {
						t.Errorf("it took %v", took)
					}
				})
			})
		}
	}
}

// TestSlowThought has an agent that thinks for longer than a body may take: that
// limit is for the body alone, and the connection goes on.
func TestSlowThought(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		h := newAgent(t, callback.AgentOptions{}, func(ctx context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
			calls.Add(1)
			select {
			case <-time.After(30 * time.Second):
				return agentarena.Reply{Move: m.Legal[0]}, nil
			case <-ctx.Done():
				return agentarena.Reply{}, ctx.Err()
			}
		})
		conn := dialServer(t, h)
		in := bufio.NewReader(conn)
		for i := range 2 {
			body := moveRequest("m", i+1, 0, "x", "a")
			go io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != 200 {
				t.Fatalf("%v, %v", resp, err)
			}
			if b, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(b), `"move":"a"`) {
				t.Errorf("%s, %v", b, err)
			}
			<-time.After(time.Minute)
		}
		if n := calls.Load(); n != 2 {
			t.Errorf("called %d times", n)
		}
	})
}
