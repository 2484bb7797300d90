package websocket_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

// keyring is an authenticator: key-SLUG is the key of an agent, watch-SLUG one that only watches.
type keyring struct {
	mu      sync.Mutex
	revoked map[string]bool
	fails   error // the host's own
	asked   int
}

func (k *keyring) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked++
	if k.fails != nil {
		return nil, k.fails
	}
	if k.revoked[key] || len(key) < 5 {
		return nil, fmt.Errorf("keyring: %w", transport.ErrKey)
	}
	switch kind, slug := key[:4], key[4:]; kind {
	case "key-":
		return &transport.Grant{Agent: referee.Agent{Slug: slug, Name: slug, Version: "3"}, Key: "id-" + slug, Scopes: []string{transport.ScopePlay}}, nil
	case "eye-":
		return &transport.Grant{Account: slug, Key: "id-eye-" + slug, Scopes: []string{transport.ScopeWatch}}, nil
	}
	return nil, fmt.Errorf("keyring: %w", transport.ErrKey)
}

func (k *keyring) revoke(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.revoked == nil {
		k.revoked = map[string]bool{}
	}
	k.revoked[key] = true
}

func (k *keyring) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fails = err
}

// count gives how often a key was looked up.
func (k *keyring) count() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.asked
}

// hall is a host: a transport behind an http.Server on connections in memory.
type hall struct {
	*testing.T
	tr     *websocket.Transport
	keys   *keyring
	server *http.Server
	conns  chan net.Conn
	done   chan struct{}
	mux    *http.ServeMux
	addr   string        // of the clients to come
	most   time.Duration // that Close may take

	mu      sync.Mutex
	events  []websocket.Event
	records map[string][]referee.Event // by match
	bytes   []byte                     // all that left for the clients
	clients []net.Conn
	bouts   []*bout
}

// newHall starts one. It ends with the test, or by close.
func newHall(t *testing.T, o websocket.Options) *hall {
	t.Helper()
	h := &hall{T: t, keys: new(keyring), conns: make(chan net.Conn), done: make(chan struct{}), mux: http.NewServeMux(), addr: "192.0.2.1:4242", most: 2 * time.Second, records: map[string][]referee.Event{}}
	if o.Auth == nil {
		o.Auth = h.keys
	}
	o.Observe = func(e websocket.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.events = append(h.events, e)
	}
	tr, err := websocket.New(o)
	if err != nil {
		t.Fatal(err)
	}
	h.tr = tr
	h.mux.Handle("/agents", tr)
	h.server = &http.Server{Handler: h.mux, ReadHeaderTimeout: 5 * time.Second}
	go h.server.Serve(h)
	return h
}

// close ends the host, and waits for it.
func (h *hall) close() {
	h.Helper()
	began := time.Now()
	if err := h.tr.Close(); err != nil {
		h.Error(err)
	}
	if d := time.Since(began); d > h.most {
		h.Errorf("Close took %v", d)
	}
	h.server.Close()
	h.mu.Lock()
	clients, bouts := h.clients, h.bouts
	h.mu.Unlock()
	for _, c := range clients {
		c.Close()
	}
	for _, b := range bouts { // those that a test that failed has left
		b.stop()
	}
}

// Accept, Close and Addr make the hall a listener.
func (h *hall) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.done:
		return nil, net.ErrClosed
	}
}

func (h *hall) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.done:
	default:
		close(h.done)
	}
	return nil
}

func (h *hall) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// pipe is the server's end of a connection; what it writes is kept.
type pipe struct {
	net.Conn
	h    *hall
	addr net.Addr
}

func (p pipe) RemoteAddr() net.Addr { return p.addr }

func (p pipe) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	p.h.mu.Lock()
	defer p.h.mu.Unlock()
	p.h.bytes = append(p.h.bytes, b[:n]...)
	return n, err
}

// connect gives the client's end of a new connection.
func (h *hall) connect() net.Conn {
	h.Helper()
	a, err := net.ResolveTCPAddr("tcp", h.addr)
	if err != nil {
		h.Fatal(err)
	}
	client, server := net.Pipe()
	select {
	case h.conns <- pipe{server, h, a}:
		h.mu.Lock()
		h.clients = append(h.clients, client)
		h.mu.Unlock()
	case <-h.done:
		h.Fatal("the host is closed")
	}
	return client
}

// told gives what the host was told of its connections, of these kinds.
func (h *hall) told(kinds ...websocket.EventKind) (list []websocket.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, e)
		}
	}
	return list
}

// lastClosed gives the newest event of that kind.
func (h *hall) lastClosed() websocket.Event {
	h.Helper()
	list := h.told(websocket.Closed)
	if len(list) == 0 {
		h.Fatal("no connection was closed")
	}
	return list[len(list)-1]
}

// bout is a match at play.
type bout struct {
	*referee.Live
	h      *hall
	id     string
	result *referee.Result
	err    error
	done   chan struct{}
}

// start begins a match of agents of the hall's transport; slugs that begin with "house" are bots that take the first legal action.
func (h *hall) start(id string, g game.Game, ruleset string, change func(*referee.Setup, *referee.Config), slugs ...string) *bout {
	h.Helper()
	return h.startIn(context.Background(), id, g, ruleset, change, slugs...)
}

// startIn is start with a context that may end before the match.
func (h *hall) startIn(ctx context.Context, id string, g game.Game, ruleset string, change func(*referee.Setup, *referee.Config), slugs ...string) *bout {
	h.Helper()
	table, err := g.Table([]byte(ruleset))
	if err != nil {
		h.Fatal(err)
	}
	s := referee.Setup{ID: id, Table: table, Secret: game.SeedFrom(1)}
	policy, clock := ludux.Policy(len(slugs))
	players := make([]referee.Player, len(slugs))
	for i, slug := range slugs {
		a := referee.Agent{Slug: slug, Name: "Agent " + slug, Version: "3"}
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: a, Transport: "websocket", Policy: policy, Clock: clock})
		if slug[:min(5, len(slug))] == "house" {
			players[i] = referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
				return referee.Answer{Action: r.Legal(nil)[0]}, nil
			})
			continue
		}
		if players[i], err = h.tr.Player(h.Context(), a); err != nil {
			h.Fatal(err)
		}
	}
	c := referee.Config{Observe: func(match string, e *referee.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.records[match] = append(h.records[match], *e)
	}}
	if change != nil {
		change(&s, &c)
	}
	m, err := referee.New(s)
	if err != nil {
		h.Fatal(err)
	}
	b := &bout{h: h, id: id, done: make(chan struct{})}
	if b.Live, err = referee.NewLive(m, players, c); err != nil {
		h.Fatal(err)
	}
	h.mu.Lock()
	h.bouts = append(h.bouts, b)
	h.mu.Unlock()
	go func() {
		defer close(b.done)
		b.result, b.err = b.Run(ctx)
	}()
	return b
}

// four begins a match of Connect Four.
func (h *hall) four(id string, slugs ...string) *bout {
	h.Helper()
	return h.start(id, connectfour.New(), "", nil, slugs...)
}

// end waits for the result.
func (b *bout) end() *referee.Result {
	b.h.Helper()
	<-b.done
	if b.err != nil {
		b.h.Fatal(b.err)
	}
	return b.result
}

// stop ends a match that nobody ends otherwise.
func (b *bout) stop() {
	b.h.Helper()
	b.Rule(referee.Ruling{What: referee.RuleVoid, By: "host", Reason: "over"})
	<-b.done
}

// recorded gives what stands in the record, as "kind seat detail".
func (b *bout) recorded(kinds ...referee.Kind) (list []string) {
	b.h.mu.Lock()
	defer b.h.mu.Unlock()
	for _, e := range b.h.records[b.id] {
		if !slices.Contains(kinds, e.Kind) {
			continue
		}
		s := fmt.Sprint(e.Kind, " ", e.Seat)
		if e.Kind == referee.KindFault {
			s = fmt.Sprint(e.X.Fault, " ", e.Seat)
		} else if e.X != nil && e.X.Detail != "" {
			s += " " + e.X.Detail
		}
		list = append(list, s)
	}
	return list
}

// virtual runs a test in virtual time, with a hall that is closed at its end.
func virtual(t *testing.T, o websocket.Options, f func(t *testing.T, h *hall)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHall(t, o)
		defer h.close()
		f(t, h)
	})
}

// dialContext connects clients of net/http.
func (h *hall) dialContext(context.Context, string, string) (net.Conn, error) {
	return h.connect(), nil
}

// connectFour is the game of most matches here.
var connectFour = connectfour.New()

// noClock takes every limit of time from a match.
func noClock(s *referee.Setup, _ *referee.Config) {
	for i := range s.Seats {
		s.Seats[i].Clock = referee.Clock{}
	}
}

func isBusy(err error) bool { return errors.Is(err, websocket.ErrBusyAgent) }

func recovering(ctx context.Context) context.Context { return transport.Recovering(ctx) }

// slowLog is a log that takes its time.
type slowLog struct {
	referee.Discard
	mu sync.Mutex
	d  time.Duration
}

func (l *slowLog) set(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.d = d
}

func (l *slowLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	l.mu.Lock()
	d := l.d
	l.mu.Unlock()
	time.Sleep(d)
	return l.Discard.Append(ctx, at, lines)
}

type gameAction = game.Action

func mustJSON(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
}
