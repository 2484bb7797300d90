package house

import (
	"context"

	"github.com/matchreferee/arena/games/chess"
)

const (
	maxPly    = 128       // the deepest that a search goes
	maxDepth  = 64        // its deepest iteration, before extensions
	mated     = 30_000    // the value of having mated; so many plies away it is worth so much less
	infinite  = mated + 1 // more than any value
	pollNodes = 1 << 8    // positions between two looks at the context
)

// search looks for the best move: iterative deepening over alpha-beta in negamax form (Knuth and Moore 1975) with principal variation
// search (Marsland and Campbell 1982), null moves (Beal 1989) and quiescence. Values are hundredths of a pawn, as the side to move
// sees them. It is for one search at a time, and may be used again.
type search struct {
	table   table
	ctx     context.Context
	left    int  // positions it may still look at
	stopped bool // no more positions, or the context has ended: values from then on mean nothing

	repetition int      // the occurrence of a position that draws
	clock      int      // plies without capture or pawn move that draw
	keys       []uint64 // of the positions before the root that count, of the root, and of those on the way to the present one
	root       int      // where the root's is

	killers [maxPly][2]chess.Move // by ply: quiet moves that refuted others
	history [2][64][64]int        // by side, from and to: how often quiet moves did, weighted by depth
	lists   [maxPly][]chess.Move  // by ply: moves
	weights [maxPly][]int         // and what they promise
}

func newSearch(tableBits int) *search { return &search{table: newTable(tableBits)} }

// begin readies x for the search of a position that came after those of the keys.
func (x *search) begin(ctx context.Context, nodes int, rules chess.Rules, keys []uint64) {
	x.table.renew()
	x.ctx, x.left, x.stopped = ctx, nodes, false
	x.repetition, x.clock = rules.Repetition, 2*rules.MoveLimit
	x.keys = append(x.keys[:0], keys...)
	x.killers, x.history = [maxPly][2]chess.Move{}, [2][64][64]int{}
}

// best gives the best of the legal moves, and its value as far as it was found. Of moves that look equal the first in legal counts; it
// changes the order of legal.
func (x *search) best(p chess.Position, legal []chess.Move) (move chess.Move, value int) {
	x.root = len(x.keys)
	x.keys = append(x.keys, p.Key())
	for depth := 1; depth <= maxDepth; depth++ {
		alpha := -infinite
		for i, m := range legal {
			v := x.move(&p, m, depth, 0, alpha, infinite, i > 0)
			if x.stopped {
				break
			}
			if v > alpha {
				alpha = v
				copy(legal[1:i+1], legal[:i])
				legal[0] = m
			}
		}
		if alpha > -infinite {
			value = alpha
		}
		if x.stopped || len(legal) == 1 || abs(alpha) >= mated-depth {
			break // that mate is the shortest; or there is nothing to choose
		}
	}
	return legal[0], value
}

// move gives the value of a move for who makes it. late says that an earlier one raised alpha: it is worth finding out first whether this
// one does.
func (x *search) move(p *chess.Position, m chess.Move, depth, ply, alpha, beta int, late bool) int {
	next := *p
	next.Play(m)
	x.keys = append(x.keys, next.Key())
	v := alpha + 1
	if late {
		v = -x.value(&next, depth-1, ply+1, -alpha-1, -alpha, true)
	}
	if v > alpha && (!late || v < beta) {
		v = -x.value(&next, depth-1, ply+1, -beta, -alpha, true)
	}
	x.keys = x.keys[:len(x.keys)-1]
	return v
}

// spend counts a position, and tells whether the search is to stop.
func (x *search) spend() bool {
	if x.left--; x.left <= 0 || x.left%pollNodes == 0 && x.ctx.Err() != nil {
		x.stopped = true
	}
	return x.stopped
}

// value gives the value of p, searched to depth, where it is between alpha and beta; else a bound of it. null allows a null move.
func (x *search) value(p *chess.Position, depth, ply, alpha, beta int, null bool) int {
	check := p.InCheck()
	if x.drawn(p, check) {
		return 0
	}
	if check {
		depth++
	}
	if depth <= 0 || ply >= maxPly-1 {
		return x.quiet(p, ply, alpha, beta)
	}
	if x.spend() {
		return alpha
	}
	// No mate is nearer than the next ply's.
	alpha, beta = max(alpha, ply-mated), min(beta, mated-ply-1)
	if alpha >= beta {
		return alpha
	}
	e, known := x.table.get(p.Key())
	if known && int(e.depth) >= depth {
		v := fromRoot(int(e.score), ply)
		if e.bound == exact || e.bound == atLeast && v >= beta || e.bound == atMost && v <= alpha {
			return v
		}
	}
	if null && !check && depth >= 3 && beta < mated-maxPly && pieces(p, p.SideToMove()) && evaluate(p) >= beta {
		next := *p
		next.Pass()
		x.keys = append(x.keys, next.Key())
		v := -x.value(&next, depth-3, ply+1, -beta, -beta+1, false)
		x.keys = x.keys[:len(x.keys)-1]
		if v >= beta && !x.stopped {
			return min(v, mated-maxPly-1) // no mate is proved by it
		}
	}
	x.lists[ply] = p.Legal(x.lists[ply][:0])
	list := x.lists[ply]
	if len(list) == 0 {
		return mateOrStalemate(check, ply)
	}
	best, choice, b := -infinite, chess.NoMove, atMost
	x.weigh(p, ply, e.move)
	for i := range list {
		m := x.pick(ply, i)
		v := x.move(p, m, depth, ply, alpha, beta, best > -infinite)
		if x.stopped {
			return alpha
		}
		if v <= best {
			continue
		}
		best = v
		if v > alpha {
			alpha, choice, b = v, m, exact
		}
		if v >= beta {
			b = atLeast
			x.reward(p, m, depth, ply)
			break
		}
	}
	x.table.put(p.Key(), choice, best, depth, ply, b)
	return best
}

func mateOrStalemate(check bool, ply int) int {
	if check {
		return ply - mated
	}
	return 0
}

// drawn tells whether p, whose key is the last, ends the game as a draw or might as well: a position that came up in this search already
// would come up again.
func (x *search) drawn(p *chess.Position, check bool) bool {
	if p.InsufficientMaterial() {
		return true
	}
	if p.HalfmoveClock() >= x.clock && (!check || p.HasLegal()) {
		return true
	}
	last := len(x.keys) - 1
	before := 0
	for i := last - 2; i >= max(0, last-p.HalfmoveClock()); i -= 2 {
		if x.keys[i] != x.keys[last] {
			continue
		}
		if before++; i >= x.root || before == x.repetition-1 {
			return true
		}
	}
	return false
}

// pieces tells whether a side has more than its king and pawns.
func pieces(p *chess.Position, c chess.Color) bool {
	return p.By(c)&^p.Of(chess.Pawn)&^p.Of(chess.King) != 0
}
