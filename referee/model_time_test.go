package referee_test

import (
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// goneUntil is when a seat that is away has been away for too long.
func (w *world) goneUntil(s game.Seat) referee.Time {
	c := &w.seats[s]
	if w.end != nil || !c.gone || c.out || c.info.Clock.Back == 0 {
		return none
	}
	at := c.goneSince + referee.Time(c.info.Clock.Back.Milliseconds())
	if do := c.info.Policy.Disconnected; do == referee.DoStrike || do == referee.DoDefault {
		if c.request == nil { // it is not about anything
			return none
		}
		at = max(at, c.request.opens)
	}
	return at
}

// appointment is something that time alone brings.
type appointment struct {
	at   referee.Time
	what string
	seat game.Seat
}

// appointments in the order in which those of one moment are kept.
func (w *world) appointments() (list []appointment) {
	if w.end != nil {
		return nil
	}
	add := func(at referee.Time, what string, s game.Seat) {
		if at != none {
			list = append(list, appointment{at, what, s})
		}
	}
	for i := range w.seats {
		c, s := &w.seats[i], game.Seat(i)
		if c.request == nil {
			continue
		}
		if w.m.shown[s] != c.ask && w.m.paused[s] != c.ask {
			add(c.request.opens, "open", s)
		}
		due, clock := c.deadline(), &c.info.Clock
		if due == none {
			continue
		}
		add(due+referee.Time(clock.Grace.Milliseconds()), "late", s)
		limit, warn := due-c.begun(), referee.Time(clock.Warn.Milliseconds())
		if warn > 0 && limit > warn && limit >= referee.Time(clock.WarnFrom.Milliseconds()) && w.m.warned[s] != c.ask {
			add(due-warn, "warn", s)
		}
	}
	for i := range w.seats {
		add(w.goneUntil(game.Seat(i)), "away", game.Seat(i))
	}
	if w.limitAt != none {
		add(w.limitAt+10_000, "limit", game.Spectator)
	}
	add(w.expiry(), "expiry", game.Spectator)
	slices.SortStableFunc(list, func(a, b appointment) int { return int(a.at - b.at) })
	return list
}

func (m *model) tick(now referee.Time) {
	m.begin(now)
	for {
		w := m.world()
		list := w.appointments()
		if len(list) == 0 || list[0].at > m.now {
			return
		}
		switch d := list[0]; d.what {
		case "open":
			m.paused[d.seat] = w.seats[d.seat].ask
		case "warn":
			m.warned[d.seat] = w.seats[d.seat].ask
			m.tell("warned %d %d", d.seat, w.seats[d.seat].ask)
		case "late":
			m.judged(d.seat, referee.Late)
		case "away":
			m.judged(d.seat, referee.Disconnected)
		case "limit":
			m.record(entry{kind: referee.KindRule, ruling: referee.Ruling{What: referee.RuleDraw, By: "referee", Reason: "max_steps"}})
		case "expiry":
			m.record(entry{kind: referee.KindEnd, end: &ending{cause: referee.CauseExpiry, reason: "expiry"}})
		}
	}
}

// judged is a fault that no answer brought.
func (m *model) judged(s game.Seat, f referee.Fault) {
	ask := m.world().seats[s].ask
	v := m.fault(s, f, m.now)
	v = m.spoken(v)
	m.tell("judged %d %d %v %v %d %d", s, ask, f, v.Do, v.Event, v.Strikes)
}

func (m *model) tell(format string, args ...any) {
	m.told = append(m.told, fmt.Sprintf(format, args...))
}

// finish ends a step: who is to be told of a request.
func (m *model) finish() (open game.SeatSet) {
	w := m.world()
	for i := range w.seats {
		c, s := &w.seats[i], game.Seat(i)
		if c.request != nil && c.request.opens <= m.now && m.shown[s] != c.ask {
			open = open.With(s)
			m.shown[s] = c.ask
		}
	}
	return open
}
