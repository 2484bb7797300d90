package referee

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
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
	if err := m.checkInTime(e); err != nil {
		return err
	}
	if _, ok := s.keys[x.Key]; ok && x.Key != "" {
		return badEvent("its idempotency key was used before")
	}
	if !tidy(x) || clean(x.Key, MaxKey) != x.Key || x.Raw != "" && (x.Key == "" || !isDigest(x.Raw)) {
		return badEvent("note, meta, key or raw is not clean")
	}
	return m.checkPlay(e)
}

// checkInTime asks whether an answer that was charged so much can have come
// before its deadline. When it was recorded tells nothing: a log may be slow.
func (m *Match) checkInTime(e *Event) error {
	s := &m.seats[e.Seat]
	if e.Used < 0 || e.Used > s.charge(e.Time) {
		return badEvent("%d ms charged, more than have passed", e.Used)
	}
	came := s.openAt - 1 // the clock of the driver rounds openings up, and arrivals down
	if e.Used > 0 {
		begun, _ := s.begun()
		came = begun + e.Used
	}
	switch {
	case s.late(came):
		return badEvent("with %d ms charged it came too late", e.Used)
	case came >= m.expiry:
		return badEvent("the time of the match was over before it came")
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
		return badEvent("the rules refuse %s: %w", jsontext.Quote(string(e.Action)), err)
	}
	if a != e.Action {
		return badEvent("the rules record %s as %s", jsontext.Quote(string(e.Action)), jsontext.Quote(string(a)))
	}
	m.played = single
	return nil
}
