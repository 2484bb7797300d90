package referee

import (
	"errors"
	"fmt"
	"iter"
)

// ErrRecord is wrapped by the errors of [Match.Fold] and [Resume]: the events
// are not those of a match that this referee led.
var ErrRecord = errors.New("referee: not the record of this match")

// Follow makes a match for reading a record to its end: Setup.Secret and Salt
// are not known yet, commit is the start event's. The end event reveals them;
// chance moves are drawn again then.
func Follow(s Setup, commit [32]byte) (*Match, error) {
	m := new(Match)
	if err := m.Follow(s, commit); err != nil {
		return nil, err
	}
	return m, nil
}

// Follow turns m, whatever it was before, into a match that the function of that
// name makes, in the memory that it has: for reading many records one after the
// other. Results that m has given stay as they are. After an error m is of no use but to
// Follow again.
func (m *Match) Follow(s Setup, commit [32]byte) error {
	if err := m.init(s); err != nil {
		return err
	}
	m.commit, m.follow = commit, true
	return nil
}

// Resume makes the match that the events of its record tell. The next step is
// [Match.Resumed]. It wraps [ErrRecord] where the events contradict the setup,
// the rules or the policies.
func Resume(s Setup, events iter.Seq2[Event, error]) (*Match, error) {
	m := new(Match)
	if err := m.resume(s, events); err != nil {
		return nil, err
	}
	return m, nil
}

// resume is init and the fold of events, which may be nil.
func (m *Match) resume(s Setup, events iter.Seq2[Event, error]) error {
	if err := m.init(s); err != nil {
		return err
	}
	if events == nil {
		return nil
	}
	for e, err := range events {
		if err != nil {
			return err
		}
		if err := m.Fold(&e); err != nil {
			return err
		}
	}
	return nil
}

// Fold takes the next event of a record, and refuses what could not have
// happened: it asks the rules about each move and judges each consequence
// again. The error wraps [ErrRecord]; the match is not to be used after one.
func (m *Match) Fold(e *Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: event %d (%v): the rules panicked: %v", ErrRecord, m.pos, e.Kind, p)
		}
	}()
	m.begin(m.last)
	if err := m.check(e); err != nil {
		return fmt.Errorf("%w: event %d (%v): %w", ErrRecord, m.pos, e.Kind, err)
	}
	m.last = max(m.last, e.Time)
	m.apply(e)
	return nil
}
