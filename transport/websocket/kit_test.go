package websocket_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/transporttest"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestKit holds the transport against the kit of all transports, with agents that
// are not much more than frames: over a network in memory and in virtual time.
func TestKit(t *testing.T) {
	testKit(t, true, func() (net.Listener, dial) {
		l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		return l, l.dial
	})
}

// TestKitLoopback is the same over sockets.
func TestKitLoopback(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for deadlines")
	}
	testKit(t, false, func() (net.Listener, dial) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return l, func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
		}
	})
}

type dial func(ctx context.Context, network, address string) (net.Conn, error)

func testKit(t *testing.T, virtual bool, network func() (net.Listener, dial)) {
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		l, dial := network()
		tr, agents := kitHost(t, l)
		bySlug := map[string]*kitAgent{}
		return transporttest.Harness{
			Transport: tr,
			Agent: func(a referee.Agent, play transporttest.Play) {
				agent := &kitAgent{slug: a.Slug, play: play, client: &http.Client{Transport: &http.Transport{DialContext: dial}}}
				bySlug[a.Slug] = agent
				agents(agent.run)
			},
			Cut: func(slug string) { bySlug[slug].cut() },
		}
	}, transporttest.Options{Terms: ludux.Policy, Virtual: virtual, Skip: map[string]string{
		"unknown": "whoever has a key may connect later: there is a player for every slug",
	}})
}

// kitHost serves a transport until the test is over. It gives a function that runs an agent as long.
func kitHost(t *testing.T, l net.Listener) (tr *websocket.Transport, agents func(run func(context.Context))) {
	t.Helper()
	tr, err := websocket.New(websocket.Options{Auth: slugs{}, Connects: websocket.Pace{PerSecond: 1000, Burst: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: tr, ErrorLog: log.New(io.Discard, "", 0)}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(l) })
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(func() {
		cancel()
		server.Close()
		wg.Wait()
	})
	return tr, func(run func(context.Context)) { wg.Go(func() { run(ctx) }) }
}

// slugs are keys.
type slugs struct{}

func (slugs) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	return &transport.Grant{Agent: referee.Agent{Slug: key}, Key: key, Scopes: []string{transport.ScopePlay}}, nil
}

// kitAgent connects, and connects again when it was cut off.
type kitAgent struct {
	slug   string
	play   transporttest.Play
	client *http.Client

	mu   sync.Mutex
	conn *ws.Conn
}

func (a *kitAgent) cut() {
	a.mu.Lock()
	conn := a.conn
	a.mu.Unlock()
	if conn != nil {
		conn.CloseNow()
	}
}

func (a *kitAgent) run(ctx context.Context) {
	for ctx.Err() == nil {
		conn, _, err := ws.Dial(ctx, "ws://arena.example/", &ws.DialOptions{
			HTTPClient: a.client, HTTPHeader: http.Header{"Authorization": {"Bearer " + a.slug}},
		})
		if err == nil {
			conn.SetReadLimit(ludux.MaxFrame)
			a.mu.Lock()
			a.conn = conn
			a.mu.Unlock()
			transporttest.LuduxSession(ctx, a.play, func(ctx context.Context) ([]byte, error) {
				_, frame, err := conn.Read(ctx)
				return frame, err
			}, func(ctx context.Context, frame []byte) error { return conn.Write(ctx, ws.MessageText, frame) })
			conn.CloseNow()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Millisecond):
		}
	}
}

// pipes is a network in memory.
type pipes struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, errors.New("refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
