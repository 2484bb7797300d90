package house

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// Bounds of [Options].
const (
	DefaultNodes = 20_000
	MinNodes     = 300 // enough for two plies on the widest board
	MaxNodes     = 100_000
)

// Options set up [Hard]. The zero value is for the usual rules and a quick answer.
type Options struct {
	// Nodes is how many positions it looks at for one move, which bounds its time: some tens of nanoseconds each. MinNodes to MaxNodes;
	// 0: DefaultNodes.
	Nodes int
}

func (o Options) validate() error {
	if o.Nodes != 0 && (o.Nodes < MinNodes || o.Nodes > MaxNodes) {
		return fmt.Errorf("house: Nodes: %d, not 0 or %d to %d", o.Nodes, MinNodes, MaxNodes)
	}
	return nil
}

// Easy gives a player that wins where it can at once, else stops a win of its opponent's next move, else picks any column. It plays every
// ruleset; seated at another game it forfeits.
func Easy() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		rules, history, err := position(r)
		if err != nil {
			return misplaced(err)
		}
		x := newSearch(rules, history, 0)
		legal, column, ok := x.forced()
		switch {
		case len(legal) == 0:
			return misplaced(errFull)
		case !ok:
			column = legal[r.Rand().IntN(len(legal))]
		}
		return drop(column)
	})
}

// Hard gives a player that wins where it can at once, else stops a win of its opponent's next move, else looks ahead as far as its nodes last
// and prefers cells that many lines run through. Moves that look equally good to it are chosen among by lot. It plays every ruleset;
// seated at another game it forfeits. The error names an option out of its range.
func Hard(o Options) (referee.Player, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Nodes == 0 {
		o.Nodes = DefaultNodes
	}
	return referee.Inline(func(r *referee.Request) referee.Answer {
		rules, history, err := position(r)
		if err != nil {
			return misplaced(err)
		}
		column, err := look(rules, history, o.Nodes, r.Rand().Perm)
		if err != nil {
			return misplaced(err)
		}
		return drop(column)
	}), nil
}

var errFull = errors.New("no column is open")

// look gives the column that a search of so many nodes finds best. perm gives a permutation of the numbers below n, by lot.
func look(rules connectfour.Rules, history []int, nodes int, perm func(n int) []int) (int, error) {
	x := newSearch(rules, history, nodes)
	legal, column, ok := x.forced()
	switch {
	case len(legal) == 0:
		return 0, errFull
	case ok:
		return column, nil
	}
	order := make([]int, 0, len(legal))
	for _, i := range perm(len(legal)) {
		order = append(order, legal[i])
	}
	return x.best(order), nil
}

// forced gives the legal columns and, if ok, the one that wins at once or else stops the opponent from it.
func (x *search) forced() (legal []int, column int, ok bool) {
	legal = x.rules.Legal(nil, &x.root, 0)
	for _, column := range legal {
		if s := x.root; x.wins(&s, column) {
			return legal, column, true
		}
	}
	for i, column := range legal {
		// The opponent's turn comes after a disc in any other column, which cannot spoil this one for it.
		s, other := x.root, legal[(i+1)%len(legal)]
		if other != column {
			x.rules.Apply(&s, []game.Move[int]{{Action: other}})
			if x.wins(&s, column) {
				return legal, column, true
			}
		}
	}
	return legal, 0, false
}
