package lease

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// run keeps the claims of this process in the store for as long as there are any.
func (l *Lease) run(running chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		l.step()
		l.mu.Lock()
		if len(l.claims) == 0 {
			l.running = nil
			l.mu.Unlock()
			close(running)
			return
		}
		timer.Reset(l.pause())
		l.mu.Unlock()
		select {
		case <-timer.C:
		case <-l.poke:
		}
	}
}

// pause is how long the store may be left alone; under mu.
func (l *Lease) pause() time.Duration {
	now := l.o.Now().UnixMilli()
	pause := l.o.TTL / 4
	for _, x := range l.claims {
		if x.held == nil || x.done {
			return l.o.Poll
		}
		pause = min(pause, time.Duration(x.held.end.UnixMilli()-now)*time.Millisecond)
	}
	return max(pause, time.Millisecond)
}

// finding is what a step found about a claim of this process.
type finding struct {
	x      *claim
	gone   bool   // the store does not have it, and shall not
	place  *place // where it has
	why    error  // where it lost its place
	ticket int64
}

// step brings the store and this process together.
func (l *Lease) step() {
	l.mu.Lock()
	claims := slices.Clone(l.claims)
	l.mu.Unlock()
	// A store that does not answer must not keep anybody from hearing that the
	// time is over.
	ctx, cancel := context.WithTimeout(context.Background(), l.o.TTL/4)
	defer cancel()
	h := l.house()
	var found []finding
	err := l.o.Store.Update(ctx, func(kept []byte) ([]byte, error) {
		s, err := decode(kept)
		if err != nil {
			return nil, err
		}
		h = l.house() // waiting for the store takes time
		s.purge(h)
		found = l.meet(h, s, claims)
		return s.encode(kept)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	if failing := err != nil; failing != l.failing {
		l.failing = failing
		l.o.Failed(err)
	}
	if err != nil {
		l.unreachable(claims, fmt.Errorf("lease: the store fails: %w", err))
	} else {
		l.apply(h, found)
	}
	l.claims = slices.DeleteFunc(l.claims, func(x *claim) bool { return x.key == "" })
}

// meet brings the claims into a state, and grants what is theirs to have.
func (l *Lease) meet(h *house, s *state, claims []*claim) []finding {
	found := make([]finding, len(claims))
	l.mu.Lock()
	for i, x := range claims {
		found[i] = l.look(h, s, x)
	}
	l.mu.Unlock()
	for len(s.Holds) < h.o.Holders {
		p := s.next(h)
		if p == nil || !strings.HasPrefix(p.Key, l.name+".") {
			break // others take what is theirs themselves
		}
		s.grant(h, p)
	}
	for i := range found {
		f := &found[i]
		if f.gone || f.why != nil {
			continue
		}
		if f.place = s.place(f.x.key); f.place == nil {
			f.why = ErrReplaced // by another of this very step
		}
	}
	return found
}

// place gives a copy of the place of a key; nil: there is none.
func (s *state) place(key string) *place {
	for _, places := range [...][]place{s.Holds, s.Waits} {
		if p := find(places, key); p != nil {
			q := *p
			return &q
		}
	}
	return nil
}

// look brings one claim into a state; under mu.
func (l *Lease) look(h *house, s *state, x *claim) finding {
	f := finding{x: x, ticket: x.ticket}
	hold, wait := find(s.Holds, x.key), find(s.Waits, x.key)
	switch {
	case x.done:
		s.remove(x.key)
		f.gone = true
	case hold != nil:
		hold.renew(h)
	case wait != nil:
		wait.renew(h)
	case x.ticket != 0 && s.claims(x.ID):
		f.why = ErrReplaced
	case x.held != nil && h.now >= x.held.end.UnixMilli():
		f.why = ErrBound
	case x.held != nil:
		f.why = ErrLost
	default: // it is new, or was silent for too long
		p := place{Claim: x.Claim, Key: x.key, Owner: l.owner, Ticket: x.ticket, Since: x.since}
		if f.ticket = s.join(h, p); f.ticket == 0 {
			f.why = ErrFull
		}
	}
	return f
}

// apply makes true here what stands in the store; under mu. What was found was
// true when it was written; a claim that has ended since is taken out by the next
// step.
func (l *Lease) apply(h *house, found []finding) {
	for _, f := range found {
		x := f.x
		switch {
		case f.gone:
			x.key = ""
			continue
		case x.done:
			l.wake()
			continue
		case f.why != nil:
			l.fail(x, f.why)
			x.key = ""
			continue
		}
		x.ticket, x.seen, x.until = f.ticket, h.now, f.place.Until
		if f.place.Token != 0 && x.held == nil {
			ctx, cancel := context.WithCancelCause(x.ctx)
			x.held = &Held{l: l, x: x, ctx: ctx, cancel: cancel, token: f.place.Token, end: time.UnixMilli(f.place.End)}
			close(x.told)
		}
	}
}

// unreachable is what a failure of the store means: places are lost when they
// would be there too; under mu.
func (l *Lease) unreachable(claims []*claim, err error) {
	now := l.o.Now().UnixMilli()
	for _, x := range claims {
		switch {
		case x.done && (l.closed || now-x.seen >= millis(l.o.TTL)):
			x.key = "" // it will expire
		case x.done:
		case x.held != nil && now >= x.held.end.UnixMilli():
			l.fail(x, ErrBound)
		case x.held != nil && now >= x.until:
			l.fail(x, fmt.Errorf("%w: %w", ErrLost, err))
		case x.held == nil && now-x.seen >= millis(l.o.TTL):
			l.fail(x, err)
		}
	}
}
