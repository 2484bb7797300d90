package house

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// Claim is what was understood of a text.
type Claim struct {
	OK              bool
	Wolves, Cleared game.SeatSet
}

// Hear is hear.
func Hear(text string, n int) Claim {
	c, ok := hear(text, n)
	return Claim{ok, c.wolves, c.cleared}
}

// Says writes a claim.
func Says(wolves, cleared game.SeatSet) string { return claim{wolves: wolves, cleared: cleared}.says() }

// Believe gives what a view makes the reasoner believe, in millionths: who is a werewolf, and who the seer; by what the seat knows, or by
// what everybody does.
func Believe(v werewolf.View, public bool) (wolf, seer [werewolf.MaxSeats]int32) {
	e, _ := read(&v)
	l := e.own()
	if public {
		l = e.public()
	}
	b := e.believe(l)
	return b.wolf, b.seer
}

// Choose gives the action that a view makes the reasoner take; at night it takes of seats that look alike the lowest, where else chance decides.
func Choose(v werewolf.View) werewolf.Action {
	e, _ := read(&v)
	if v.Phase == "night_action" {
		e.line(0)
	}
	return e.choose(v.Phase)
}

// What the reasoner takes for likely.
const (
	PackVote     = packVote
	WolfClaims   = wolfClaims
	VillagerLies = villagerLies
	SeerErrs     = seerErrs
	SeerClaims   = seerClaims
)
