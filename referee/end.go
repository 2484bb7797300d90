package referee

import "github.com/matchreferee/arena/game"

// endEvent is the last event, which reveals the secret.
func (m *Match) endEvent(d ending) Event {
	end := &m.bodies.end
	m.bodies.endX.End = end
	*end = End{Cause: d.cause, Reason: d.reason, Secret: m.s.Secret, Salt: m.s.Salt}
	if d.outcome != nil {
		end.Ret, end.Scores, end.Places = d.outcome.Returns, d.outcome.Scores, d.outcome.Places()
		if end.Reason == "" {
			end.Reason = d.outcome.Reason
		}
	}
	for i := range m.seats {
		s := &m.seats[i]
		if s.strikes > 0 {
			if end.Strikes == nil {
				end.Strikes = make([]int, len(m.seats))
			}
			end.Strikes[i] = s.strikes
		}
		if s.faults != [faultCount]int{} {
			if end.Faults == nil {
				end.Faults = make([][faultCount]int, len(m.seats))
			}
			end.Faults[i] = s.faults
		}
	}
	return Event{Kind: KindEnd, X: &m.bodies.endX}
}

// applyEnd closes everything.
func (m *Match) applyEnd(end *End) {
	r := &Result{Cause: end.Cause, Reason: end.Reason, Returns: end.Ret, Scores: end.Scores, Places: end.Places, Seats: make([]SeatResult, len(m.seats))}
	out := m.out
	if m.ending != nil {
		r.By = m.ending.by
		out |= m.ending.out
	}
	for i := range m.seats {
		s := &m.seats[i]
		m.closing(game.Seat(i))
		r.Seats[i] = SeatResult{Strikes: s.strikes, Faults: s.faults, Out: out.Has(game.Seat(i)), Used: s.used, Moves: int(s.nth)}
		s.due = never
	}
	m.open, m.shown, m.ending, m.result = 0, 0, nil, r
	m.turn = game.Turn{}
}

// lose decides that seats lose the match: by the rules where they have a word
// on it, else they come last and the others share.
func (m *Match) lose(cause Cause, reason string, out game.SeatSet) {
	o, ok := m.state.Forfeit(out)
	switch {
	case ok:
		o.Reason = reason
	case out.Len() == len(m.seats):
		o = drawOutcome(m.info, len(m.seats), reason)
	default:
		o = lossOutcome(m.info, len(m.seats), out, reason)
	}
	m.ending = &ending{cause: cause, reason: reason, outcome: &o, out: out}
}

// leave takes a seat out of play by its own will or fault: with two seats, or
// without safe defaults, the match ends; else its defaults are played.
func (m *Match) leave(cause Cause, reason string, s game.Seat) {
	if len(m.seats) > 2 && m.s.Table.Features().Defaulter {
		m.eliminate(s)
		return
	}
	m.lose(cause, reason, m.out.With(s))
}

func (m *Match) eliminate(s game.Seat) {
	m.out = m.out.With(s)
	if m.open.Has(s) {
		m.close(s)
	}
	switch m.offer.by {
	case game.Spectator:
	case s:
		m.offer = offer{by: game.Spectator}
	default:
		m.agree() // it may have been the last that had not accepted
	}
}

// close takes an open request away, to be told.
func (m *Match) close(s game.Seat) {
	m.closing(s)
	m.open, m.shown = m.open.Without(s), m.shown.Without(s)
	m.seats[s].due = never
}

// closing notes that a request which was told of closes, and not by an answer
// of its own.
func (m *Match) closing(s game.Seat) {
	if m.shown.Has(s) {
		m.closed = m.closed.With(s)
		m.seats[s].closedAsk = m.seats[s].ask
	}
}
