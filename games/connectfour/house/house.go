// Package house holds players of Connect Four for a host to offer: [Random], which anybody should beat, and [Decent], which a newcomer will
// not. Like any other player they know of a match what their [referee.Request] shows them. They keep nothing between requests, so that one
// player may sit on any number of seats of any number of matches at once, and all their chance comes from the request: the same match plays
// the same way again.
//
// They answer where they are called, as [referee.Inline] players: in under a millisecond with the default options.
package house

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/referee"
)

// Names gives the names that [ByName] knows, the weakest player first. The list is the caller's.
func Names() []string { return []string{"random", "decent"} }

// ByName gives the player of a name, with its default options. The error of an unknown name lists those there are.
func ByName(name string) (referee.Player, error) {
	switch name {
	case "random":
		return Random(), nil
	case "decent":
		return Decent(Options{})
	}
	return nil, fmt.Errorf("house: there is no player %q: there are %s", name, strings.Join(Names(), ", "))
}

// Random gives a player that picks any legal column, each as likely as the others. It asks for nothing of Connect Four, and so plays every
// game in which some move is listed whenever the seat is asked.
func Random() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		legal := r.Listed()
		if len(legal) == 0 {
			return misplaced("no move is listed")
		}
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
	})
}

// misplaced is the answer of a player that cannot play this match at all: it forfeits, and the detail of the fault says why.
func misplaced(why string) referee.Answer {
	return referee.Answer{Fault: referee.BadProtocol, Detail: "house: " + why}
}
