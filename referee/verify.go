package referee

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

func badEvent(format string, args ...any) error { return fmt.Errorf(format, args...) }

// check says why an event could not have come next.
func (m *Match) check(e *Event) error {
	if (m.pos == 0) != (e.Kind == KindStart) {
		return badEvent("the start event is the first and no other")
	}
	if m.pos > 0 && e.Time < m.last {
		return badEvent("time runs backwards")
	}
	if m.result != nil {
		return badEvent("the match has ended")
	}
	if e.Kind == KindResume {
		if e.x().At > e.Time {
			return badEvent("it is recorded earlier than it was by the wall clock")
		}
		return nil
	}
	if crash := e.Kind == KindFault && e.Seat == game.Host; crash && m.ending == nil {
		return m.checkCrash(e)
	}
	if done, err := m.checkNecessary(e); done || err != nil {
		return err
	}
	m.last = max(m.last, e.Time)
	switch e.Kind {
	case KindStart:
		return m.checkStart(e)
	case KindMove:
		return m.checkMove(e)
	case KindSent:
		if !m.seated(e.Seat) || !m.addressed(e.Seat, Address{By: ByAsk, N: e.Ask}) || m.seats[e.Seat].info.Clock.Starts != AtSent || m.seats[e.Seat].sentAt != 0 || e.Time >= m.expiry {
			return badEvent("no request was to be sent")
		}
	case KindFault:
		return m.checkFault(e)
	case KindGone:
		if !m.mayGo(e.Seat) {
			return badEvent("the seat cannot go away now")
		}
		if d := e.x().Detail; clean(d, MaxDetail) != d {
			return badEvent("detail is not clean")
		}
	case KindBack:
		if !m.mayReturn(e.Seat) {
			return badEvent("the seat is not away")
		}
		if m.goneFor(e.Seat, e.Time) {
			return badEvent("the seat was away for too long")
		}
	case KindClaim:
		return m.claimable(e.Seat, e.x().Claim)
	case KindRule:
		return m.ruleable(e.x().ruling())
	case KindSay:
		x := e.x()
		if clean(x.Text, MaxText) != x.Text {
			return badEvent("text is not clean")
		}
		return m.sayable(e.Seat, x.To, x.Text)
	case KindEnd:
		if end := e.x().End; end != nil && end.Cause == CauseExpiry && e.Time >= m.expiry {
			want := m.endEvent(ending{cause: CauseExpiry, reason: "expiry"})
			return m.checkEnd(e, &want)
		}
		return badEvent("nothing has ended the match")
	}
	return nil
}

// checkCrash: what voids a match names no request and no action.
func (m *Match) checkCrash(e *Event) error {
	x := e.x()
	if x.Fault != Internal || x.Do != DoVoid || e.Action != "" || e.Ask != 0 || e.Used != 0 || x.Note != "" || x.Meta != nil || x.Got != (Address{}) {
		return badEvent("a fault of the host voids, and says nothing but why")
	}
	if clean(x.Detail, MaxDetail) != x.Detail {
		return badEvent("detail is not clean")
	}
	return nil
}

// checkNecessary deals with what can be followed by one event alone.
func (m *Match) checkNecessary(e *Event) (done bool, err error) {
	if m.follow && m.pos > 0 && m.ending == nil && m.limitAt == 0 && m.turn.Chance && m.steps < m.info.MaxSteps {
		if e.Kind == KindMove && e.Seat == game.Chance {
			if e.Time != m.last {
				return true, errMoment
			}
			if e.Ask != 0 || e.Used != 0 || e.X != nil {
				return true, badEvent("chance has no request, and nothing to say")
			}
			m.draws = append(m.draws, draw{m.pos, m.state.Clone(), e.Action})
			return true, m.checkPlay(e)
		}
		return true, badEvent("a chance move is due")
	}
	if m.pos == 0 {
		return false, nil
	}
	want, ok := m.necessary()
	switch {
	case !ok && e.Kind == KindMove && (e.Seat == game.Chance || e.x().Ref):
		return true, badEvent("no move of the referee is due")
	case !ok:
		return false, nil
	case want.Kind == KindEnd:
		if e.Kind != KindEnd {
			return true, badEvent("the match is over, the end is due")
		}
		if e.Time != m.last {
			return true, errMoment
		}
		return true, m.checkEnd(e, &want)
	}
	if !sameLine(e, &want, m.start) {
		return true, badEvent("due is a move of the referee for %v: %s", want.Seat, jsontext.Quote(string(want.Action)))
	}
	if e.Time != m.last {
		return true, errMoment
	}
	return true, m.checkPlay(e)
}

// errMoment is about an event that follows of necessity: it is recorded in one
// step with what it follows from.
var errMoment = errors.New("it follows of necessity from the event before, and so at the same time")

// sameLine compares all but the time.
func sameLine(e, want *Event, start Time) bool {
	w := *want
	w.Time = e.Time
	var zero [32]byte
	var a, b [usualLine]byte
	return bytes.Equal(AppendLine(a[:0], e, start, &zero), AppendLine(b[:0], &w, start, &zero))
}

// differs names the members that two start events do not share.
func (s *Start) differs(o *Start) (names []string) {
	seats := func(s *Start) (b []byte) {
		for i := range s.Seats {
			b = appendSeatInfo(b, &s.Seats[i])
		}
		return b
	}
	for _, m := range []struct {
		name string
		same bool
	}{
		{"id", s.ID == o.ID}, {"game", s.Game == o.Game}, {"version", s.Version == o.Version},
		{"ruleset", string(s.Ruleset) == string(o.Ruleset)}, {"position", s.Position == o.Position}, {"names", slices.Equal(s.Names, o.Names)},
		{"seats", bytes.Equal(seats(s), seats(o))}, {"max", s.Max == o.Max}, {"commit (another seed or key)", s.Commit == o.Commit},
	} {
		if !m.same {
			names = append(names, m.name)
		}
	}
	return names
}

// is tells quickly that two start events say the same; false means little.
func (s *Start) is(o *Start) bool {
	return len(s.Seats) == len(o.Seats) && len(s.Seats) > 0 && &s.Seats[0] == &o.Seats[0] &&
		s.ID == o.ID && s.Game == o.Game && s.Version == o.Version && bytes.Equal(s.Ruleset, o.Ruleset) && s.Position == o.Position &&
		same(s.Names, o.Names) && s.Max == o.Max && s.Commit == o.Commit && s.Lib == o.Lib
}

// is tells quickly that two end events say the same; false means little.
func (e *End) is(o *End) bool {
	return e.Cause == o.Cause && e.Reason == o.Reason && same(e.Ret, o.Ret) && same(e.Scores, o.Scores) && same(e.Places, o.Places) &&
		same(e.Strikes, o.Strikes) && same(e.Faults, o.Faults) && e.Secret == o.Secret && e.Salt == o.Salt
}

// same compares lists, of which the empty one is written and nil is not.
func same[T comparable](a, b []T) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }

// maxLib bounds the name of the library that wrote a record, in code points.
const maxLib = 64

func (m *Match) checkStart(e *Event) error {
	want := Event{Kind: KindStart, Time: e.Time, X: &Extra{Start: new(Start)}}
	m.startBody(want.X.Start)
	lib := e.x().Start.Lib
	if clean(lib, maxLib) != lib {
		return badEvent("lib is not one line of at most %d code points", maxLib)
	}
	want.X.Start.Lib = lib
	if !e.x().Start.is(want.X.Start) && !sameLine(e, &want, e.Time) {
		return badEvent("it says something else than the setup: %s", strings.Join(e.x().Start.differs(want.X.Start), ", "))
	}
	m.last = e.Time
	return nil
}
