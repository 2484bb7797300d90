package websocket_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

const stubKey = "lx_4f1c-secret-of-ann"

// stub is an arena that follows a script: it is called for each connection in turn,
// the first being 1. It lives in memory, and time in a bubble of synctest.
type stub struct {
	t      *testing.T
	script func(*stubConn)
	plain  func(n int, w http.ResponseWriter, r *http.Request) bool // true: no upgrade

	conns  chan net.Conn
	client *http.Client

	mu    sync.Mutex
	dials []time.Time // of each attempt that needed a connection of its own
	came  []time.Time // of each upgrade
	seen  []*http.Request
	down  bool // refuses connections
}

// stubConn is the arena's end of a connection.
type stubConn struct {
	t *testing.T
	n int
	*ws.Conn
}

func newStub(t *testing.T, script func(*stubConn)) *stub {
	s := &stub{t: t, script: script, conns: make(chan net.Conn)}
	server := &http.Server{Handler: s}
	served := make(chan struct{})
	go func() {
		defer close(served)
		server.Serve(stubListener{s, t.Context()})
	}()
	tr := &http.Transport{DialContext: s.dial}
	s.client = &http.Client{Transport: tr}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		server.Close()
		<-served
	})
	return s
}

type stubListener struct {
	*stub
	ctx context.Context // of the test
}

func (l stubListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}
func (stubListener) Close() error   { return nil }
func (stubListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (s *stub) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	s.mu.Lock()
	s.dials = append(s.dials, time.Now())
	down := s.down
	s.mu.Unlock()
	if down {
		return nil, errors.New("connection refused")
	}
	here, there := net.Pipe()
	select {
	case s.conns <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// setDown says whether the arena can be reached.
func (s *stub) setDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// dialled gives the times of all attempts.
func (s *stub) dialled() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.dials...)
}

// upgrades gives the times of all upgrades.
func (s *stub) upgrades() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Time(nil), s.came...)
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen, s.came = append(s.seen, r), append(s.came, time.Now())
	n := len(s.seen)
	s.mu.Unlock()
	if s.plain != nil && s.plain(n, w, r) {
		return
	}
	conn, err := ws.Accept(w, r, nil)
	if err != nil {
		s.t.Errorf("connection %d: %v", n, err)
		return
	}
	defer conn.CloseNow()
	s.script(&stubConn{s.t, n, conn})
}

// options are those of a client of this arena.
func (s *stub) options() websocket.DialOptions {
	return websocket.DialOptions{Key: stubKey, HTTPClient: s.client, Failed: func(error) {}}
}

// run dials and runs until Run returns, whose error it gives.
func (s *stub) run(ctx context.Context, o websocket.DialOptions, play stubPlay) error {
	s.t.Helper()
	c, err := websocket.Dial(ctx, "ws://localhost/agent", o)
	if err != nil {
		s.t.Error(err)
		return err
	}
	return c.Run(ctx, play)
}

type stubPlay = func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error)

// first plays the first legal action, and names the request.
func first(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	return m.Respond(m.LegalActions[0], fmt.Sprintf("%s/%d", m.MatchID, m.Seq)), nil
}

func (c *stubConn) send(m ludux.Message) {
	if err := c.Write(context.Background(), ws.MessageText, m.Append(nil)); err != nil {
		c.t.Errorf("connection %d: %s: %v", c.n, m.Kind(), err)
	}
}

func (c *stubConn) welcome() {
	c.send(&ludux.Welcome{Agent: ludux.Identity{Slug: "ann"}, MaxFrame: ludux.MaxFrame, Replaced: c.n > 1})
}

// ask sends a request.
func (c *stubConn) ask(match string, seq int64, left time.Duration) {
	c.send(stubRequest(match, seq, left))
}

func stubRequest(match string, seq int64, left time.Duration) *ludux.ActionRequest {
	return &ludux.ActionRequest{
		MatchID: match, Game: "connect-four", GameVersion: "1.0.0", Ruleset: json.RawMessage(`{}`), Agent: ludux.Identity{Slug: "ann"}, Seq: seq,
		Deadline: left, DeadlineAt: time.Now().Add(left), IssuedAt: time.Now(), State: json.RawMessage(`{}`), LegalActions: []game.Action{"3", "4"},
	}
}

// response reads the next message; nil: the connection has ended.
func (c *stubConn) response() *ludux.ActionResponse {
	_, frame, err := c.Read(context.Background())
	if err != nil {
		return nil
	}
	m, err := ludux.DecodeFromAgent(frame)
	if err != nil {
		c.t.Errorf("connection %d: %v", c.n, err)
		return nil
	}
	r, ok := m.(*ludux.ActionResponse)
	if !ok {
		c.t.Errorf("connection %d: %s", c.n, m.Kind())
	}
	return r
}

// answered wants the answer of first to a request.
func (c *stubConn) answered(match string, seq int64) {
	c.t.Helper()
	want := &ludux.ActionResponse{MatchID: match, Seq: seq, Action: "3", Commentary: fmt.Sprintf("%s/%d", match, seq)}
	if r := c.response(); r == nil || *r != *want {
		c.t.Errorf("connection %d: %+v, not %+v", c.n, r, want)
	}
}

// quiet wants nothing to come for a while. The connection is of no use afterwards.
func (c *stubConn) quiet(d time.Duration) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	if _, frame, err := c.Read(ctx); err == nil {
		c.t.Errorf("connection %d: %s", c.n, frame)
	} else if ctx.Err() == nil {
		c.t.Errorf("connection %d: %v", c.n, err)
	}
}

// gone waits until the client has closed the connection, and gives the code.
func (c *stubConn) gone() int {
	_, frame, err := c.Read(context.Background())
	if err == nil {
		c.t.Errorf("connection %d: %s", c.n, frame)
	}
	return int(ws.CloseStatus(err))
}

// bubble runs a test in virtual time.
func bubble(t *testing.T, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
