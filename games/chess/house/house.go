// Package house holds players of chess for a host to offer, the weakest first: [Random], which anybody should beat; [Easy], which sees little
// more than what can be taken next; and [Hard], a small searching program, which a casual player will not beat. Like any other player they know of
// a match what their [referee.Request] shows them. One player may sit on any number of seats of any number of matches at once. They keep
// nothing between requests, and all their chance comes from the request: the same match plays the same way again.
//
// Random answers where it is called, as a [referee.Inline] player. The others are a [referee.Func], and stop when the context of their
// request ends.
package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/referee"
)

// Names gives the names that [ByName] knows, the weakest player first. The list is the caller's.
func Names() []string { return []string{"random", "easy", "hard"} }

// ByName gives the player of a name, with its default options. The error of an unknown name lists those there are.
func ByName(name string) (referee.Player, error) {
	switch name {
	case "random":
		return Random(), nil
	case "easy":
		return Easy(), nil
	case "hard":
		return Hard(Options{})
	}
	return nil, fmt.Errorf("house: there is no player %q: there are %s", name, strings.Join(Names(), ", "))
}

// Random gives a player that picks any legal move, each as likely as the others. It asks for nothing of chess, and so plays every game in
// which some move is listed whenever the seat is asked.
func Random() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		legal := r.Listed()
		if len(legal) == 0 {
			return misplaced(errors.New("no move is listed"))
		}
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
	})
}

// misplaced is the answer of a player that cannot play this match at all: it forfeits, and the detail of the fault says why.
func misplaced(why error) referee.Answer {
	return referee.Answer{Fault: referee.BadProtocol, Detail: "house: " + why.Error()}
}

// position is what a request shows of a match of chess.
func position(r *referee.Request) (chess.Rules, chess.Position, []chess.Move, error) {
	var rules chess.Rules
	v, ok := r.View().(chess.View)
	if !ok {
		return rules, chess.Position{}, nil, errors.New("this is not chess")
	}
	if err := json.Unmarshal(r.Ruleset(), &rules); err != nil {
		return rules, chess.Position{}, nil, err
	}
	p, err := chess.ParseFEN(v.FEN)
	return rules, p, v.MoveHistoryUCI, err
}
