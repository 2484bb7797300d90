package referee

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/matchreferee/arena/game"
)

// ErrRecord is wrapped by the errors of [Match.Fold] and [Resume]: the events
// are not those of a match that this referee led.
var ErrRecord = errors.New("referee: not the record of this match")

func badEvent(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Follow makes a match for reading a record to its end: Setup.Secret and Salt
// are not known yet, commit is the start event's. The end event reveals them;
// chance moves are drawn again then.
func Follow(s Setup, commit [32]byte) (*Match, error) {
	m := new(Match)
	if err := m.init(s); err != nil {
		return nil, err
	}
	m.commit, m.follow = commit, true
	return m, nil
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
	m.commit = Commit(m.s.Secret, m.s.Salt)
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
		return nil
	}
	if crash := e.Kind == KindFault && e.Seat == game.Host; crash && m.ending == nil {
		if x := e.x(); x.Fault != Internal || x.Do != DoVoid || e.Action != "" {
			return badEvent("a fault of the host voids")
		}
		return nil
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
		if !m.seated(e.Seat) || !m.addressed(e.Seat, Address{By: ByAsk, N: e.Ask}) || m.seats[e.Seat].info.Clock.Starts != AtSent || m.seats[e.Seat].sentAt != 0 {
			return badEvent("no request was to be sent")
		}
	case KindFault:
		return m.checkFault(e)
	case KindGone:
		if !m.mayGo(e.Seat) {
			return badEvent("the seat cannot go away now")
		}
	case KindBack:
		if !m.mayReturn(e.Seat) {
			return badEvent("the seat is not away")
		}
	case KindClaim:
		return m.claimable(e.Seat, e.x().Claim)
	case KindRule:
		return m.ruleable(e.x().ruling())
	case KindSay:
		x := e.x()
		if clean(x.Text, MaxText, false) != x.Text {
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
		return true, badEvent("due is a move of the referee for %v: %s", want.Seat, want.Action)
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
	return bytes.Equal(AppendLine(nil, e, start, &zero), AppendLine(nil, &w, start, &zero))
}

func (m *Match) checkStart(e *Event) error {
	want := Event{Kind: KindStart, Time: e.Time, X: &Extra{Start: new(Start)}}
	m.startBody(want.X.Start)
	want.X.Start.Lib = e.x().Start.Lib
	if !sameLine(e, &want, e.Time) {
		return badEvent("it says something else than the setup")
	}
	m.last = e.Time
	return nil
}

func (m *Match) checkMove(e *Event) error {
	if e.Seat == game.Host {
		if !m.turn.Host || e.Ask != 0 || e.Used != 0 || e.X != nil {
			return badEvent("the host has nothing to answer")
		}
		return m.checkPlay(e)
	}
	if !m.seated(e.Seat) || !m.addressed(e.Seat, Address{By: ByAsk, N: e.Ask}) {
		return badEvent("seat %v has no request %d open", e.Seat, e.Ask)
	}
	s, x := &m.seats[e.Seat], e.x()
	if err := m.checkUsed(e); err != nil {
		return err
	}
	if _, ok := s.keys[x.Key]; ok && x.Key != "" {
		return badEvent("its idempotency key was used before")
	}
	if clean(x.Note, MaxNote, false) != x.Note || clean(x.Key, MaxKey, true) != x.Key || len(x.Meta) != len(meta(x.Meta)) {
		return badEvent("note, key or meta is not clean")
	}
	return m.checkPlay(e)
}

// checkUsed bounds the time that is charged by what has passed.
func (m *Match) checkUsed(e *Event) error {
	if e.Used < 0 || e.Used > m.seats[e.Seat].charge(e.Time) {
		return badEvent("%d ms charged, more than have passed", e.Used)
	}
	return nil
}

// checkPlay asks the rules about a move, and makes it where it is an Apply of its own.
func (m *Match) checkPlay(e *Event) error {
	var a game.Action
	var err error
	single := e.Seat < 0 || m.turn.Mode != game.Joint || m.turn.Seats.Len() == 1
	if single {
		a, err = m.state.Play(e.Seat, e.Action)
	} else {
		a, err = m.state.Check(e.Seat, e.Action)
	}
	if err != nil {
		return badEvent("the rules refuse %s: %w", e.Action, err)
	}
	if a != e.Action {
		return badEvent("the rules record %s as %s", e.Action, a)
	}
	m.played = single
	return nil
}

func (m *Match) checkFault(e *Event) error {
	x := e.x()
	if !m.seated(e.Seat) {
		return badEvent("there is no such seat")
	}
	s, open := &m.seats[e.Seat], m.open.Has(e.Seat)
	if e.Ask != s.ask {
		return badEvent("the seat's request is %d", s.ask)
	}
	if x.Fault == Internal && x.Do == DoVoid {
		return nil
	}
	if do := s.consequence(x.Fault); do != x.Do {
		return badEvent("the policy says %v", do)
	}
	if x.Do == DoReject && (s.notes >= s.info.Policy.notes() || e.Used != 0) {
		return badEvent("a refused answer more than the policy notes, or one that was charged")
	}
	if x.Fault != Stale && x.Got != (Address{}) {
		return badEvent("got belongs to stale answers")
	}
	if x.Fault == Late && (!open || !s.late(e.Time)) {
		return badEvent("it is not late")
	}
	if x.Fault != Stale && !open && !(x.Fault == Disconnected && s.gone) {
		return badEvent("the seat was not asked")
	}
	if open {
		if err := m.checkUsed(e); err != nil {
			return err
		}
	} else if e.Used != 0 {
		return badEvent("charged without a request")
	}
	want := game.Action("")
	if x.Do == DoDefault && open {
		want, _ = m.state.Default(e.Seat)
	}
	if e.Action != want {
		return badEvent("the game's default is %q", want)
	}
	return nil
}

// checkEnd compares the end with what it must be; in a record that is read
// without its secret, it opens the commitment and draws chance moves again.
func (m *Match) checkEnd(e, want *Event) error {
	end := e.x().End
	if m.follow {
		if Commit(end.Secret, end.Salt) != m.commit {
			return badEvent("secret and salt do not open the commitment of the start event")
		}
		want.X.End.Secret, want.X.End.Salt = end.Secret, end.Salt
		for _, d := range m.draws {
			if a, ok := d.state.Chance(end.Secret); !ok || a != d.action {
				return &DrawError{Event: d.event}
			}
		}
	}
	if !sameLine(e, want, m.start) {
		var zero [32]byte
		w := *want
		w.Time = e.Time
		return badEvent("it should be %s", AppendLine(nil, &w, m.start, &zero))
	}
	return nil
}

// draw is a chance move that waits for the secret.
type draw struct {
	event  int64
	state  *game.State
	action game.Action
}

// ErrDraw is matched by every [DrawError].
var ErrDraw = errors.New("not the chance move that the secret draws")

// DrawError says that a chance move is not what the revealed secret draws. It
// comes with the end event of a record read by [Follow].
type DrawError struct {
	Event int64 // position of the chance move in the record, from 0
}

// Error names the event.
func (e *DrawError) Error() string { return fmt.Sprintf("%v: event %d", ErrDraw, e.Event) }

// Unwrap gives [ErrDraw].
func (e *DrawError) Unwrap() error { return ErrDraw }
