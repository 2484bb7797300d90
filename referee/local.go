package referee

import (
	"context"
	"errors"
	"fmt"
)

// Local plays matches in this process. Its zero value records nothing. Safe
// for concurrent use if what Config holds is.
type Local struct {
	Config Config
	Store  Store // where the records are; nil: Config.Log holds the one match
}

var _ Referee = (*Local)(nil)

// Play plays a match, or goes on with it where its log has begun.
func (r *Local) Play(ctx context.Context, s Setup, players ...Player) (*Result, error) {
	l, err := r.Live(ctx, s, players...)
	if err != nil {
		return nil, err
	}
	return l.Run(ctx)
}

// Live makes the match that Play would play, to be run by the caller.
func (r *Local) Live(ctx context.Context, s Setup, players ...Player) (*Live, error) {
	c := r.Config
	if r.Store != nil {
		log, err := r.Store.Open(ctx, s.ID)
		if err != nil {
			return nil, fmt.Errorf("referee: opening the log of %s: %w", s.ID, err)
		}
		c.Log = log
	}
	m, err := Load(ctx, c.Log, s)
	if err != nil {
		return nil, err
	}
	return NewLive(m, players, c)
}

// Load gives the match that a log tells, a new one for an empty or no log.
func Load(ctx context.Context, log Log, s Setup) (*Match, error) {
	if _, discards := log.(*Discard); discards || log == nil {
		return New(s)
	}
	return Resume(s, Events(ctx, log))
}

// Events reads the events of a log, checking the chain of its lines. The seal
// ends them.
func Events(ctx context.Context, log Log) func(yield func(Event, error) bool) {
	return func(yield func(Event, error) bool) {
		var start Time
		var prev [32]byte
		n := 0
		for line, err := range log.Read(ctx, 0) {
			if err != nil {
				yield(Event{}, err)
				return
			}
			if IsSeal(line) {
				return
			}
			e, p, err := ParseLine(line, start)
			if err == nil && p != prev {
				err = errors.New("the chain is broken")
			}
			if err != nil {
				yield(Event{}, fmt.Errorf("%w: line %d: %w", ErrRecord, n+1, err))
				return
			}
			if n == 0 {
				start = e.Time
			}
			n++
			prev = LeafHash(line)
			if !yield(e, nil) {
				return
			}
		}
	}
}
