package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/referee"
)

// ErrShutdown says that the arena admits no more matches.
var ErrShutdown = errors.New("arena: shut down")

// ErrPlaying says that a match of that id is at play here already.
var ErrPlaying = errors.New("arena: that match is at play here")

// ErrBusy says that Config.Limit matches are at play.
var ErrBusy = errors.New("arena: as many matches as allowed are at play")

// admit counts a match in.
func (a *Arena) admit(r *run) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closing:
		return ErrShutdown
	case a.c.Limit > 0 && a.live.n >= a.c.Limit:
		return ErrBusy
	}
	a.live.add(r)
	return nil
}

// claim takes the id of a match that is recorded.
func (a *Arena) claim(r *run, id string) error {
	if a.c.Store == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids[id] != nil {
		return fmt.Errorf("%w: %s", ErrPlaying, id)
	}
	r.id = id
	a.ids[id] = r
	return nil
}

// plays reports whether a recorded match is at play here.
func (a *Arena) plays(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ids[id] != nil
}

// release counts it out.
func (a *Arena) release(r *run) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.live.remove(r)
	if r.id != "" {
		delete(a.ids, r.id)
	}
	if a.idle != nil && a.live.n == 0 {
		close(a.idle)
		a.idle = nil
	}
}

// Play plays a match to its end, or goes on with it where the Store has the
// beginning of its record, and returns the result. It returns an error when the match
// could not be set up, the context ended, the arena shut down, or the store
// failed; then a recorded match can be gone on with.
func (a *Arena) Play(ctx context.Context, m Match) (*referee.Result, error) {
	r := &run{Context: ctx}
	defer r.end()
	if err := a.admit(r); err != nil {
		return nil, err
	}
	defer a.release(r)
	s, players, err := a.setup(r, &m)
	if err == nil {
		err = a.claim(r, s.ID)
	}
	if err != nil {
		return nil, err
	}
	result, err := a.local.Play(r, s, players...)
	a.warn("match stopped", s.ID, err)
	return result, err
}

// Start sets a match up and plays it in the background. The context is for
// setting it up only. Errors as for Play.
func (a *Arena) Start(ctx context.Context, m Match) (*Handle, error) {
	return a.start(ctx, func(ctx context.Context) (referee.Setup, []referee.Player, error) { return a.setup(ctx, &m) })
}

func (a *Arena) start(ctx context.Context, setup func(context.Context) (referee.Setup, []referee.Player, error)) (*Handle, error) {
	r := &run{Context: context.WithoutCancel(ctx)}
	if err := a.admit(r); err != nil {
		return nil, err
	}
	s, players, err := setup(ctx)
	if err == nil {
		err = a.claim(r, s.ID)
	}
	var live *referee.Live
	if err == nil {
		live, err = a.lead(ctx, r, s, players)
	}
	if err != nil {
		r.end()
		a.release(r)
		return nil, err
	}
	h := newHandle(s.ID, live)
	a.mu.Lock()
	a.handles[h.id] = h
	a.mu.Unlock()
	go func() {
		defer a.release(r)
		defer r.end()
		result, err := a.run(r, h, s, players)
		a.warn("match stopped", s.ID, err)
		a.forget(h)
		h.end(result, err)
	}()
	return h, nil
}
