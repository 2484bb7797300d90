package house

import (
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
)

// won is the value of a win now; one so many plies away is worth so much less. No sum of weights comes near.
const won = 1 << 20

// search looks ahead by alpha-beta in negamax form (Knuth and Moore 1975), one ply deeper each time until its nodes are used up. Positions are
// those of the rules themselves.
type search struct {
	rules  connectfour.Rules
	cells  int
	left   int         // nodes
	order  []int       // columns, those in the middle first
	weight [16][16]int // by column and row: how many lines of the winning length run through the cell
	height [16]int     // discs in each column
	ply    int
	lead   int // weights of the side to move, less those of the other
	root   connectfour.State
}

// newSearch is about the position after the columns of history.
func newSearch(rules connectfour.Rules, history []int, nodes int) *search {
	x := &search{rules: rules, cells: rules.Columns * rules.Rows, left: nodes}
	for c := range rules.Columns {
		x.order = append(x.order, c)
		for r := range rules.Rows {
			for _, d := range [...]struct{ c, r int }{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				x.addLine(c, r, d.c, d.r)
			}
		}
	}
	fromMiddle := func(c int) int { return max(2*c-rules.Columns+1, rules.Columns-1-2*c) }
	slices.SortStableFunc(x.order, func(a, b int) int { return fromMiddle(a) - fromMiddle(b) })
	for _, column := range history {
		x.play(&x.root, column)
	}
	return x
}

// addLine counts the line that starts at a cell for each of its cells, if it ends on the board.
func (x *search) addLine(c, r, dc, dr int) {
	n := x.rules.Connect
	endC, endR := c+(n-1)*dc, r+(n-1)*dr
	if endC >= x.rules.Columns || endR >= x.rules.Rows || endR < 0 {
		return
	}
	for i := range n {
		x.weight[c+i*dc][r+i*dr]++
	}
}

// play drops a disc for the side to move, and keeps the books.
func (x *search) play(s *connectfour.State, column int) {
	x.rules.Apply(s, []game.Move[int]{{Action: column}})
	x.lead = -(x.lead + x.weight[column][x.height[column]])
	x.height[column]++
	x.ply++
}

// undo puts the books back to before the newest disc, that of column.
func (x *search) undo(column int) {
	x.ply--
	x.height[column]--
	x.lead = -x.lead - x.weight[column][x.height[column]]
}

// wins drops a disc into s, without the books, and tells whether it wins.
func (x *search) wins(s *connectfour.State, column int) bool {
	x.rules.Apply(s, []game.Move[int]{{Action: column}})
	return x.rules.Turn(s).Over() && x.rules.Outcome(s).Reason == "connect"
}

// best gives the best of columns, all legal. Of equal ones the first counts.
func (x *search) best(columns []int) int {
	for depth := 1; depth <= x.cells-x.ply; depth++ {
		at, value := 0, -won-1
		for i, column := range columns {
			v := x.drop(&x.root, column, depth, -won, -value)
			if x.left < 0 {
				return columns[0] // of the last depth that was finished
			}
			if v > value {
				at, value = i, v
			}
		}
		first := columns[at]
		copy(columns[1:at+1], columns[:at])
		columns[0] = first
		if value > won/2 || value < -won/2 {
			break // nothing deeper changes that
		}
	}
	return columns[0]
}

// drop gives the value of dropping a disc, for who drops it. alpha and beta are the bounds of its opponent.
func (x *search) drop(s *connectfour.State, column, depth, alpha, beta int) int {
	x.left--
	next := *s
	x.play(&next, column)
	defer x.undo(column)
	switch {
	case x.rules.Turn(&next).Over():
		if x.ply == x.cells && x.rules.Outcome(&next).Reason == "full" {
			return 0
		}
		return won - x.ply
	case depth <= 1 || x.left < 0:
		return -x.lead
	}
	for _, c := range x.order {
		if x.height[c] == x.rules.Rows {
			continue
		}
		alpha = max(alpha, x.drop(&next, c, depth-1, -beta, -alpha))
		if alpha >= beta {
			break
		}
	}
	return -alpha
}
