package referee

import (
	"github.com/matchreferee/arena/game"
)

// settle records what follows of necessity, until somebody has to be waited for.
func (m *Match) settle() {
	for m.result == nil && !m.waits() {
		e, ok := m.necessary()
		if !ok {
			break
		}
		m.record(e)
	}
	if m.closed != 0 {
		m.tellClosed()
	}
	switch {
	case m.result != nil:
		m.effects = append(m.effects, Effect{Kind: EffectEnded})
	case m.limitAt != 0:
		if !m.limitTold {
			m.limitTold = true
			m.effects = append(m.effects, Effect{Kind: EffectLimit})
		}
	case m.turn.Host:
		m.tellAsked()
	}
}

func (m *Match) tellClosed() {
	for s := range m.closed.All() {
		m.effects = append(m.effects, Effect{Kind: EffectClosed, Seat: s, Ask: m.seats[s].closedAsk})
	}
	m.closed = 0
}

func (m *Match) tellAsked() {
	for _, a := range m.state.Asks() {
		if !m.asked[a.ID] {
			if m.asked == nil {
				m.asked = map[int64]bool{}
			}
			m.asked[a.ID] = true
			m.effects = append(m.effects, Effect{Kind: EffectAsked, HostAsk: a})
		}
	}
}

// waits reports the common case that seats have to be waited for: nothing is
// necessary.
func (m *Match) waits() bool {
	return m.ending == nil && m.turn.Seats != 0 && m.turn.Seats&m.out == 0 && m.steps < m.info.MaxSteps
}

// necessary gives the event that must come next whatever anybody does.
func (m *Match) necessary() (Event, bool) {
	switch {
	case m.ending != nil:
		return m.endEvent(*m.ending), true
	case m.turn.Over():
		m.outcome = m.state.Outcome()
		return m.endEvent(ending{cause: CausePlay, reason: m.outcome.Reason, outcome: &m.outcome}), true
	case m.steps >= m.info.MaxSteps:
		return m.endEvent(ending{cause: CauseVoid, reason: "rules_max_steps"}), true
	case m.limitAt != 0:
		return Event{}, false
	case m.turn.Chance:
		a, ok := m.state.Chance(m.s.Secret)
		if !ok {
			return m.endEvent(ending{cause: CauseVoid, reason: "rules_no_chance"}), true
		}
		return Event{Kind: KindMove, Seat: game.Chance, Action: a}, true
	}
	if due := m.turn.Seats & m.out &^ m.in; due != 0 {
		s := due.First()
		a, ok := m.state.Default(s)
		if !ok {
			return m.endEvent(ending{cause: CauseVoid, reason: "rules_no_default"}), true
		}
		return Event{Kind: KindMove, Seat: s, Action: a, X: &Extra{Ref: true}}, true
	}
	return Event{}, false
}
