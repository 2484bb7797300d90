package chess

import "math/bits"

// A bitboard is a uint64 in which bit s stands for Square s.
const (
	fileA = 0x0101010101010101
	fileH = fileA << 7
	rank1 = 0xff
	rank8 = rank1 << 56
	light = 0x55aa55aa55aa55aa // squares
)

// lines are the lines through a square, without it.
type lines struct{ bit, file, diagonal, antidiagonal uint64 }

var (
	knightAttacks = steps([][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}})
	kingAttacks   = steps([][2]int{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}})
	pawnAttacks   = [2][64]uint64{steps([][2]int{{-1, 1}, {1, 1}}), steps([][2]int{{-1, -1}, {1, -1}})}

	linesOf     = makeLines()
	rankAttacks = makeRankAttacks() // by file, then by the occupation of the six inner squares of the first rank
	between     = makeBetween()     // the squares strictly between two on a common line, else none
)

// shifted moves a square by files and ranks; ok is false off the board.
func shifted(s, files, ranks int) (int, bool) {
	f, r := s&7+files, s>>3+ranks
	return r<<3 | f, f >= 0 && f < 8 && r >= 0 && r < 8
}

func steps(by [][2]int) (t [64]uint64) {
	for s := range t {
		for _, d := range by {
			if to, ok := shifted(s, d[0], d[1]); ok {
				t[s] |= 1 << to
			}
		}
	}
	return t
}

// ray goes from a square to the edge; the square itself is not in it.
func ray(s, files, ranks int) (b uint64) {
	for to, ok := shifted(s, files, ranks); ok; to, ok = shifted(to, files, ranks) {
		b |= 1 << to
	}
	return b
}

func makeLines() (t [64]lines) {
	for s := range t {
		t[s] = lines{1 << s, ray(s, 0, 1) | ray(s, 0, -1), ray(s, 1, 1) | ray(s, -1, -1), ray(s, 1, -1) | ray(s, -1, 1)}
	}
	return t
}

func makeRankAttacks() (t [8][64]uint8) {
	for file := range t {
		for inner := range t[file] {
			occupied := inner << 1
			for _, d := range [2]int{-1, 1} {
				for f := file + d; f >= 0 && f < 8; f += d {
					t[file][inner] |= 1 << f
					if occupied>>f&1 != 0 {
						break
					}
				}
			}
		}
	}
	return t
}

func makeBetween() (t [64][64]uint64) {
	for a := range t {
		for files := -1; files <= 1; files++ {
			for ranks := -1; ranks <= 1; ranks++ {
				if files == 0 && ranks == 0 {
					continue
				}
				passed := uint64(0)
				for b, ok := shifted(a, files, ranks); ok; b, ok = shifted(b, files, ranks) {
					t[a][b] = passed
					passed |= 1 << b
				}
			}
		}
	}
	return t
}

// along gives the squares that a slider on the square of bit reaches along a line of its own: hyperbola quintessence, o^(o-2r). Taking the
// slider from the occupied squares of the line borrows up to the first of them; the same on the board turned upside down gives the other way.
func along(occupied, bit, line uint64) uint64 {
	up := occupied & line
	down := bits.ReverseBytes64(up) - bits.ReverseBytes64(bit)
	return ((up - bit) ^ bits.ReverseBytes64(down)) & line
}

// bishopAttacks are the squares that a bishop attacks, the first occupied one each way included.
func bishopAttacks(s Square, occupied uint64) uint64 {
	l := &linesOf[s&63]
	return along(occupied, l.bit, l.diagonal) | along(occupied, l.bit, l.antidiagonal)
}

// rookAttacks are the squares that a rook attacks, the first occupied one each way included. Upside down a rank stays one byte, so ranks
// come from a table.
func rookAttacks(s Square, occupied uint64) uint64 {
	l := &linesOf[s&63]
	shift := s & 56
	rank := uint64(rankAttacks[s&7][occupied>>(shift+1)&63]) << (shift & 63)
	return along(occupied, l.bit, l.file) | rank
}
