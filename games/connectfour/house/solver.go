package house

import (
	"context"
	"math/bits"
)

// A score says how a game ends if both sides play perfectly, the winner for the soonest end and the loser for the latest, as its side to
// move sees it: 0 for a draw, else 22 less the number of discs that the winner will have on the board, negative for a loss.
const (
	minScore = -cells/2 + 3 // the other side wins with its fourth disc
	maxScore = cells/2 - 3
)

// pollNodes is how many positions a solver looks at before it asks whether it should stop.
const pollNodes = 1 << 10

// solver finds exact scores: negamax with null windows over bitboards and a transposition table (see L. V. Allis, A Knowledge-based Approach
// of Connect-Four, 1988, for the game; the search is the ordinary one). It is for one search at a time.
type solver struct {
	table   *table
	ctx     context.Context
	left    int  // positions it may still look at
	stopped bool // no more positions, or the context has ended: what it gives from then on means nothing
}

// value gives the score of b where it is between alpha and beta, else a bound of it on the same side. The side to move has no win at once.
func (x *solver) value(b bitboard, alpha, beta int) int {
	if x.left--; x.left%pollNodes == 0 && (x.left <= 0 || x.ctx.Err() != nil) {
		x.stopped = true
	}
	if x.stopped {
		return alpha
	}
	discs := b.discs()
	moves := b.safe()
	if moves == 0 {
		return (discs - cells) / 2 // the other side wins with its next disc, or the board is full
	}
	if discs >= cells-2 {
		return 0 // neither of the last two discs wins
	}
	if least := (discs - cells + 2) / 2; least > alpha { // the other side wins no sooner than with its disc after the next
		if alpha = least; alpha >= beta {
			return alpha
		}
	}
	most := (cells - 1 - discs) / 2 // nor does this one before its next but one
	key := b.key()
	low, high := x.table.get(key)
	if low > alpha {
		if alpha = low; alpha >= beta {
			return alpha
		}
	}
	if most = min(most, high); most < beta {
		if beta = most; alpha >= beta {
			return beta
		}
	}
	var list [columns]uint64
	for _, cell := range order(b, moves, &list) {
		v := -x.value(b.drop(cell), -beta, -alpha)
		if x.stopped {
			return alpha
		}
		if v >= beta {
			x.table.put(key, v, atLeast)
			return v
		}
		alpha = max(alpha, v)
	}
	x.table.put(key, alpha, atMost)
	return alpha
}

// order lists the cells of moves, those that make most winning cells first, and of equal ones those nearer to the middle. It uses list.
func order(b bitboard, moves uint64, list *[columns]uint64) []uint64 {
	var weight [columns]int
	n := 0
	for _, c := range middleOut {
		cell := moves & column(c)
		if cell == 0 {
			continue
		}
		w := bits.OnesCount64(fourths(b.mine|cell) &^ (b.full | cell))
		i := n
		for ; i > 0 && weight[i-1] < w; i-- {
			weight[i], list[i] = weight[i-1], list[i-1]
		}
		weight[i], list[i] = w, cell
		n++
	}
	return list[:n]
}

var middleOut = [columns]int{3, 2, 4, 1, 5, 0, 6}
