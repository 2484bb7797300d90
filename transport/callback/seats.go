package callback

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/referee"
)

// ErrBusyAgent is wrapped where an agent has as many seats as Options.Seats lets
// it have.
var ErrBusyAgent = errors.New("callback: the agent plays in as many matches as it may")

// promiseTime is how long a player that nobody seats counts as a seat: setting
// up a match takes less, and some are never played.
const promiseTime = time.Minute

// seats are those that an agent has, and those that it was promised.
type seats struct {
	mu       sync.Mutex
	at       map[*referee.Seat]struct{}
	promises map[*player]time.Time // when they lapse
	sweeping chan struct{}         // closed when the sweep that is under way is done; nil: none is
}

// promise gives a player a seat to come, while there are fewer than limit.
func (x *seats) promise(ctx context.Context, p *player, limit int) error {
	if x.room(p, limit) {
		return nil
	}
	if err := x.sweep(ctx); err != nil {
		return err
	}
	if x.room(p, limit) {
		return nil
	}
	return fmt.Errorf("%w: %s has %d", ErrBusyAgent, p.a.slug, limit)
}

func (x *seats) room(p *player, limit int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := time.Now()
	for q, until := range x.promises {
		if !now.Before(until) {
			delete(x.promises, q)
		}
	}
	if len(x.at)+len(x.promises) >= limit {
		return false
	}
	if x.promises == nil {
		x.promises = map[*player]time.Time{}
	}
	x.promises[p] = now.Add(promiseTime)
	return true
}

// seated counts a seat, which keeps the promise to a player.
func (x *seats) seated(p *player, s *referee.Seat) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.promises, p)
	if x.at == nil {
		x.at = map[*referee.Seat]struct{}{}
	}
	x.at[s] = struct{}{}
}

func (x *seats) ended(s *referee.Seat) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.at, s)
}

// sweep forgets the seats of matches that stopped without an end, of which
// players are told nothing.
func (x *seats) sweep(ctx context.Context) error {
	x.mu.Lock()
	done := x.sweeping
	if done == nil {
		done = make(chan struct{})
		x.sweeping = done
		go x.look(slices.Collect(maps.Keys(x.at)), done)
	}
	x.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// look is the sweep: a match stands still while its log is written, and with it
// whoever asks it something.
func (x *seats) look(at []*referee.Seat, done chan struct{}) {
	for _, s := range at {
		if stopped(s) {
			x.ended(s)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sweeping = nil
	close(done)
}

// noClaim is one that no match takes.
const noClaim = referee.Claim(255)

// stopped reports whether nobody plays a match any more.
func stopped(s *referee.Seat) bool { return !errors.Is(s.Claim(noClaim), referee.ErrClaim) }
