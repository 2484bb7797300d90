package referee

import "github.com/matchreferee/arena/game"

// rulingTime is how long the host has to rule when Setup.MaxSteps is reached.
const rulingTime = Time(10_000)

// due is the next thing that time alone brings.
type due struct {
	at   Time
	what dueKind
	seat game.Seat
}

type dueKind uint8

const (
	dueNothing dueKind = iota
	dueOpen            // a pause is over
	dueWarn
	dueLate
	dueBack
	dueLimit
	dueExpiry
)

// next finds the earliest thing due; of those at the same moment, the lowest
// seat's, and the expiry last.
func (m *Match) next() due {
	d := due{at: never}
	if m.result != nil {
		return d
	}
	consider := func(at Time, what dueKind, s game.Seat) {
		if at < d.at {
			d = due{at, what, s}
		}
	}
	for i := range m.open.All() {
		s := &m.seats[i]
		c := &s.info.Clock
		if !m.shown.Has(i) && !m.opened.Has(i) {
			consider(s.openAt, dueOpen, i)
		}
		if s.due == never {
			continue
		}
		consider(s.due.add(ms(c.Grace)), dueLate, i)
		if begun, ok := s.begun(); ok && c.Warn > 0 && !s.warned && s.due-begun >= ms(c.WarnFrom) && s.due-begun > ms(c.Warn) {
			consider(s.due-ms(c.Warn), dueWarn, i)
		}
	}
	for i := range m.seats {
		if s := &m.seats[i]; s.gone {
			if at, ok := m.goneTooLong(game.Seat(i)); ok {
				consider(at, dueBack, game.Seat(i))
			}
		}
	}
	if m.limitAt != 0 {
		consider(m.limitAt.add(rulingTime), dueLimit, game.Spectator)
	}
	consider(m.expiry, dueExpiry, game.Spectator)
	return d
}

// goneTooLong is when a seat that went away is a Disconnected fault. Strikes
// and defaults wait for a request that they can be about.
func (m *Match) goneTooLong(i game.Seat) (Time, bool) {
	s := &m.seats[i]
	if s.info.Clock.Back == 0 || m.out.Has(i) {
		return 0, false
	}
	at := s.goneAt.add(ms(s.info.Clock.Back))
	switch s.info.Policy.Disconnected {
	case DoStrike, DoDefault:
		return max(at, s.openAt), m.open.Has(i)
	}
	return at, true
}

// Wake gives the moment for the next Tick: the far future if time alone brings
// nothing, and always later than the Tick before.
func (m *Match) Wake() Time { return m.next().at }

// Tick does what time brings: late answers, requests after a pause, warnings,
// seats that stayed away, expiry.
func (m *Match) Tick(now Time) Output {
	m.begin(now)
	for {
		d := m.next()
		if d.what == dueNothing || d.at > m.last {
			break
		}
		switch d.what {
		case dueOpen:
			m.opened = m.opened.With(d.seat) // told of at the end of the step, if it is open still
		case dueWarn:
			s := &m.seats[d.seat]
			s.warned = true
			m.effects = append(m.effects, Effect{Kind: EffectWarned, Seat: d.seat, Ask: s.ask})
		case dueLate:
			m.timeFault(d.seat, Late)
		case dueBack:
			m.timeFault(d.seat, Disconnected)
		case dueLimit:
			m.record(m.ruleEvent(Ruling{What: RuleDraw, By: "referee", Reason: "max_steps"}))
			m.settle()
		case dueExpiry:
			m.expire()
		}
	}
	return m.output()
}

// timeFault is a fault that no answer brought: the seat is told.
func (m *Match) timeFault(i game.Seat, f Fault) {
	ask, detail := m.seats[i].ask, ""
	if f == Disconnected {
		detail = "gone"
	}
	at := len(m.effects)
	v := m.fault(i, f, detail, m.last, nil)
	m.hide(&v)
	m.effects = append(m.effects, Effect{})
	copy(m.effects[at+1:], m.effects[at:])
	m.effects[at] = Effect{Kind: EffectJudged, Seat: i, Ask: ask, Verdict: v}
}

// Sent says that a request went out. It gives the deadline of the request, 0
// for none, and whether it is still open; if not, it should not go out.
func (m *Match) Sent(now Time, i game.Seat, ask int32) (deadline Time, open bool, o Output) {
	m.begin(now)
	if i < 0 || int(i) >= len(m.seats) || !m.addressed(i, Address{By: ByAsk, N: ask}) || m.last >= m.expiry {
		return 0, false, m.output()
	}
	s := &m.seats[i]
	if s.info.Clock.Starts == AtSent && s.sentAt == 0 {
		m.record(Event{Kind: KindSent, Seat: i, Ask: ask})
	}
	if s.due != never {
		deadline = s.due
	}
	return deadline, true, m.output()
}
