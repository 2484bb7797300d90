package house

import "github.com/matchreferee/arena/games/chess"

// quiet gives the value of p once captures and promotions have run out (quiescence search): the side to move makes one or stands as it
// is. In check it has no such choice, and all moves are looked at. Each second ply at least takes or promotes something, so this ends.
func (x *search) quiet(p *chess.Position, ply, alpha, beta int) int {
	if x.spend() {
		return alpha
	}
	check := p.InCheck()
	best := -infinite
	if !check || ply >= maxPly-1 {
		if best = evaluate(p); best >= beta || ply >= maxPly-1 {
			return best
		}
		alpha = max(alpha, best)
	}
	if check {
		x.lists[ply] = p.Legal(x.lists[ply][:0])
		if len(x.lists[ply]) == 0 {
			return ply - mated
		}
	} else {
		x.lists[ply] = p.Captures(x.lists[ply][:0])
	}
	x.weigh(p, ply, chess.NoMove)
	for i := range x.lists[ply] {
		m := x.pick(ply, i)
		if !check && best+value[p.Captured(m).Kind()]+promotes(m)+margin <= alpha {
			continue // even with a bonus it does not reach what there is (delta pruning)
		}
		next := *p
		next.Play(m)
		v := -x.quiet(&next, ply+1, -beta, -alpha)
		if x.stopped {
			return alpha
		}
		if best = max(best, v); best >= beta {
			break
		}
		alpha = max(alpha, best)
	}
	return best
}

// margin is more than what a capture changes beside its material.
const margin = 200

func promotes(m chess.Move) int {
	if m.Promotion() == chess.NoKind {
		return 0
	}
	return value[m.Promotion()] - value[chess.Pawn]
}
