package house

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// evidence is what a view tells about who has which role.
type evidence struct {
	n      int
	wolves int // dealt
	me     game.Seat
	role   werewolf.Role
	alive  game.SeatSet
	order  [werewolf.MaxSeats]game.Seat // n of them: of seats that look alike, the first in this order is chosen
	// What everybody knows.
	revealed [3]game.SeatSet // werewolves, seers, villagers, by the roles that were revealed
	prey     game.SeatSet    // killed at night, so no werewolves
	ballots  []ballot
	claims   [werewolf.MaxSeats]claim
	asked    int // votes that seats outside the pack had
	cast     int // of these not for nobody
	// What this seat knows besides.
	pack          game.SeatSet // its own, with itself; empty if it is no werewolf
	seen, cleared game.SeatSet // by its own peeks: werewolves, and none
}

// ballot is a vote for a seat, and who was alive when it was cast.
type ballot struct {
	voter, target game.Seat
	alive         game.SeatSet
}

// read collects the evidence of a seat's view; ok is false if the view is not one of a seat that holds a role.
func read(v *werewolf.View) (e evidence, ok bool) {
	e.n = len(v.Players)
	e.me, _ = v.YouAre.Get()
	e.role, ok = v.YourRole.Get()
	if !ok || e.n < werewolf.MinSeats || e.n > werewolf.MaxSeats {
		return e, false
	}
	e.wolves = werewolf.Werewolves(e.n)
	for _, p := range v.Players {
		if p.Alive {
			e.alive = e.alive.With(p.Seat)
		}
		switch p.Role {
		case werewolf.Werewolf:
			e.revealed[0] = e.revealed[0].With(p.Seat)
		case werewolf.Seer:
			e.revealed[1] = e.revealed[1].With(p.Seat)
		case werewolf.Villager:
			e.revealed[2] = e.revealed[2].With(p.Seat)
		}
	}
	if e.role == werewolf.Werewolf {
		e.pack = game.Seats(v.Private.Packmates...).With(e.me)
	}
	e.readLog(v.PublicLog)
	e.line(firstSpeaker(v, e.me))
	for _, p := range v.Private.Peeks {
		if p.IsWerewolf {
			e.seen = e.seen.With(p.Target)
		} else {
			e.cleared = e.cleared.With(p.Target)
		}
	}
	return e, true
}

// line orders the seats around the table from one on.
func (e *evidence) line(from game.Seat) {
	for i := range e.n {
		e.order[i] = (from + game.Seat(i)) % game.Seat(e.n)
	}
}

// firstSpeaker is who spoke first on the day of v: if nobody has yet, me. Everybody knows it, and it is another one day by day and match by match.
// So those who vote agree about seats that look alike, and no seat always comes first.
func firstSpeaker(v *werewolf.View, me game.Seat) game.Seat {
	for i := range v.PublicLog {
		if entry := &v.PublicLog[i]; entry.Type == "say" && entry.Day == v.Day {
			if seat, ok := entry.Seat.Get(); ok {
				return seat
			}
		}
	}
	return me
}

// readLog goes back through the log, so that it knows who was alive at each vote even where the oldest entries are missing.
func (e *evidence) readLog(log []werewolf.Entry) {
	alive := e.alive
	for i := len(log) - 1; i >= 0; i-- {
		entry := &log[i]
		seat, _ := entry.Seat.Get()
		switch entry.Type {
		case "death":
			e.prey = e.prey.With(seat)
			alive = alive.With(seat)
		case "eliminated":
			alive = alive.With(seat)
		case "vote":
			if !e.pack.Has(seat) {
				e.asked++
			}
			if target, cast := entry.Target.Get(); cast {
				e.ballots = append(e.ballots, ballot{seat, target, alive})
				if !e.pack.Has(seat) {
					e.cast++
				}
			}
		case "say":
			text, _ := entry.Text.Get()
			if c, ok := hear(text, e.n); ok {
				all := &e.claims[seat]
				all.made = true
				all.wolves |= c.wolves
				all.cleared |= c.cleared
			}
		}
	}
}
