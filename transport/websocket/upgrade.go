package websocket

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
)

// ServeHTTP takes the connection of an agent. What is refused is answered with a
// problem document (RFC 9457): 401 for no key that counts, 403 for one that is not
// for playing and for browsers of other sites, 429 and 503, with Retry-After,
// where there are too many.
func (t *Transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.serve(w, r, visit{scope: transport.ScopePlay, enter: t.attach, handle: func(c *conn, m ludux.Message, bad *ludux.FrameError) func() {
		return c.out.(*agent).handle(c, m, bad)
	}})
}

// visit is what somebody comes for.
type visit struct {
	scope  string
	match  string // to be watched
	enter  func(*conn)
	handle func(*conn, ludux.Message, *ludux.FrameError) (judging func())
}

// serve upgrades a request, and leaves a goroutine that reads.
func (t *Transport) serve(w http.ResponseWriter, r *http.Request, v visit) {
	c := &conn{t: t, source: t.o.Source(r), remote: r.RemoteAddr, scope: v.scope, match: v.match, handle: v.handle, began: time.Now()}
	if p := t.admit(c, r); p != nil {
		p.write(w)
		ev := c.event(Refused)
		ev.Status, ev.Reason, ev.Err = p.Status, p.reason, p.err
		t.observe(ev)
		return
	}
	c.writer = c.write
	h := &hijacker{ResponseWriter: w, wire: &wire{patience: t.o.WriteTimeout}}
	c.wire = h.wire
	var err error
	c.ws, err = ws.Accept(h, r, &ws.AcceptOptions{
		Subprotocols: []string{Subprotocol}, OriginPatterns: t.o.Origins, CompressionMode: ws.CompressionDisabled,
		OnPingReceived: c.pinging,
		OnPongReceived: func(context.Context, []byte) { c.heard.Store(true) },
	})
	if err != nil {
		if c.wire.Conn != nil {
			c.wire.Close()
		}
		t.dismiss(c)
		t.wg.Done()
		ev := c.event(Refused)
		ev.Status, ev.Reason, ev.Err = h.status, ReasonHandshake, err
		t.observe(ev)
		return
	}
	c.ws.SetReadLimit(-1) // next has its own, and says so before it closes
	c.post = int(t.watch.next.Add(1) % posts)
	t.mu.Lock()
	t.conns[c] = struct{}{}
	closed := t.closed
	t.mu.Unlock()
	if closed {
		c.end(statusGoingAway, ReasonShutdown, nil)
	}
	go func() {
		defer t.wg.Done()
		if c.grant == nil && !t.greet(c) {
			return
		}
		v.enter(c)
		t.join(c)
		c.read()
	}()
}

// admit checks a request before it is upgraded, and counts the connection and a
// goroutine to come.
func (t *Transport) admit(c *conn, r *http.Request) *problem {
	if !strings.EqualFold(strings.TrimSpace(r.Header.Get("Upgrade")), "websocket") {
		return &problem{Problem: web.Problem{Status: http.StatusUpgradeRequired, Code: "upgrade_required", Detail: "this is a WebSocket"}, reason: ReasonHandshake}
	}
	if !t.fromHere(r) {
		return &problem{Problem: web.Problem{Status: http.StatusForbidden, Code: "origin", Detail: "not from a page of this site"}, reason: ReasonOrigin}
	}
	if wait, blocked := t.paces.blocked(c.source, c.began); blocked {
		return &problem{Problem: web.Problem{Status: http.StatusTooManyRequests, Code: "rate_limited", Detail: "too many failed attempts", Retry: wait}, reason: ReasonPace}
	}
	if len(r.Header.Values("Authorization")) > 0 {
		ctx, cancel := context.WithTimeout(r.Context(), t.o.HelloTimeout)
		defer cancel()
		if p := t.authorize(ctx, c, transport.Bearer(r.Header)); p != nil {
			return p
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	busy := func(status int, detail string) *problem {
		return &problem{Problem: web.Problem{Status: status, Code: "busy", Detail: detail, Retry: 5 * time.Second}, reason: ReasonBusy}
	}
	switch {
	case t.closed:
		p := busy(http.StatusServiceUnavailable, "shutting down")
		p.reason = ReasonShutdown
		return p
	case t.admitted >= t.o.Connections:
		return busy(http.StatusServiceUnavailable, "too many connections")
	case c.grant != nil:
	case t.unknown >= t.o.Strangers:
		return busy(http.StatusServiceUnavailable, "too many connections without a key")
	case t.strangers[c.source] >= t.o.StrangersPerSource:
		return busy(http.StatusTooManyRequests, "too many connections without a key")
	default:
		t.unknown++
		t.strangers[c.source]++
		c.stranger = true
	}
	t.admitted++
	t.wg.Add(1)
	return nil
}

// fromHere reports whether a request comes from no browser, or from a page
// that may. The library checks the same.
func (t *Transport) fromHere(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if strings.EqualFold(r.Host, u.Host) {
		return true
	}
	for _, pattern := range t.o.Origins {
		target := u.Host
		if strings.Contains(pattern, "://") {
			target = u.Scheme + "://" + u.Host
		}
		if ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(target)); ok && err == nil {
			return true
		}
	}
	return false
}

// authorize looks up whose a key is, and whether it may do what c came for.
func (t *Transport) authorize(ctx context.Context, c *conn, key string) *problem {
	now := time.Now()
	var g *transport.Grant
	err := transport.ErrKey
	if key != "" && len(key) <= transport.MaxKey {
		g, err = t.o.Auth.Authenticate(ctx, key)
	}
	switch {
	case errors.Is(err, transport.ErrKey):
		t.paces.failed(c.source, now)
		return &problem{Problem: web.Problem{Status: http.StatusUnauthorized, Code: "unauthorized", Detail: "no key that counts"}, reason: ReasonUnauthorized}
	case err != nil:
		return &problem{Problem: web.Problem{Status: http.StatusServiceUnavailable, Code: "unavailable", Detail: "the key cannot be looked up now", Retry: 5 * time.Second}, reason: ReasonHost, err: err}
	case !g.May(c.scope):
		t.paces.failed(c.source, now)
		return &problem{Problem: web.Problem{Status: http.StatusForbidden, Code: "scope", Detail: "the key is not good for this"}, reason: ReasonScope}
	}
	if err := checkSlug(g.Agent.Slug); err != nil && c.scope == transport.ScopePlay {
		return &problem{Problem: web.Problem{Status: http.StatusForbidden, Code: "scope", Detail: "the key is no agent's"}, reason: ReasonScope, err: err}
	}
	pace := t.paces.of(g)
	if !pace.connects.AllowN(now, 1) {
		wait := t.paces.connects.wait(1 - pace.connects.TokensAt(now))
		return &problem{Problem: web.Problem{Status: http.StatusTooManyRequests, Code: "rate_limited", Detail: "too many connections", Retry: wait}, reason: ReasonPace}
	}
	c.key, c.grant, c.letters = key, g, pace.messages
	return nil
}

// greet waits for the hello of a connection whose upgrade named no key; false:
// it has ended.
func (t *Transport) greet(c *conn) bool {
	late := time.AfterFunc(t.o.HelloTimeout, func() {
		t.paces.failed(c.source, time.Now()) // before the other side hears of it, and comes again
		c.end(statusPolicy, ReasonHello, nil)
	})
	typ, data, err := c.next(maxHello)
	if !late.Stop() {
		putBuffer(data)
		return false
	}
	var p *problem
	why, code := ReasonHello, statusPolicy
	e := &ludux.Error{Code: ludux.CodeUnauthorized, Message: "say hello first"}
	switch m, bad := decodeFirst(typ, data, err); {
	case errors.Is(err, errTooLarge):
		e = tooLarge(maxHello).Reply()
		why, code = ReasonTooLarge, statusTooLarge
	case err != nil:
		t.paces.failed(c.source, time.Now())
		c.fail(err)
		return false
	case bad != nil:
		e = bad.Reply()
	default:
		h, ok := m.(*ludux.Hello)
		if !ok {
			break
		}
		ctx, cancel := context.WithTimeout(t.ctx, t.o.HelloTimeout)
		defer cancel()
		if p = t.authorize(ctx, c, h.Key); p == nil {
			t.known(c)
			return true
		}
		e.Message, why, err = p.Detail, p.reason, p.err
		switch p.reason {
		case ReasonPace:
			e.Code, e.RetryAfter = ludux.CodeRateLimited, p.Retry
		case ReasonHost:
			e, code = nil, statusTryAgain
		}
	}
	if p == nil {
		t.paces.failed(c.source, time.Now())
	}
	if e != nil {
		c.line(e)
	}
	c.end(code, why, err)
	return false
}

func decodeFirst(typ ws.MessageType, data []byte, err error) (ludux.Message, *ludux.FrameError) {
	defer putBuffer(data)
	if err != nil {
		return nil, nil
	}
	return decode(typ, data)
}

// known counts a stranger no more.
func (t *Transport) known(c *conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !c.stranger {
		return
	}
	c.stranger = false
	t.unknown--
	if t.strangers[c.source]--; t.strangers[c.source] == 0 {
		delete(t.strangers, c.source)
	}
}

// dismiss counts a connection no more.
func (t *Transport) dismiss(c *conn) {
	t.known(c)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.admitted--
	delete(t.conns, c)
}

// pinging decides whether a ping is answered.
func (c *conn) pinging(context.Context, []byte) bool {
	c.heard.Store(true)
	n := c.pings.Add(1)
	if n == floodPings {
		c.t.wg.Go(func() { c.end(statusPolicy, ReasonFlood, nil) }) // the library holds locks here
	}
	return n <= maxPings
}
