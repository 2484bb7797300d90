package house

import "github.com/matchreferee/arena/games/chess"

// Classes of moves, by what they promise: the table's first, then captures and promotions to a queen, killers, and the rest by history.
const (
	ofTable   = 1 << 30
	ofCapture = 1 << 28
	ofKiller  = 1 << 27
	ofHistory = 1 << 26 // history stays below
	unlikely  = -1 << 20
)

// weigh judges the moves of a ply's list. first is the table's move, if any.
func (x *search) weigh(p *chess.Position, ply int, first chess.Move) {
	list := x.lists[ply]
	weights := x.weights[ply][:0]
	for _, m := range list {
		weights = append(weights, x.weight(p, ply, m, first))
	}
	x.weights[ply] = weights
}

func (x *search) weight(p *chess.Position, ply int, m, first chess.Move) int {
	victim, promotion := p.Captured(m).Kind(), m.Promotion()
	switch {
	case m == first:
		return ofTable
	case promotion != chess.NoKind && promotion != chess.Queen:
		return unlikely
	case victim != chess.NoKind || promotion != chess.NoKind: // most valuable victim, least valuable attacker
		return ofCapture + 16*(value[victim]+promotes(m)) - value[p.PieceAt(m.From()).Kind()]/16
	case m == x.killers[ply][0]:
		return ofKiller + 1
	case m == x.killers[ply][1]:
		return ofKiller
	}
	return x.history[p.SideToMove()][m.From()][m.To()]
}

// pick brings the most promising of the moves from i on to i.
func (x *search) pick(ply, i int) chess.Move {
	list, weights := x.lists[ply], x.weights[ply]
	at := i
	for j := i + 1; j < len(list); j++ {
		if weights[j] > weights[at] {
			at = j
		}
	}
	list[i], list[at] = list[at], list[i]
	weights[i], weights[at] = weights[at], weights[i]
	return list[i]
}

// reward remembers a quiet move that was enough against the one before it.
func (x *search) reward(p *chess.Position, m chess.Move, depth, ply int) {
	if p.Captured(m) != 0 || m.Promotion() != chess.NoKind {
		return
	}
	if k := &x.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	h := &x.history[p.SideToMove()][m.From()][m.To()]
	*h = min(*h+depth*depth, ofHistory)
}
