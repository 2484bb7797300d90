package house

import (
	"encoding/json"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// Reasoner gives a player that weighs all deals by what it has seen: revealed roles, who was killed, who voted for whom, who claimed to be the
// seer and said what, and what its own role tells it.
//
// As a villager it votes for whom it believes most likely to be a werewolf, once it is convinced or little time is left. As the seer it looks at
// the likeliest, and tells what it saw once that helps more than it costs. As a werewolf it kills who looks most like the seer and accuses a seer
// that accuses it; where others vote without cause it votes, as its packmates do, for whom they suspect most outside the pack, and else keeps
// as quiet as they do.
//
// Of what others say it understands claims in its own words alone ("I am the seer: 3 is a werewolf; 5 is no werewolf."). Seated at another game
// it forfeits.
func Reasoner() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		v, ok := r.View().(werewolf.View)
		if !ok {
			return misplaced("this is not Werewolf")
		}
		e, ok := read(&v)
		if !ok {
			return misplaced("no role is held")
		}
		if v.Phase == "night_action" { // who chose by what others know would tell them something, and meet them at the same seat
			r.Rand().Shuffle(e.n, func(i, k int) { e.order[i], e.order[k] = e.order[k], e.order[i] })
		}
		data, err := json.Marshal(e.choose(v.Phase))
		if err != nil {
			return misplaced(err.Error())
		}
		return referee.Answer{Action: game.Action(data)}
	})
}

// choose gives the action for a phase.
func (e *evidence) choose(phase string) werewolf.Action {
	switch {
	case phase == "day_discussion":
		return werewolf.Action{Type: werewolf.Say, Text: e.speech()}
	case phase == "day_vote":
		return werewolf.Action{Type: werewolf.Vote, Target: e.suspect()}
	case e.role == werewolf.Werewolf:
		return werewolf.Action{Type: werewolf.Kill, Target: e.victim()}
	}
	return werewolf.Action{Type: werewolf.Peek, Target: e.curious()}
}

// best is the seat of a set that is better than all before it in e.order; Nobody of an empty set.
func (e *evidence) best(set game.SeatSet, better func(a, b game.Seat) bool) game.Seat {
	found := werewolf.Nobody
	for _, seat := range e.order[:e.n] {
		if set.Has(seat) && (found == werewolf.Nobody || better(seat, found)) {
			found = seat
		}
	}
	return found
}

// convinced is how likely a werewolf a seat must be, in millionths, for the reasoner to vote for it while there is time to wait and see.
const convinced = 400_000

// suspect is whom the seat votes for, if anybody. Villagers who have time put nobody out by guesswork: each night tells more.
func (e *evidence) suspect() game.Seat {
	candidates, limits, waits := e.alive.Without(e.me), e.own(), e.alive.Len() > 2*e.left()+2
	if e.role == werewolf.Werewolf {
		// Who alone votes without cause gives itself away; where all do, the pack's votes together decide.
		candidates, limits, waits = e.alive&^e.pack, e.public(), e.isQuiet()
	}
	b := e.believe(limits)
	s := e.best(candidates, func(x, y game.Seat) bool { return b.wolf[x] > b.wolf[y] })
	if s != werewolf.Nobody && waits && b.wolf[s] < convinced {
		return werewolf.Nobody
	}
	return s
}

// left is how many werewolves may live: those dealt less those known to be dead.
func (e *evidence) left() int { return e.wolves - e.revealed[0].Len() }

// isQuiet reports whether those outside the pack abstained more often than not, or have not voted yet.
func (e *evidence) isQuiet() bool { return 2*e.cast <= e.asked }

// victim is whom a werewolf kills: who looks most like the seer, and among equals whom nobody suspects.
func (e *evidence) victim() game.Seat {
	b := e.believe(e.public())
	return e.best(e.alive&^e.pack, func(x, y game.Seat) bool {
		return b.seer[x] > b.seer[y] || b.seer[x] == b.seer[y] && b.wolf[x] < b.wolf[y]
	})
}

// curious is whom the seer looks at: the likeliest werewolf of those whom it does not know.
func (e *evidence) curious() game.Seat {
	b := e.believe(e.own())
	return e.best(e.alive.Without(e.me)&^e.seen&^e.cleared, func(x, y game.Seat) bool { return b.wolf[x] > b.wolf[y] })
}

// speech is what the seat says.
func (e *evidence) speech() string {
	switch e.role {
	case werewolf.Seer:
		if e.tells() {
			return claim{wolves: e.seen, cleared: e.cleared}.says()
		}
	case werewolf.Werewolf:
		if accuser := e.accuser(); accuser != werewolf.Nobody {
			return claim{wolves: game.Seats(accuser)}.says()
		}
	}
	if s := e.suspect(); s != werewolf.Nobody {
		return suspectSeat + strconv.Itoa(int(s)) + "."
	}
	return ""
}

// tells reports whether the seer speaks up: it knows a living werewolf, it has spoken up before, or the end is near.
func (e *evidence) tells() bool {
	if e.seen&e.alive != 0 || e.claims[e.me].made {
		return true
	}
	return e.alive.Len() <= 2*e.left()+3 && e.seen|e.cleared != 0
}

// accuser is a living seat that claims to be the seer and calls this one a werewolf; Nobody where there is none.
func (e *evidence) accuser() game.Seat {
	for s := range (e.alive &^ e.pack).All() {
		if c := e.claims[s]; c.made && c.wolves.Has(e.me) {
			return s
		}
	}
	return werewolf.Nobody
}
