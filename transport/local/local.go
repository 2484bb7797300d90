// Package local is the transport to agents that are Go values in this process:
// bots, house agents, people at a terminal.
package local

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

var (
	// ErrUnknown is wrapped where no player was added under an agent's slug.
	ErrUnknown = errors.New("local: unknown agent")
	// ErrClosed says that the transport was closed.
	ErrClosed = errors.New("local: closed")
)

// Transport gives out players by the slug of their agent. The zero value knows
// none. Safe for concurrent use; do not copy it.
type Transport struct {
	mu      sync.Mutex
	closed  bool
	players map[string]func() referee.Player
}

var _ transport.Transport = (*Transport)(nil)

// Add makes a player known under a slug: a [referee.Func], a [referee.Inline],
// an [Act] or a Player of the caller's. The one value sits in all matches of the
// agent, so it has to be safe for concurrent use if they run at the same time.
// It is an error when the slug is not one of an agent (see [referee.Agent]) or is
// taken already.
func (t *Transport) Add(slug string, p referee.Player) error {
	if p == nil {
		return fmt.Errorf("local: %s: the player is nil", slug)
	}
	return t.AddNew(slug, func() referee.Player { return p })
}

// AddNew is Add for players that keep something between their moves: each seat
// gets one that f has just made. f has to be safe for concurrent use.
func (t *Transport) AddNew(slug string, f func() referee.Player) error {
	if f == nil {
		return fmt.Errorf("local: %s: the function is nil", slug)
	}
	if !validSlug(slug) {
		return fmt.Errorf("local: %q is no slug: 1 to 64 of a-z, 0-9, '_', '.', '-'", slug)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return ErrClosed
	case t.players[slug] != nil:
		return fmt.Errorf("local: %s is there already", slug)
	case t.players == nil:
		t.players = map[string]func() referee.Player{}
	}
	t.players[slug] = f
	return nil
}

// Player gives the player of an agent. The error wraps ErrUnknown, is ErrClosed, or
// says that the function given to AddNew made no player.
func (t *Transport) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	t.mu.Lock()
	f, closed := t.players[a.Slug], t.closed
	t.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	if f == nil {
		return nil, fmt.Errorf("%w: %q", ErrUnknown, a.Slug)
	}
	if p := f(); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("local: %s: its function made no player", a.Slug)
}

// Close refuses new players. Those that were given out go on.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return nil
}

// Act is a Player for those who only want to say a move. Each request is one call
// of it, in a new goroutine; it may take its time, but the closing of the request
// cancels its context. An error means that it could not move: the fault Disconnected.
type Act func(context.Context, *referee.Request) (game.Action, error)

// Tell starts the function on each request.
func (f Act) Tell(s *referee.Seat, n referee.Notice) {
	referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		a, err := f(ctx, r)
		return referee.Answer{Action: a}, err
	}).Tell(s, n)
}

func validSlug(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}
