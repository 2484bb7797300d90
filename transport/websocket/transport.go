package websocket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

var (
	// ErrTransportClosed says that the transport was closed.
	ErrTransportClosed = errors.New("websocket: the transport is closed")
	// ErrBusyAgent is wrapped where an agent has as many seats as Options.Seats
	// lets it have.
	ErrBusyAgent = errors.New("websocket: the agent plays in as many matches as it may")
)

// Transport holds the connections that agents opened, and is the [http.Handler]
// that takes them. Safe for concurrent use.
type Transport struct {
	o      Options // nothing in it is zero or nil but Origins and Observe
	ctx    context.Context
	cancel context.CancelFunc
	paces  paces
	rounds rounds
	watch  watchmen
	crew   crew
	boxes  sync.Map // *referee.Seat to *mailbox, of matches at play

	mu        sync.Mutex // before agent.mu and feed.mu
	agents    map[string]*agent
	conns     map[*conn]struct{} // all that have been upgraded and not ended
	admitted  int                // conns, and those that are being upgraded
	strangers map[string]int     // by source, those that have shown no key
	unknown   int                // all of them
	feeds     map[feedKey]*feed
	closed    bool
	wg        sync.WaitGroup // every goroutine of the transport; added to by one that counts, or under mu while not closed
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ http.Handler        = (*Transport)(nil)
)

// New makes a transport. It returns one error for each bad option, joined.
func New(o Options) (*Transport, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.fill()
	t := &Transport{o: o, crew: newCrew(), agents: map[string]*agent{}, conns: map[*conn]struct{}{}, strangers: map[string]int{}, feeds: map[feedKey]*feed{}}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.paces.init(&t.o)
	return t, nil
}

// Player gives the player of an agent, whether it is connected or not: any whose
// slug can be one of a match. It may sit in several matches. Errors wrap
// ErrTransportClosed or ErrBusyAgent.
func (t *Transport) Player(ctx context.Context, a referee.Agent) (referee.Player, error) {
	if err := checkSlug(a.Slug); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrTransportClosed
	}
	if e := t.agents[a.Slug]; e != nil && !transport.IsRecovering(ctx) && e.seated() >= t.o.Seats {
		return nil, fmt.Errorf("%w: %s may have %d seats", ErrBusyAgent, a.Slug, t.o.Seats)
	}
	return &player{t, a.Slug}, nil
}

// Connected reports whether an agent has a connection.
func (t *Transport) Connected(slug string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.agents[slug]
	return a != nil && a.connected()
}

// Close closes all connections with 1001, refuses new ones, and returns when
// every goroutine of the transport has ended: within 2 s, whatever the other
// sides do. Matches at play are to be ended before: where one still is, an answer
// that its store is writing down is waited for, and those that wait are dropped.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	all := make([]*conn, 0, len(t.conns))
	for c := range t.conns {
		all = append(all, c)
	}
	t.mu.Unlock()
	t.cancel()
	for _, c := range all {
		c.end(statusGoingAway, ReasonShutdown, nil)
	}
	t.wg.Wait()
	return nil
}

func (t *Transport) observe(e Event) {
	if t.o.Observe != nil {
		t.o.Observe(e)
	}
}

// Slugs are of these bytes, and of no more than so many.
const (
	slugBytes = "abcdefghijklmnopqrstuvwxyz0123456789_.-"
	maxSlug   = 64
)

// checkSlug is what a match will say about a slug.
func checkSlug(slug string) error {
	if slug == "" || len(slug) > maxSlug || strings.ContainsFunc(slug, func(r rune) bool { return !strings.ContainsRune(slugBytes, r) }) {
		return fmt.Errorf("websocket: %q is no slug: 1 to %d of a-z 0-9 _ . -", slug, maxSlug)
	}
	return nil
}

// sweepEvery is how often what nobody needs any more is looked for.
const sweepEvery = time.Minute

// sweep forgets matches that stopped without an end, of which players are told
// nothing, agents that are neither connected nor seated, and limits of those who
// were quiet.
func (t *Transport) sweep(now time.Time) {
	t.boxes.Range(func(k, v any) bool {
		if s, m := k.(*referee.Seat), v.(*mailbox); !s.Running() {
			t.boxes.Delete(s)
			m.a.forget(m)
		}
		return true
	})
	t.mu.Lock()
	for slug, a := range t.agents {
		if a.idle(now) {
			delete(t.agents, slug)
		}
	}
	t.mu.Unlock()
	t.paces.sweep(now)
}
