package referee

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
)

// Local is the [Referee] that plays where it is called. Its zero value records nothing. Safe
// for concurrent use if what Config holds is. It must not be copied.
type Local struct {
	Config Config
	Store  Store // where the records are; nil: Config.Log holds the one match

	used sync.Pool // *Live that nobody else holds
}

var _ Referee = (*Local)(nil)

// Play plays a match, or goes on with it where its log has begun.
func (r *Local) Play(ctx context.Context, s Setup, players ...Player) (*Result, error) {
	l, _ := r.used.Get().(*Live)
	if l == nil {
		l = &Live{lock: make(chan struct{}, 1), nudge: make(chan struct{}, 1), m: new(Match)}
	}
	if err := r.load(ctx, l, &s, players); err != nil {
		return nil, err
	}
	result, err := l.Run(ctx)
	if err == nil && l.onlyInline() && l.c.Host == nil {
		l.c, l.record.log = Config{}, nil
		clear(l.ps)
		clear(l.reqs) // whoever kept one sees nothing of the next match
		r.used.Put(l)
	}
	return result, err
}

// Live makes the match that Play would play, to be run by the caller.
func (r *Local) Live(ctx context.Context, s Setup, players ...Player) (*Live, error) {
	l := &Live{lock: make(chan struct{}, 1), nudge: make(chan struct{}, 1), m: new(Match)}
	if err := r.load(ctx, l, &s, players); err != nil {
		return nil, err
	}
	return l, nil
}

// load readies l for the match of s.
func (r *Local) load(ctx context.Context, l *Live, s *Setup, players []Player) error {
	c := r.Config
	if r.Store != nil {
		log, err := r.Store.Open(ctx, s.ID)
		if err != nil {
			return fmt.Errorf("referee: opening the log of %s: %w", s.ID, err)
		}
		c.Log = log
	}
	if err := l.m.load(ctx, c.Log, *s); err != nil {
		return err
	}
	return l.init(l.m, players, c)
}

// Load gives the match that a log tells, a new one for an empty or no log.
func Load(ctx context.Context, log Log, s Setup) (*Match, error) {
	m := new(Match)
	if err := m.load(ctx, log, s); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Match) load(ctx context.Context, log Log, s Setup) error {
	if _, discards := log.(*Discard); discards || log == nil {
		return m.resume(s, nil)
	}
	return m.resume(s, Events(ctx, log))
}

// Events reads the events of a log, checking the chain of its lines. The seal
// ends them.
func Events(ctx context.Context, log Log) iter.Seq2[Event, error] {
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
