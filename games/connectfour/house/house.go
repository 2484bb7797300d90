// Package house holds players of Connect Four for a host to offer, the weakest first: [Random], which anybody should beat; [Easy], which sees
// one move ahead; [Hard], which a newcomer will not beat; and [Perfect], which on the usual board plays the exact best move from the
// fifteenth disc on. Like any other player they know of a match what their [referee.Request] shows them. One player may sit on any number of
// seats of any number of matches at once. They keep nothing between requests, and all their chance comes from the request: the same match
// plays the same way again.
//
// Random, Easy and Hard answer where they are called, as [referee.Inline] players, Hard in a few milliseconds with the default options.
// Perfect is a [referee.Func]: it may think for a second, and stops when the context of its request ends.
package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// Names gives the names that [ByName] knows, the weakest player first. The list is the caller's.
func Names() []string { return []string{"random", "easy", "hard", "perfect"} }

// ByName gives the player of a name, with its default options. The error of an unknown name lists those there are.
func ByName(name string) (referee.Player, error) {
	switch name {
	case "random":
		return Random(), nil
	case "easy":
		return Easy(), nil
	case "hard":
		return Hard(Options{})
	case "perfect":
		return Perfect(PerfectOptions{})
	}
	return nil, fmt.Errorf("house: there is no player %q: there are %s", name, strings.Join(Names(), ", "))
}

// Random gives a player that picks any legal column, each as likely as the others. It asks for nothing of Connect Four, and so plays every
// game in which some move is listed whenever the seat is asked.
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

// position is what a request shows of a match of Connect Four: the ruleset and the columns played so far.
func position(r *referee.Request) (connectfour.Rules, []int, error) {
	var rules connectfour.Rules
	v, ok := r.View().(connectfour.View)
	if !ok {
		return rules, nil, errors.New("this is not Connect Four")
	}
	if err := json.Unmarshal(r.Ruleset(), &rules); err != nil {
		return rules, nil, err
	}
	return rules, v.MoveHistory, rules.Validate()
}

// drop is the answer that plays a column.
func drop(column int) referee.Answer {
	return referee.Answer{Action: game.Action(strconv.Itoa(column))}
}
