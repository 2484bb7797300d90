package callback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

var (
	// ErrUnknown is wrapped where an agent has no URL.
	ErrUnknown = errors.New("callback: unknown agent")
	// ErrClosed says that the transport was closed.
	ErrClosed = errors.New("callback: closed")
)

// Slugs are of these bytes, and of no more than so many.
const (
	slugBytes = "abcdefghijklmnopqrstuvwxyz0123456789_.-"
	maxSlug   = 64
)

// Transport calls agents. It keeps, for each agent that was registered or has
// played, its URL, its secrets and whether a request to it is open, until Forget. Safe for
// concurrent use.
type Transport struct {
	o      Options // nothing in it is zero or nil but the switches, URL, Deny and Observe
	guard  guard
	replay []string // what stands around the ids in Options.ReplayURL
	pool   pool     // of agents
	guests pool     // of those who practise, for as long as their matches last
	turns  turns
	nonces nonces
	news   news

	mu     sync.Mutex
	agents map[string]*agent // by slug
	closed bool
}

var _ transport.Transport = (*Transport)(nil)

// agent is one agent over all its matches.
type agent struct {
	slug  string
	guest bool
	gate  chan struct{} // capacity 1: held while a request is out, where one goes at a time
	to    atomic.Pointer[target]
	pool  *pool
	keys  secrets // where requests are signed

	registered bool // under Transport.mu
	seats      seats
}

// New makes a transport. It returns one error for each bad option, joined.
func New(o Options) (*Transport, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.fill()
	t := &Transport{
		o: o, guard: newGuard(o.AllowLoopback, o.Deny), replay: strings.Split(o.ReplayURL, matchID), agents: map[string]*agent{},
		pool:   pool{max: o.MaxIdle, each: 1, time: o.IdleTimeout, idle: map[*agent][]*conn{}},
		guests: pool{each: 1, time: o.IdleTimeout, idle: map[*agent][]*conn{}},
	}
	if o.Signed != nil {
		t.pool.each = o.Seats + 1 // as many requests at once, and the news
	}
	t.news.init(t)
	if t.o.Dial == nil {
		t.o.Dial = (&net.Dialer{Control: t.guard.control}).DialContext
	}
	if t.o.Healthy == nil {
		u, err := url.Parse(strings.Join(t.replay, "0"))
		if err != nil {
			return nil, err
		}
		t.o.Healthy = t.canary(u.Hostname())
	}
	return t, nil
}

// Check says whether an agent may have a URL: its form is right, and its host
// is a name that resolves, to public addresses only, or such an address. Errors
// wrap ErrURL, ErrAddress or ErrResolve; where the host's own resolver failed,
// none of them.
func (t *Transport) Check(ctx context.Context, rawURL string) error {
	_, err := t.check(ctx, rawURL)
	return err
}

func (t *Transport) check(ctx context.Context, raw string) (*url.URL, error) {
	u, err := t.parseURL(raw)
	if err != nil {
		return nil, err
	}
	_, err = t.lookup(ctx, u.Hostname())
	if err == nil {
		return u, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if t.ours(err) {
		return nil, fmt.Errorf("callback: the resolver failed: %v", err)
	}
	return nil, err
}

// Register checks the URL of an agent, see [Transport.Check], and keeps it under
// the agent's slug, in place of one before. Requests that are open are not touched.
// The slug is one that a match takes: 1 to 64 of a-z, 0-9, "_", "." and "-".
func (t *Transport) Register(ctx context.Context, a referee.Agent, rawURL string) error {
	if err := checkSlug(a.Slug); err != nil {
		return err
	}
	u, err := t.check(ctx, rawURL)
	if err != nil {
		return err
	}
	e, err := t.enter(a.Slug, u, true)
	if err == nil {
		e.keys.renew()
	}
	return err
}

// Forget drops what is kept about an agent. Its players go on, but its seats do
// not count for a later registration.
func (t *Transport) Forget(slug string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.agents, slug)
}

// enter gives the entry of a slug, a new one if there was none.
func (t *Transport) enter(slug string, u *url.URL, registered bool) (*agent, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	e := t.agents[slug]
	if e == nil {
		e = &agent{slug: slug, gate: make(chan struct{}, 1), pool: &t.pool}
		t.agents[slug] = e
	}
	e.registered = e.registered || registered
	if old := e.to.Load(); old == nil || old.url != u.String() {
		e.to.Store(newTarget(u))
	}
	return e, nil
}

// Player makes the player of an agent, one that was registered or that Options.URL
// knows. Errors are those of Check, Options.URL and Signed.Secrets, ErrSecret
// where the latter gives none, ErrUnknown, ErrClosed, or ErrBusyAgent where the
// agent has all the seats that Options.Seats allows. A player counts as a seat for
// a minute, or until it sits down. It may sit in several matches, each of which
// counts from then on.
func (t *Transport) Player(ctx context.Context, a referee.Agent) (referee.Player, error) {
	t.mu.Lock()
	e, closed := t.agents[a.Slug], t.closed
	registered := e != nil && e.registered
	t.mu.Unlock()
	switch {
	case closed:
		return nil, ErrClosed
	case registered:
		return t.player(ctx, e, a)
	case t.o.URL == nil || a.Slug == "":
		return nil, fmt.Errorf("%w: %s", ErrUnknown, a.Slug)
	}
	if err := checkSlug(a.Slug); err != nil {
		return nil, err
	}
	raw, err := t.o.URL(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("callback: the URL of %s: %w", a.Slug, err)
	}
	u, err := t.check(ctx, raw)
	if err != nil {
		return nil, err
	}
	if e, err = t.enter(a.Slug, u, false); err != nil {
		return nil, err
	}
	return t.player(ctx, e, a)
}

func (t *Transport) player(ctx context.Context, a *agent, who referee.Agent) (referee.Player, error) {
	p := &player{t, a, who}
	if t.o.Signed != nil {
		if _, err := p.secrets(ctx); err != nil {
			return nil, err
		}
	}
	if err := t.promise(ctx, p); err != nil {
		return nil, err
	}
	return p, nil
}

// checkSlug is what a match will say about a slug.
func checkSlug(slug string) error {
	switch {
	case slug == "":
		return fmt.Errorf("%w: it has no slug", ErrUnknown)
	case len(slug) > maxSlug:
		return fmt.Errorf("callback: slug: longer than %d bytes", maxSlug)
	case strings.ContainsFunc(slug, func(r rune) bool { return !strings.ContainsRune(slugBytes, r) }):
		return fmt.Errorf("callback: slug: %q has a character other than a-z 0-9 _ . -", slug)
	}
	return nil
}

// Close refuses new players and closes the connections that nobody uses.
// Requests that are open go on: end their matches first. Where agents are told
// how matches end, see [Signed], Close waits for that, at most 5 s.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.news.close()
	t.pool.close()
	t.guests.close()
	return nil
}

// isName reports whether a host is a name and no address.
func isName(host string) bool {
	_, err := netip.ParseAddr(host)
	return err != nil && host != ""
}
