package house

import (
	"math/bits"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// How likely the reasoner holds what others do, given their roles.
const (
	packVote     = 0.4   // a werewolf votes for one of its pack so much less often than for another seat
	wolfClaims   = 0.08  // a werewolf says that it is the seer
	villagerLies = 0.004 // a villager does
	seerErrs     = 1e-4  // the seer says what is not so
	seerClaims   = 0.5   // the seer says that it is
)

// belief is how likely each seat is a werewolf, and the seer, in millionths: whole numbers, so that seats that look alike compare equal.
type belief struct {
	wolf, seer [werewolf.MaxSeats]int32
}

// limits are what is known for sure.
type limits struct {
	wolves, others game.SeatSet // known to be werewolves, and known to be none
	seer, notSeer  game.SeatSet
}

// public is what everybody knows.
func (e *evidence) public() limits {
	return limits{
		wolves: e.revealed[0], others: e.revealed[1] | e.revealed[2] | e.prey,
		seer: e.revealed[1], notSeer: e.revealed[0] | e.revealed[2],
	}
}

// own is what this seat knows.
func (e *evidence) own() limits {
	l := e.public()
	if e.role == werewolf.Werewolf {
		l.wolves, l.others = e.pack, game.FirstSeats(e.n)&^e.pack
		return l
	}
	l.wolves |= e.seen
	l.others = (l.others | e.cleared).With(e.me)
	if e.role == werewolf.Seer {
		l.seer = game.Seats(e.me)
	} else {
		l.notSeer = l.notSeer.With(e.me)
	}
	return l
}

// believe weighs every deal that the limits allow by how likely it makes the votes and the claims (Bayes), with all deals equally likely before.
// It looks at 5,460 deals at most, those of 15 seats.
func (e *evidence) believe(l limits) (b belief) {
	var wolf, seer [werewolf.MaxSeats]float64
	total := 0.0
	claimants := e.claimants()
	e.eachPack(l, func(pack game.SeatSet) {
		w := e.votesGiven(pack)
		for c := range claimants.All() {
			w = float64(w * claimGiven(pack.Has(c)))
		}
		sum := 0.0
		for s := range (game.FirstSeats(e.n) &^ pack &^ l.notSeer).All() {
			if l.seer != 0 && !l.seer.Has(s) {
				continue
			}
			p := float64(w * e.seerGiven(s, pack))
			seer[s] += p
			sum += p
		}
		for s := range pack.All() {
			wolf[s] += sum
		}
		total += sum
	})
	if total > 0 {
		for i := range e.n {
			b.wolf[i] = int32(float64(1e6*(wolf[i]/total)) + 0.5)
			b.seer[i] = int32(float64(1e6*(seer[i]/total)) + 0.5)
		}
	}
	return b
}

// eachPack visits each set of werewolves that the limits allow, in a fixed order, if the match would go on with it.
func (e *evidence) eachPack(l limits, visit func(game.SeatSet)) {
	for x := uint64(1)<<e.wolves - 1; x < 1<<e.n; {
		pack := game.SeatSet(x)
		if living := (pack & e.alive).Len(); pack&l.others == 0 && l.wolves&^pack == 0 && living > 0 && 2*living < e.alive.Len() {
			visit(pack)
		}
		// The next larger number with as many bits (Gosper).
		low := x & -x
		up := x + low
		x = up | (x^up)>>2>>bits.TrailingZeros64(low)
	}
}

// votesGiven is how likely a pack makes the votes, as a multiple of what votes at random would be.
func (e *evidence) votesGiven(pack game.SeatSet) float64 {
	w := 1.0
	for i := range e.ballots {
		b := &e.ballots[i]
		if !pack.Has(b.voter) {
			continue
		}
		mates := float64((pack & b.alive).Len() - 1)
		choices := float64(b.alive.Len() - 1)
		w = float64(w*choices) / (choices - float64((1-packVote)*mates))
		if pack.Has(b.target) {
			w = float64(w * packVote)
		}
	}
	return w
}

// claimants are the seats that said they were the seer.
func (e *evidence) claimants() (set game.SeatSet) {
	for i := range e.n {
		if e.claims[i].made {
			set = set.With(game.Seat(i))
		}
	}
	return set
}

// claimGiven is how likely somebody who is not the seer claims to be.
func claimGiven(wolf bool) float64 {
	if wolf {
		return wolfClaims
	}
	return villagerLies
}

// seerGiven is how likely seat s, if it is the seer beside this pack, makes what it claims, as a multiple of what it would be if s was a villager.
func (e *evidence) seerGiven(s game.Seat, pack game.SeatSet) float64 {
	c := e.claims[s]
	switch {
	case !c.made:
		return 1 - seerClaims
	case c.contradicts() || c.wolves&^pack != 0 || c.cleared&pack != 0:
		return seerErrs / villagerLies
	}
	return seerClaims / villagerLies
}
