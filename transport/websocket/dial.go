package websocket

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
)

// Dial connects an agent to an arena, whose URL is a wss one, and returns when the
// arena has taken the key. One attempt is made, so that a wrong URL or key shows at
// once; ctx is for that attempt alone. [Client.Run] then plays, over as many
// connections as it takes.
//
// The error is a *[RefusedError] where the key is refused, and otherwise names bad
// options, or is the network's.
func Dial(ctx context.Context, url string, o DialOptions) (*Client, error) {
	address, err := agentURL(url, o.AllowInsecure)
	if err := errors.Join(err, o.validate()); err != nil {
		return nil, err
	}
	o.fill()
	c := &Client{
		url: address, o: o, rand: rand.New(o.Rand), closed: make(chan struct{}),
		slots: make(chan struct{}, o.Concurrent), seats: map[seatKey]*thought{},
	}
	if c.first, err = c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// connect makes one connection, up to the welcome.
func (c *Client) connect(ctx context.Context) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Connect)
	defer cancel()
	l := &link{c: c, wake: make(chan struct{}, 1)}
	header := http.Header{}
	if !c.o.Hello {
		header.Set("Authorization", "Bearer "+c.o.Key)
	}
	client := *c.o.HTTPClient
	client.Timeout = 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ping := func(context.Context, []byte) bool { // called by who reads
		l.heard()
		return true
	}
	conn, resp, err := ws.Dial(ctx, c.url, &ws.DialOptions{HTTPClient: &client, HTTPHeader: header, OnPingReceived: ping})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, refusedUpgrade(resp)
		}
		return nil, fmt.Errorf("websocket: %w", err)
	}
	conn.SetReadLimit(ludux.MaxFrame)
	l.conn = conn
	if l.welcome, err = l.greet(ctx); err != nil {
		conn.CloseNow()
		return nil, err
	}
	l.since = time.Now()
	l.patience = silence * l.welcome.Ping
	return l, nil
}

// greet says hello, if that is how the key is told, and waits for the welcome.
func (l *link) greet(ctx context.Context) (*ludux.Welcome, error) {
	if l.c.o.Hello {
		hello := ludux.Hello{Key: l.c.o.Key}
		if err := l.conn.Write(ctx, ws.MessageText, hello.Append(nil)); err != nil {
			return nil, fmt.Errorf("websocket: hello: %w", err)
		}
	}
	_, frame, err := l.conn.Read(ctx)
	if ws.CloseStatus(err) == CloseReplaced {
		return nil, ErrReplaced
	}
	if err != nil {
		return nil, fmt.Errorf("websocket: no welcome: %w", ended(err))
	}
	m, err := ludux.DecodeFromArena(frame)
	if err != nil {
		return nil, fmt.Errorf("websocket: no welcome: %w", err)
	}
	switch m := m.(type) {
	case *ludux.Welcome:
		return m, nil
	case *ludux.Error:
		if m.Code == ludux.CodeUnauthorized {
			return nil, &RefusedError{Message: m.Message}
		}
		return nil, &busyError{what: fmt.Sprintf("%s: %q", m.Code, m.Message), after: m.RetryAfter}
	default:
		return nil, fmt.Errorf("websocket: no welcome, but %s", m.Kind())
	}
}
