package referee

import (
	"encoding/base64"

	"github.com/matchreferee/arena/game"
)

func (m *Match) checkFault(e *Event) error {
	x := e.x()
	if !m.seated(e.Seat) {
		return badEvent("there is no such seat")
	}
	s, open := &m.seats[e.Seat], m.open.Has(e.Seat)
	switch {
	case e.Ask != s.ask:
		return badEvent("the seat's request is %d", s.ask)
	case !tidy(x) || clean(x.Detail, MaxDetail) != x.Detail:
		return badEvent("note, meta or detail is not clean")
	case s.consequence(x.Fault) != x.Do:
		return badEvent("the policy says %v", s.consequence(x.Fault))
	case x.Do == DoReject && (s.notes >= s.info.Policy.notes() || e.Used != 0):
		return badEvent("a refused answer more than the policy notes, or one that was charged")
	case x.Fault != Stale && x.Got != (Address{}):
		return badEvent("got belongs to stale answers")
	case !open && e.Used != 0:
		return badEvent("charged without a request")
	}
	if err := m.checkDefault(e, open); err != nil {
		return err
	}
	switch {
	case x.Fault == Stale:
		if x.Note != "" || x.Meta != nil || x.Detail != "" {
			return badEvent("nothing is kept of a stale answer")
		}
		return nil
	case x.Fault == Late:
		return m.checkLate(e)
	case x.Fault == Disconnected && m.stayedAway(e):
		return nil
	case !m.addressed(e.Seat, Address{}):
		return badEvent("the seat was not asked")
	}
	return m.checkInTime(e)
}

// checkDefault asks the rules for the default that a fault may have played.
func (m *Match) checkDefault(e *Event, open bool) error {
	if e.x().Do != DoDefault || !open {
		if e.Action != "" {
			return badEvent("no default of the game was due")
		}
		return nil
	}
	if want, ok := m.state.Default(e.Seat); !ok || e.Action != want {
		return badEvent("the game's default is %q", want)
	}
	return nil
}

// checkLate: time alone makes a fault late, be it in a pause that the clock of
// the turn does not outlast, or an answer that came too late does.
func (m *Match) checkLate(e *Event) error {
	s, x := &m.seats[e.Seat], e.x()
	switch {
	case !m.open.Has(e.Seat) || !s.late(e.Time):
		return badEvent("it is not late")
	case s.due.add(ms(s.info.Clock.Grace)) > m.expiry:
		return badEvent("the time of the match was over before it was late")
	case e.Used != s.charge(e.Time):
		return badEvent("%d ms charged for all the time there was", e.Used)
	case x.Detail != "":
		return badEvent("a late answer has no detail")
	}
	return nil
}

// stayedAway reports whether a fault is that of a seat whose time to come back
// is over.
func (m *Match) stayedAway(e *Event) bool {
	s, x := &m.seats[e.Seat], e.x()
	used := Time(0)
	if m.open.Has(e.Seat) {
		used = s.charge(e.Time)
	}
	return m.goneFor(e.Seat, e.Time) && e.Used == used && x.Detail == "gone" && x.Note == "" && x.Meta == nil
}

// goneFor reports whether a seat is away, at t for longer than it may be.
func (m *Match) goneFor(i game.Seat, t Time) bool {
	if !m.seats[i].gone {
		return false
	}
	at, ok := m.goneTooLong(i)
	return ok && t >= at
}

// tidy reports whether what an agent said beside its action is as a referee
// records it.
func tidy(x *Extra) bool {
	return clean(x.Note, MaxNote) == x.Note && string(meta(x.Meta)) == string(x.Meta)
}

// isDigest reports whether s may be what digest gives.
func isDigest(s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == 12
}
