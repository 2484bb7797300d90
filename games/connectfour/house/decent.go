package house

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// Bounds of [Options].
const (
	DefaultConnect = 4
	DefaultNodes   = 4_000
	MinNodes       = 300 // enough for two plies on the widest board
	MaxNodes       = 100_000
)

// Options set up [Decent]. The zero value is for the usual rules and a quick answer.
type Options struct {
	// Connect is how many discs in a line the player takes for a win: the ruleset's number, which no view tells. It sees the size of the board
	// by itself. 3 to 16; 0: DefaultConnect. With another number than the ruleset's it plays on, legally and badly.
	Connect int
	// Nodes is how many positions it looks at for one move, which bounds its time: some tens of nanoseconds each. MinNodes to MaxNodes;
	// 0: DefaultNodes.
	Nodes int
}

func (o Options) validate() error {
	var errs []error
	if o.Connect != 0 && (o.Connect < 3 || o.Connect > 16) {
		errs = append(errs, fmt.Errorf("house: Connect: %d, not 0 or 3 to 16", o.Connect))
	}
	if o.Nodes != 0 && (o.Nodes < MinNodes || o.Nodes > MaxNodes) {
		errs = append(errs, fmt.Errorf("house: Nodes: %d, not 0 or %d to %d", o.Nodes, MinNodes, MaxNodes))
	}
	return errors.Join(errs...)
}

// Decent gives a player that wins where it can at once, else stops a win of its opponent's next move, else looks ahead as far as its nodes last
// and prefers cells that many lines run through. Moves that look equally good to it are chosen among by lot. It plays on boards of every size;
// seated at another game it answers with the fault Internal, which voids the match. The error names each option out of its range.
func Decent(o Options) (referee.Player, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Connect == 0 {
		o.Connect = DefaultConnect
	}
	if o.Nodes == 0 {
		o.Nodes = DefaultNodes
	}
	return referee.Inline(func(r *referee.Request) referee.Answer {
		v, ok := r.View().(connectfour.View)
		if !ok {
			return misplaced("this is not Connect Four")
		}
		column, err := o.choose(v, r.Rand().Perm)
		if err != nil {
			return misplaced(err.Error())
		}
		return referee.Answer{Action: game.Action(strconv.Itoa(column))}
	}), nil
}

// choose gives a column. perm gives a permutation of the numbers below n, by lot.
func (o Options) choose(v connectfour.View, perm func(n int) []int) (int, error) {
	rules := connectfour.Rules{Rows: len(v.Board), Connect: o.Connect}
	if rules.Rows > 0 {
		rules.Columns = len(v.Board[0])
	}
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
