package werewolf

import "github.com/matchreferee/arena/game"

// entry is one of the public log.
type entry struct {
	kind   entryKind
	day    uint8
	seat   game.Seat
	target game.Seat
	text   string
}

type entryKind uint8

const (
	said entryKind = iota
	voted
	died
	eliminated
	noKill
)

var entryNames = [...]string{"say", "vote", "death", "eliminated", "no_kill"}

var entryPhases = [...]phase{discussion, voting, night, voting, night}

func (s *State) note(k entryKind, seat, target game.Seat, text string) {
	s.log = s.log.Append(entry{kind: k, day: s.day, seat: seat, target: target, text: text})
}

// Apply makes the moves of a turn.
func (r Rules) Apply(s *State, moves []game.Move[Action]) {
	switch s.phase {
	case dealing:
		for i := range len(moves[0].Action.Text) {
			switch seat := game.Seat(i); moves[0].Action.Text[i] {
			case 'w':
				s.wolves = s.wolves.With(seat)
			case 's':
				s.seer = seat
			}
		}
		s.phase = night
	case night:
		s.actAtNight(moves)
	case lot:
		s.dawn(moves[0].Action.Target)
	case discussion:
		s.say(moves[0].Action.Text)
	case voting:
		s.count(moves)
	}
}

// actAtNight settles whom the pack kills, or leaves that to a lot.
func (s *State) actAtNight(moves []game.Move[Action]) {
	s.peek = Nobody
	var t tally
	for i := range moves {
		if a := &moves[i].Action; a.Type == Kill {
			t.add(a.Target)
		} else {
			s.peek = a.Target
		}
	}
	if s.tied = t.most(); s.tied.Len() > 1 {
		s.phase = lot
		return
	}
	s.dawn(s.tied.First())
}

// tally counts votes; what is cast for nobody is not.
type tally [MaxSeats]uint8

func (t *tally) add(target game.Seat) {
	if target >= 0 {
		t[target]++
	}
}

// most are the seats with the most votes; none where there is no vote.
func (t *tally) most() game.SeatSet {
	var top game.SeatSet
	high := uint8(1)
	for i, n := range t {
		if n > high {
			top, high = 0, n
		}
		if n == high {
			top |= 1 << i
		}
	}
	return top
}

// dawn ends the night with a victim, or without one.
func (s *State) dawn(victim game.Seat) {
	if s.peek != Nobody && victim != s.seer { // who dies in the night learns nothing from it
		s.peeks[s.day-1] = shift(s.peek)
	}
	s.peek, s.tied = Nobody, 0
	from := s.first + 1
	switch {
	case victim != Nobody:
		s.kills[s.day-1] = shift(victim)
		s.alive = s.alive.Without(victim)
		s.note(died, victim, 0, "")
		if s.decided() {
			return
		}
		from = victim + 1
	case s.day == 1:
		s.note(noKill, 0, 0, "")
		from = 0
	default:
		s.note(noKill, 0, 0, "")
	}
	s.phase, s.round, s.left = discussion, 0, s.alive
	s.first = next(s.alive, from)
	s.speaker = s.first
}

// next is the first seat of a set that is not empty, from one on and around the table.
func next(set game.SeatSet, from game.Seat) game.Seat {
	if above := set >> from << from; above != 0 {
		return above.First()
	}
	return set.First()
}

// say lets the speaker have spoken.
func (s *State) say(text string) {
	s.note(said, s.speaker, 0, text)
	s.left = s.left.Without(s.speaker)
	switch {
	case s.left != 0:
		s.speaker = next(s.left, s.speaker)
	case s.round+1 < rounds:
		s.round++
		s.left, s.speaker = s.alive, s.first
	default:
		s.phase = voting
	}
}

// count closes the vote, and with it the day.
func (s *State) count(moves []game.Move[Action]) {
	var t tally
	for i := range moves {
		m := &moves[i]
		t.add(m.Action.Target)
		s.note(voted, m.Seat, m.Action.Target, "")
	}
	if most := t.most(); most.Len() == 1 {
		out := most.First()
		s.alive = s.alive.Without(out)
		s.note(eliminated, out, 0, "")
		if s.decided() {
			return
		}
	}
	if s.day == s.last {
		s.phase, s.end = over, dayLimit
		return
	}
	s.day++
	s.phase = night
}

// decided ends the match if a side has won.
func (s *State) decided() bool {
	wolves := s.wolves & s.alive
	switch {
	case wolves == 0:
		s.end = villagersWin
	case 2*wolves.Len() >= s.alive.Len():
		s.end = werewolvesWin
	default:
		return false
	}
	s.phase = over
	return true
}
