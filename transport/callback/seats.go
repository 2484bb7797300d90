package callback

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// ErrBusyAgent is wrapped where the agents of an endpoint have as many seats as
// Options.Seats lets them have.
var ErrBusyAgent = errors.New("callback: the agent plays in as many matches as it may")

// promiseTime is how long a player that nobody seats counts as a seat: setting
// up a match takes less, and some are never played.
const promiseTime = time.Minute

// seats are those that an agent has, and those that it was promised. They are
// under Transport.mu.
type seats struct {
	at       map[*referee.Seat]struct{}
	promises map[*player]time.Time // when they lapse
	sweeping chan struct{}         // closed when the sweep that is under way is done; nil: none is
}

// promise gives a player a seat to come, while the agents of its endpoint have
// fewer than allowed, or the match is one that goes on.
func (t *Transport) promise(ctx context.Context, p *player) error {
	if t.room(p, transport.IsRecovering(ctx)) {
		return nil
	}
	if err := t.sweep(ctx, p.a); err != nil {
		return err
	}
	if t.room(p, false) {
		return nil
	}
	return fmt.Errorf("%w: %s may have %d seats", ErrBusyAgent, p.a.slug, t.o.Seats)
}

// together gives the agents whose requests take turns with those of a.
func (t *Transport) together(a *agent) []*agent {
	all := []*agent{a}
	to := a.to.Load()
	for _, b := range t.agents {
		if o := b.to.Load(); b != a && o.site == to.site && o.endpoint == to.endpoint {
			all = append(all, b)
		}
	}
	return all
}

// room promises a seat where there is one, or where it must be had.
func (t *Transport) room(p *player, must bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, n := time.Now(), 0
	for _, b := range t.together(p.a) {
		maps.DeleteFunc(b.seats.promises, func(_ *player, until time.Time) bool { return !now.Before(until) })
		n += len(b.seats.at) + len(b.seats.promises)
	}
	if n >= t.o.Seats && !must {
		return false
	}
	if p.a.seats.promises == nil {
		p.a.seats.promises = map[*player]time.Time{}
	}
	p.a.seats.promises[p] = now.Add(promiseTime)
	return true
}

// seated counts a seat, which keeps the promise to its player.
func (t *Transport) seated(p *player, s *referee.Seat) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &p.a.seats
	delete(x.promises, p)
	if x.at == nil {
		x.at = map[*referee.Seat]struct{}{}
	}
	x.at[s] = struct{}{}
}

// left counts a seat no more.
func (t *Transport) left(a *agent, s *referee.Seat) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(a.seats.at, s)
}

// sweep forgets the seats of matches that stopped without an end, of which
// players are told nothing.
func (t *Transport) sweep(ctx context.Context, a *agent) error {
	t.mu.Lock()
	done := a.seats.sweeping
	if done == nil {
		done = make(chan struct{})
		a.seats.sweeping = done
		at := map[*referee.Seat]*agent{}
		for _, b := range t.together(a) {
			for s := range b.seats.at {
				at[s] = b
			}
		}
		go t.look(a, at, done)
	}
	t.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// look is the sweep: a match stands still while its log is written, and with it
// whoever asks it something.
func (t *Transport) look(a *agent, at map[*referee.Seat]*agent, done chan struct{}) {
	for s, b := range at {
		if stopped(s) {
			t.left(b, s)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	a.seats.sweeping = nil
	close(done)
}

// noClaim is one that no match takes.
const noClaim = referee.Claim(255)

// stopped reports whether nobody plays a match any more.
func stopped(s *referee.Seat) bool { return !errors.Is(s.Claim(noClaim), referee.ErrClaim) }
