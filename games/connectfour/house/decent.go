package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// Bounds of [Options].
const (
	DefaultNodes = 4_000
	MinNodes     = 300 // enough for two plies on the widest board
	MaxNodes     = 100_000
)

// Options set up [Decent]. The zero value is for the usual rules and a quick answer.
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

// Decent gives a player that wins where it can at once, else stops a win of its opponent's next move, else looks ahead as far as its nodes last
// and prefers cells that many lines run through. Moves that look equally good to it are chosen among by lot. It plays every ruleset;
// seated at another game it forfeits. The error names an option out of its range.
func Decent(o Options) (referee.Player, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Nodes == 0 {
		o.Nodes = DefaultNodes
	}
	return referee.Inline(func(r *referee.Request) referee.Answer {
		v, ok := r.View().(connectfour.View)
		if !ok {
			return misplaced("this is not Connect Four")
		}
		var rules connectfour.Rules
		if err := json.Unmarshal(r.Ruleset(), &rules); err != nil {
			return misplaced(err.Error())
		}
		column, err := o.choose(rules, v, r.Rand().Perm)
		if err != nil {
			return misplaced(err.Error())
		}
		return referee.Answer{Action: game.Action(strconv.Itoa(column))}
	}), nil
}

// choose gives a column. perm gives a permutation of the numbers below n, by lot.
func (o Options) choose(rules connectfour.Rules, v connectfour.View, perm func(n int) []int) (int, error) {
	if err := rules.Validate(); err != nil {
		return 0, err
	}
	x := newSearch(rules, o.Nodes)
	for _, column := range v.MoveHistory {
		x.play(&x.root, column)
	}
	legal := rules.Legal(nil, &x.root, 0)
	if len(legal) == 0 {
		return 0, errors.New("no column is open")
	}
	for _, column := range legal {
		if s := x.root; x.wins(&s, column) {
			return column, nil
		}
	}
	for i, column := range legal {
		// The opponent's turn comes after a disc in any other column, which cannot spoil this one for it.
		s, other := x.root, legal[(i+1)%len(legal)]
		if other != column {
			rules.Apply(&s, []game.Move[int]{{Action: other}})
			if x.wins(&s, column) {
				return column, nil
			}
		}
	}
	order := make([]int, 0, len(legal))
	for _, i := range perm(len(legal)) {
		order = append(order, legal[i])
	}
	return x.best(order), nil
}
