package werewolf

import "github.com/matchreferee/arena/game"

// Most gives the seats with the most of these votes.
func Most(votes ...game.Seat) game.SeatSet {
	var t tally
	for _, v := range votes {
		t.add(v)
	}
	return t.most()
}

// Clean is clean.
func Clean(text string, most int) string { return clean(text, most) }

// Fact is something that a state holds and that a view may tell or not. Change gives a state in which that alone is otherwise, for a view of
// seat; false where s has nothing of the kind to change.
type Fact struct {
	Name   string // as in the package doc
	Change func(s State, seat game.Seat) (State, bool)
}

// Facts are the rows of the table in the package doc.
func Facts() []Fact {
	// newer gives s with its newest log entry of a kind changed.
	newer := func(s State, kind entryKind, change func(*entry)) (State, bool) {
		list := s.log.Clip(s.log.Len())
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].kind == kind {
				change(&list[i])
				s.log = game.Log[entry]{}
				for _, e := range list {
					s.log = s.log.Append(e)
				}
				return s, true
			}
		}
		return s, false
	}
	living := func(s *State, seat game.Seat) game.SeatSet { return s.alive.Without(seat) }
	return []Fact{
		{"who is alive", func(s State, seat game.Seat) (State, bool) {
			villagers := living(&s, seat) &^ s.wolves
			villagers = villagers.Without(s.seer)
			s.alive = s.alive.Without(villagers.First())
			return s, villagers != 0
		}},
		{"what was said", func(s State, _ game.Seat) (State, bool) {
			return newer(s, said, func(e *entry) { e.text += "!" })
		}},
		{"how a closed vote went", func(s State, _ game.Seat) (State, bool) {
			return newer(s, voted, func(e *entry) { e.target = (e.target+2)%game.Seat(s.n+1) - 1 })
		}},
		{"one's own role", func(s State, seat game.Seat) (State, bool) {
			switch {
			case !seat.Valid():
				return s, false
			case s.wolves.Has(seat):
				s.wolves = s.wolves.Without(seat)
			default:
				s.wolves = s.wolves.With(seat)
			}
			return s, true
		}},
		{"the role of a dead seat", func(s State, seat game.Seat) (State, bool) {
			dead := (game.FirstSeats(int(s.n)) &^ s.alive &^ s.wolves).Without(s.seer).Without(seat).First()
			if s.wolves.Has(seat) { // to whom another werewolf would be one of the pack
				s.seer = dead
			} else {
				s.wolves = s.wolves.With(dead)
			}
			return s, dead.Valid()
		}},
		{"whether a living seat is a werewolf", func(s State, seat game.Seat) (State, bool) {
			wolf := (living(&s, seat) & s.wolves).First()
			villager := (living(&s, seat) &^ s.wolves).Without(s.seer).First()
			s.wolves = s.wolves.Without(wolf).With(villager)
			return s, wolf.Valid() && villager.Valid()
		}},
		{"which living seat is the seer", func(s State, seat game.Seat) (State, bool) {
			villager := (living(&s, seat) &^ s.wolves).Without(s.seer).First()
			was := s.seer
			s.seer = villager
			return s, villager.Valid() && s.alive.Has(was)
		}},
		{"what the seer has seen", func(s State, _ game.Seat) (State, bool) {
			for i, p := range s.peeks[:s.day] {
				if p != 0 {
					s.peeks[i] = p%shifted(s.n) + 1
					return s, true
				}
			}
			return s, false
		}},
		{"whether a lot is to be drawn", func(s State, _ game.Seat) (State, bool) {
			was := s.phase == lot
			s.phase = night
			return s, was
		}},
		{"how the pack's votes fell", func(s State, _ game.Seat) (State, bool) {
			was := s.phase == lot
			s.tied = s.tied.Without(s.tied.First())
			return s, was
		}},
	}
}

// IsPeeked reports whether the seer of s has looked at a seat that the first change of Facts "whether a living seat is a werewolf" touches.
func IsPeeked(s State, seat game.Seat) bool {
	wolf := (s.alive.Without(seat) & s.wolves).First()
	villager := (s.alive.Without(seat) &^ s.wolves).Without(s.seer).First()
	for _, p := range s.peeks[:s.day] {
		if p != 0 && (p.seat() == wolf || p.seat() == villager) {
			return true
		}
	}
	return false
}
