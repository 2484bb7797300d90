package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// fullRetry is how long a player waits before it claims again, where too many wait.
const fullRetry = time.Second

// Player makes a player that computes only while it holds the lease. It claims
// anew for each request, what claim gives for its seat; nil: [ClaimOf]. It waits
// for as long as the request is open; closing it ends the claim, or the context
// of the computation. Under [referee.AtSent] the clock starts when the lease is
// held. Where the hold is lost before the player is done, it claims and computes
// again. A store that fails, or a computation that is not done within
// [Options.Bound], is the fault Internal, which voids the match. Where another
// process has taken the match over ([ErrReplaced]), or the Lease is closed,
// nothing is answered: whoever goes on with the match asks again.
//
// A player that is no [referee.Func] is told of a request when the lease is held,
// so that it may hear before of its closing, and the lease is held until the
// request is closed.
//
// The player may sit on any number of seats if p may.
func (l *Lease) Player(p referee.Player, claim func(*referee.Seat) Claim) referee.Player {
	if claim == nil {
		claim = ClaimOf
	}
	return &player{l, p, claim}
}

// ClaimOf gives the ordinary claim of a seat: its ID is of the match and the seat,
// its account the owner, else the slug, of the first agent in the match that
// is not of the house.
func ClaimOf(s *referee.Seat) Claim {
	c := Claim{ID: fmt.Sprintf("%s/%d", s.Match(), s.Num())}
	card := s.Card()
	for i := range card.Seats() {
		if a := card.Agents(game.Seat(i)); !a.House {
			c.Account = a.Owner
			if c.Account == "" {
				c.Account = a.Slug
			}
			break
		}
	}
	return c
}

type player struct {
	l     *Lease
	p     referee.Player
	claim func(*referee.Seat) Claim
}

// Tell starts what a request asks for; other notices go on at once.
func (p *player) Tell(s *referee.Seat, n referee.Notice) {
	if n.Kind != referee.Opened {
		p.p.Tell(s, n)
		return
	}
	s.Go(func(ctx context.Context) {
		for p.once(ctx, s, n) {
		}
	})
}

// once waits and lets the player compute, and says whether it has to begin again.
func (p *player) once(ctx context.Context, s *referee.Seat, n referee.Notice) (again bool) {
	held, err := p.acquire(ctx, s)
	if err == nil {
		defer held.Release() // after a panic, too
		return p.turn(ctx, held, s, n)
	}
	if ctx.Err() == nil && !elsewhere(err) {
		broken(ctx, s, n, err)
	}
	return false
}

// acquire waits for the lease, also where there is no room to wait.
func (p *player) acquire(ctx context.Context, s *referee.Seat) (*Held, error) {
	for {
		held, err := p.l.Acquire(ctx, p.claim(s))
		if !errors.Is(err, ErrFull) {
			return held, err
		}
		t := time.NewTimer(fullRetry)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
		}
	}
}

// elsewhere reports whether an error says that others go on with the match.
func elsewhere(err error) bool { return errors.Is(err, ErrReplaced) || errors.Is(err, ErrClosed) }

// broken hands in that the host has failed. What the store says is nobody's
// business.
func broken(ctx context.Context, s *referee.Seat, n referee.Notice, err error) {
	detail := "lease: the store fails"
	for _, known := range []error{ErrBound, ErrLost} {
		if errors.Is(err, known) {
			detail = known.Error()
		}
	}
	a := referee.Answer{To: referee.Address{By: referee.ByAsk, N: n.Ask}, Fault: referee.Internal, Detail: detail}
	s.Submit(context.WithoutCancel(ctx), a)
}

// turn is once with the lease held.
func (p *player) turn(ctx context.Context, held *Held, s *referee.Seat, n referee.Notice) (again bool) {
	f, ok := p.p.(referee.Func)
	if !ok {
		p.p.Tell(s, n)
		<-held.Context().Done() // which the closing of the request ends
		return false
	}
	if s.Info().Clock.Starts == referee.AtSent {
		if _, open := s.Sent(n.Ask); !open {
			return false
		}
	}
	r := *n.Request // which is left as it is for another time
	a, err := f(held.Context(), &r)
	cause := context.Cause(held.Context())
	held.Release() // recording the answer takes time, and no computing
	switch {
	case ctx.Err() != nil, elsewhere(cause):
		return false
	case err != nil && errors.Is(cause, ErrLost):
		return true
	case err != nil && cause != nil:
		broken(ctx, s, n, cause)
		return false
	case err != nil:
		a = referee.Answer{Fault: referee.Disconnected, Detail: err.Error()}
	}
	p.submit(ctx, s, n, a)
	return false
}

// submit hands in what the player answers, as [referee.Func] does.
func (p *player) submit(ctx context.Context, s *referee.Seat, n referee.Notice, a referee.Answer) {
	if a.To == (referee.Address{}) {
		a.To = referee.Address{By: referee.ByAsk, N: n.Ask}
	}
	a.Arrived = 0
	switch a.Fault {
	case referee.Internal, referee.Late, referee.Stale:
		a.Fault, a.Detail = referee.BadProtocol, "a player may not say "+a.Fault.String()+": "+a.Detail
	}
	s.Submit(context.WithoutCancel(ctx), a)
}
