package werewolf

import (
	"math/rand/v2"

	"github.com/matchreferee/arena/game"
)

// tries bounds the deals that Resample draws until one fits what the seat knows. At least one in 455 does, that of the match itself, and where
// so few do, it is nearly the only one.
const tries = 2000

// Resample draws who else has which role, and what the seer looked at, among what fits everything that seat has seen, each deal as likely as the
// others. It leaves the rest as it is: all else is public, but for the tie that a lot is about to settle, when nobody is asked anything.
func (r Rules) Resample(s *State, seat game.Seat, rnd *rand.Rand) State {
	made := *s
	if s.phase == dealing || s.phase == over {
		return made
	}
	past := r.past(s)
	open := r.open(s, seat)
	for range tries {
		made.wolves, made.seer = s.wolves, s.seer
		made.shuffle(open, rnd)
		if past.allows(&made) {
			break
		}
		made.wolves, made.seer = s.wolves, s.seer
	}
	if s.seer != seat {
		past.look(&made, rnd)
	}
	return made
}

// open are the seats whose roles seat cannot tell, from what the rules show it as such.
func (r Rules) open(s *State, seat game.Seat) game.SeatSet {
	open := game.FirstSeats(int(s.n)).Without(seat)
	if r.RevealRoles {
		open &= s.alive
	}
	if s.wolves.Has(seat) {
		open &^= s.wolves
	}
	if s.seer == seat {
		for _, p := range s.peeks[:s.day] {
			if p != 0 {
				open = open.Without(p.seat())
			}
		}
	}
	return open
}

// shuffle deals the roles of some seats anew among them.
func (s *State) shuffle(some game.SeatSet, rnd *rand.Rand) {
	var seats [MaxSeats]game.Seat
	n := 0
	for seat := range some.All() {
		seats[n] = seat
		n++
	}
	wolves, seer := (s.wolves & some).Len(), some.Has(s.seer)
	rnd.Shuffle(n, func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
	s.wolves &^= some
	for _, seat := range seats[:wolves] {
		s.wolves = s.wolves.With(seat)
	}
	if seer {
		s.seer = seats[wolves]
	}
}

// past is what everybody knows of who died when.
type past struct {
	prey    game.SeatSet                // the pack's, so none of it
	alive   [2*MaxDays + 1]game.SeatSet // after each death
	deaths  int
	atNight [MaxDays]game.SeatSet // who was alive at the beginning of each night
	nights  int                   // that are over
}

func (r Rules) past(s *State) *past {
	p := &past{}
	alive := game.FirstSeats(int(s.n))
	p.atNight[0] = alive
	for e := range s.log.All() {
		switch e.kind {
		case died, eliminated:
			alive = alive.Without(e.seat)
			p.alive[p.deaths] = alive
			p.deaths++
		}
		switch e.kind {
		case died:
			p.prey = p.prey.With(e.seat)
			p.nights = int(e.day)
		case noKill:
			p.nights = int(e.day)
		}
		if int(e.day) < MaxDays {
			p.atNight[e.day] = alive
		}
	}
	return p
}

// allows reports whether the roles of s fit: no werewolf was killed at night, and no side had won before now.
func (p *past) allows(s *State) bool {
	if s.wolves&p.prey != 0 || s.wolves&s.tied != 0 || (s.wolves&s.alive).Len() < s.tied.Len() {
		return false
	}
	for _, alive := range p.alive[:p.deaths] {
		if wolves := s.wolves & alive; wolves == 0 || 2*wolves.Len() >= alive.Len() {
			return false
		}
	}
	return true
}

// look draws what the seer of s looked at in each night that it lived to see the end of, and tonight.
func (p *past) look(s *State, rnd *rand.Rand) {
	for i := range p.nights {
		s.peeks[i] = 0
		if awake := p.atNight[i]; awake.Has(s.seer) && s.kills[i] != shift(s.seer) {
			s.peeks[i] = shift(among(awake.Without(s.seer), rnd))
		}
	}
	s.peek = Nobody
	if s.phase == lot && s.alive.Has(s.seer) {
		s.peek = among(s.alive.Without(s.seer), rnd)
	}
}

// among draws a seat of a set, or Nobody.
func among(set game.SeatSet, rnd *rand.Rand) game.Seat {
	n := rnd.IntN(set.Len() + 1)
	if n == set.Len() {
		return Nobody
	}
	for range n {
		set &= set - 1
	}
	return set.First()
}
