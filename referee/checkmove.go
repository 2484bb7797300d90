package referee

import (
	"github.com/matchreferee/arena/game"
)

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
	if clean(x.Note, MaxNote) != x.Note || clean(x.Key, MaxKey) != x.Key || len(x.Meta) != len(meta(x.Meta)) {
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
