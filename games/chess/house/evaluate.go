package house

import (
	"math/bits"

	"github.com/matchreferee/arena/games/chess"
)

// Values are in hundredths of a pawn: early is for the middlegame, late for the endgame, and what counts is a mixture by the pieces that are left
// (tapered evaluation).
type mixed struct{ early, late int }

// value is the worth of a kind where one number has to do.
var value = [8]int{chess.Pawn: 100, chess.Knight: 320, chess.Bishop: 330, chess.Rook: 500, chess.Queen: 950}

// phase is how much a piece weighs in the mixture: 24 in all at the usual start.
var phase = [8]int{chess.Knight: 1, chess.Bishop: 1, chess.Rook: 2, chess.Queen: 4}

const fullPhase = 24

// placed is the worth of White's pieces by kind and square.
var placed = placements()

func placements() (out [8][64]mixed) {
	worth := [8]mixed{chess.Pawn: {85, 110}, chess.Knight: {325, 300}, chess.Bishop: {335, 315}, chess.Rook: {480, 520}, chess.Queen: {960, 970}}
	for s := range chess.Square(64) {
		rank := s.Rank()
		file := min(s.File(), 7-s.File())  // 3: the middle
		centre := file + min(rank, 7-rank) // 6: the middle, 0: a corner
		out[chess.Knight][s] = mixed{9*centre - 30, 6*centre - 20}
		out[chess.Bishop][s] = mixed{4*centre - 12, 3*centre - 9}
		out[chess.Queen][s] = mixed{2*centre - 6, 4*centre - 12}
		out[chess.Rook][s] = mixed{4 * file, 0}
		if rank == 6 {
			out[chess.Rook][s] = mixed{20, 15}
		}
		out[chess.King][s] = mixed{8*(3-file) - 18*rank, 9*centre - 30}
		if rank >= 1 && rank <= 6 {
			out[chess.Pawn][s] = mixed{3 * (rank - 1), 5 * (rank - 1)}
			if file == 3 && (rank == 3 || rank == 4) {
				out[chess.Pawn][s].early += 18
			}
			if file == 2 && rank == 3 {
				out[chess.Pawn][s].early += 8
			}
		}
		for k := range out {
			out[k][s].early += worth[k].early
			out[k][s].late += worth[k].late
		}
	}
	return out
}

// passed is the bonus of a passed pawn by the ranks that it has come up.
var passed = [8]mixed{1: {2, 8}, 2: {4, 14}, 3: {10, 26}, 4: {22, 48}, 5: {40, 85}, 6: {60, 130}}

var (
	bishopPair = mixed{25, 40}
	openFile   = mixed{18, 8} // a rook with no pawn of its own on its file
	doubled    = mixed{-10, -18}
)

// evaluate judges a position by what stands where, for the side to move.
func evaluate(p *chess.Position) int {
	var sum [2]mixed
	weight := 0
	for c := chess.White; c <= chess.Black; c++ {
		for pieces := p.By(c); pieces != 0; pieces &= pieces - 1 {
			s := chess.Square(bits.TrailingZeros64(pieces))
			k := p.PieceAt(s).Kind()
			weight += phase[k]
			sum[c].add(placed[k][s^flip(c)])
		}
		sum[c].add(structure(p, c))
	}
	weight = min(weight, fullPhase)
	us, them := p.SideToMove(), p.SideToMove().Other()
	early, late := sum[us].early-sum[them].early, sum[us].late-sum[them].late
	v := (early*weight + late*(fullPhase-weight)) / fullPhase
	switch {
	case v > value[chess.Pawn] && p.By(them) == p.Pieces(them, chess.King):
		v += drive(p.King(us), p.King(them))
	case v < -value[chess.Pawn] && p.By(us) == p.Pieces(us, chess.King):
		v -= drive(p.King(them), p.King(us))
	}
	return v * (200 - min(p.HalfmoveClock(), 100)) / 200 // the more moves pass, the less it is worth
}

func (m *mixed) add(n mixed) { m.early, m.late = m.early+n.early, m.late+n.late }

// flip turns a square of Black's into the one of White's that it corresponds to, by ^.
func flip(c chess.Color) chess.Square { return chess.Square(56 * c) }

const fileA uint64 = 0x0101010101010101

// structure judges a side's pawns, its rooks by them, and its bishops together.
func structure(p *chess.Position, c chess.Color) (sum mixed) {
	own, others := p.Pieces(c, chess.Pawn), p.Pieces(c.Other(), chess.Pawn)
	for pawns := own; pawns != 0; pawns &= pawns - 1 {
		s := chess.Square(bits.TrailingZeros64(pawns))
		ahead := fileA << s.File() & beyond(s, c)
		if own&ahead != 0 {
			sum.add(doubled)
		} else if others&(ahead|ahead&^fileA>>1|ahead&^(fileA<<7)<<1) == 0 {
			sum.add(passed[(s ^ flip(c)).Rank()])
		}
	}
	for rooks := p.Pieces(c, chess.Rook); rooks != 0; rooks &= rooks - 1 {
		if own&(fileA<<chess.Square(bits.TrailingZeros64(rooks)).File()) == 0 {
			sum.add(openFile)
		}
	}
	if bits.OnesCount64(p.Pieces(c, chess.Bishop)) >= 2 {
		sum.add(bishopPair)
	}
	return sum
}

// beyond are the ranks that a side's pawn on s has before it.
func beyond(s chess.Square, c chess.Color) uint64 {
	if c == chess.White {
		return ^uint64(0) << (8 * s.Rank()) << 8
	}
	return 1<<(8*s.Rank()) - 1
}

// drive is what it is worth to have a bare king far from the middle and the other king near it.
func drive(king, bare chess.Square) int {
	centre := min(bare.File(), 7-bare.File()) + min(bare.Rank(), 7-bare.Rank())
	apart := abs(king.File()-bare.File()) + abs(king.Rank()-bare.Rank())
	return 12*(6-centre) + 5*(14-apart)
}
