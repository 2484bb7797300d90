// Package house holds players of Werewolf for a host to offer: [Random], which does anything, and [Reasoner], which goes by what it has seen.
// Like any other player they know of a match what their [referee.Request] shows them. They keep nothing between requests, so that one
// player may sit on any number of seats of any number of matches at once, and all their chance comes from the request: the same match plays
// the same way again.
//
// They answer where they are called, as [referee.Inline] players: in well under a millisecond.
package house

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// Names gives the names that [ByName] knows, the weakest player first. The list is the caller's.
func Names() []string { return []string{"random", "reasoner"} }

// ByName gives the player of a name. The error of an unknown name lists those there are.
func ByName(name string) (referee.Player, error) {
	switch name {
	case "random":
		return Random(), nil
	case "reasoner":
		return Reasoner(), nil
	}
	return nil, fmt.Errorf("house: there is no player %q: there are %s", name, strings.Join(Names(), ", "))
}

// smallTalk is what Random says, besides nothing: words that accuse nobody.
var smallTalk = [...]game.Action{
	`{"text":"Good morning.","type":"say"}`,
	`{"text":"I have nothing to tell yet.","type":"say"}`,
	`{"text":"I am no werewolf.","type":"say"}`,
	`{"text":"Let us hear the others.","type":"say"}`,
}

// Random gives a player that does anything legal, each listed action as likely as the others; when it is to speak it is silent or makes small talk.
func Random() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		legal := r.Listed()
		if len(legal) == 0 {
			return misplaced("no move is listed")
		}
		if len(legal) > 1 {
			return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
		}
		if r.Info().Name != (werewolf.Rules{}).Info().Name {
			return referee.Answer{Action: legal[0]}
		}
		if i := r.Rand().IntN(2 * len(smallTalk)); i < len(smallTalk) && r.Form() != nil {
			return referee.Answer{Action: smallTalk[i]}
		}
		return referee.Answer{Action: legal[0]}
	})
}

// misplaced is the answer of a player that cannot play this match at all: it forfeits, and the detail of the fault says why.
func misplaced(why string) referee.Answer {
	return referee.Answer{Fault: referee.BadProtocol, Detail: "house: " + why}
}
