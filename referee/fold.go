package referee

import (
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
)

// apply folds one event into the match: the only place where its state changes.
// The event has been decided, or checked by verify.
func (m *Match) apply(e *Event) {
	m.pos++
	m.last = max(m.last, e.Time)
	switch e.Kind {
	case KindStart:
		m.start = e.Time
		for i := range m.seats {
			if x := ms(m.seats[i].info.Clock.Expiry); x > 0 {
				m.expiry = min(m.expiry, m.start.add(x))
			}
		}
		m.enter()
	case KindMove:
		m.applyMove(e)
	case KindSent:
		m.applySent(e)
	case KindFault:
		m.applyFault(e)
	case KindGone:
		s := &m.seats[e.Seat]
		s.gone, s.goneAt = true, e.Time
		s.gones++
	case KindBack:
		m.seats[e.Seat].gone = false
	case KindClaim:
		m.applyClaim(e)
	case KindRule:
		m.applyRule(e.x())
	case KindSay:
		m.seats[e.Seat].says++
	case KindResume:
		m.applyResume(e)
	case KindEnd:
		m.applyEnd(e.X.End)
	}
}

// applyMove puts a move on the state, or keeps it until all seats of a joint turn have moved.
func (m *Match) applyMove(e *Event) {
	if e.Seat < 0 {
		m.play(e)
		return
	}
	s := &m.seats[e.Seat]
	s.nth++
	s.used += e.Used
	if x := e.X; x != nil && x.Key != "" {
		if s.keys == nil {
			s.keys = map[string]keyed{}
		}
		s.keys[x.Key] = keyed{action: e.Action, raw: x.Raw, event: m.pos - 1}
	}
	if m.offer.by != game.Spectator && !m.out.Has(e.Seat) {
		m.offer.moved(e.Seat)
	}
	m.move(e)
}

// move is the part of a move that a played default shares.
func (m *Match) move(e *Event) {
	s := &m.seats[e.Seat]
	m.open, m.shown = m.open.Without(e.Seat), m.shown.Without(e.Seat)
	s.due = never
	if m.turn.Mode != game.Joint || m.turn.Seats.Len() == 1 {
		m.moves++
		m.play(e)
		return
	}
	s.pend = e.Action
	m.in = m.in.With(e.Seat)
	if m.in != m.turn.Seats {
		return
	}
	m.step = m.step[:0]
	for i := range m.in.All() {
		m.step = append(m.step, game.Move[game.Action]{Seat: i, Action: m.seats[i].pend})
	}
	m.in = 0
	m.moves++
	if err := m.state.Apply(m.step); err != nil {
		panic(fmt.Sprintf("referee: the rules refuse a joint turn of legal moves: %v", err))
	}
	m.entered()
}

// play makes a move that is an Apply of its own.
func (m *Match) play(e *Event) {
	if m.played {
		m.played = false
	} else if a, err := m.state.Play(e.Seat, e.Action); err != nil || a != e.Action {
		panic(fmt.Sprintf("referee: the rules refuse a move that they gave (%v, %v)", a, err))
	}
	m.entered()
}

// entered counts a step and looks at the new turn.
func (m *Match) entered() {
	m.steps++
	if m.s.MaxSteps > 0 && m.steps >= m.s.MaxSteps && !m.state.Turn().Over() {
		m.limitAt = m.last
	}
	m.enter()
}

// enter takes the state's turn: requests that are still good stay open, the
// others close, new ones open.
func (m *Match) enter() {
	before := m.turn
	m.turn = m.state.Turn()
	keep := game.SeatSet(0)
	if m.open != 0 {
		if m.limitAt == 0 && m.turn.Mode != game.Joint && m.turn.Mode == before.Mode && m.turn.Phase == before.Phase {
			keep = m.open & m.turn.Seats
		}
		for s := range (m.open &^ keep).All() {
			m.close(s)
		}
	}
	if m.limitAt != 0 {
		return
	}
	for fresh := m.turn.Seats &^ keep &^ m.out; fresh != 0; {
		s := fresh.First()
		fresh = fresh.Without(s)
		m.openSeat(s)
	}
}

// openSeat opens the first request of a turn.
func (m *Match) openSeat(i game.Seat) {
	s := &m.seats[i]
	s.ask++
	s.retry, s.notes, s.gones, s.says = 0, 0, 0, 0
	s.turnNo = m.moves
	if m.info.Hidden {
		s.turnNo = s.nth
	}
	s.openAt, s.sentAt, s.turnStart, s.warned = m.last, 0, 0, false
	m.open = m.open.With(i)
	if s.info.Clock.Starts == AtOpen {
		s.turnStart = m.last
	}
	s.setDue()
}

// ask opens another request of the same turn after a pause.
func (m *Match) askAgain(i game.Seat) {
	s := &m.seats[i]
	s.ask++
	s.retry++
	s.openAt, s.sentAt, s.warned = m.last.add(s.info.Policy.pause(s.retry)), 0, false
	m.shown, m.opened = m.shown.Without(i), m.opened.Without(i)
	s.setDue()
}

// begun is when the clock of the request began to run; false: it does not.
func (s *seat) begun() (Time, bool) {
	if s.info.Clock.Starts == AtSent {
		return s.sentAt, s.sentAt != 0
	}
	return s.openAt, true
}

// left is what remains of a seat's budget; never: it has none.
func (s *seat) left() Time {
	c := &s.info.Clock
	if c.Base == 0 {
		return never
	}
	return max(0, ms(c.Base).add(ms(c.Increment)*Time(s.nth))-s.used)
}

// setDue computes the deadline of the seat's request.
func (s *seat) setDue() {
	s.due = never
	begun, ok := s.begun()
	if !ok {
		return
	}
	c := &s.info.Clock
	if c.Move > 0 {
		if s.info.Policy.Reask {
			s.due = begun.add(ms(c.Move))
		} else {
			s.due = s.turnStart.add(ms(c.Move))
		}
	}
	if c.Base > 0 {
		s.due = min(s.due, begun.add(s.left()))
	}
}

// limit is what a request gets whose clock does not run yet.
func (s *seat) limit() time.Duration {
	d := s.info.Clock.Move
	if left := s.left(); left != never && (d == 0 || left.duration() < d) {
		d = left.duration()
	}
	return d
}

// late reports whether something that came at t came too late.
func (s *seat) late(t Time) bool {
	return s.due != never && t >= s.due.add(ms(s.info.Clock.Grace))
}

// charge is the thinking time of an answer that came at t.
func (s *seat) charge(t Time) Time {
	begun, ok := s.begun()
	if !ok {
		return 0
	}
	return max(0, min(t, s.due)-begun)
}

func (m *Match) applySent(e *Event) {
	s := &m.seats[e.Seat]
	s.sentAt = e.Time
	if s.turnStart == 0 {
		s.turnStart = e.Time
	}
	s.setDue()
}

// applyResume gives open requests their whole move time again: that nobody was there to take an answer is not to be paid for by agents.
func (m *Match) applyResume(e *Event) {
	for i := range m.open.All() {
		s := &m.seats[i]
		s.openAt, s.sentAt, s.turnStart, s.warned = e.Time, 0, 0, false
		if s.info.Clock.Starts == AtOpen {
			s.turnStart = e.Time
		}
		s.setDue()
	}
	for i := range m.seats {
		if s := &m.seats[i]; s.gone {
			s.goneAt = e.Time
		}
	}
	if m.limitAt != 0 {
		m.limitAt = e.Time
	}
}
