package house_test

import (
	"math/bits"
	"strings"
)

// plain solves the usual board in the plainest way that ends in time: full-window alpha-beta over the columns from the middle outward, with
// a table of exact values and bounds. It shares nothing with the package: discs lie in rows, not in columns, and a line is looked for
// through the newest disc alone, after each disc.
type plain struct {
	table []plainEntry // by hash; nil: none
	nodes int
}

type plainEntry struct {
	discs [2]uint64
	low   int8
	high  int8
}

type plainBoard struct {
	discs  [2]uint64 // by seat: bit 8*row + column
	height [7]int
	ply    int
}

func (b *plainBoard) play(c int) {
	b.discs[b.ply%2] |= 1 << (8*b.height[c] + c)
	b.height[c]++
	b.ply++
}

func (b *plainBoard) undo(c int) {
	b.ply--
	b.height[c]--
	b.discs[b.ply%2] &^= 1 << (8*b.height[c] + c)
}

// line tells whether the newest disc, that of column c, is in a line of four.
func (b *plainBoard) line(c int) bool {
	discs := b.discs[(b.ply-1)%2]
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
		n := 1
		for _, way := range [2]int{1, -1} {
			x, y := c+way*d[0], b.height[c]-1+way*d[1]
			for x >= 0 && x < 7 && y >= 0 && y < 6 && discs>>(8*y+x)&1 == 1 {
				n++
				x, y = x+way*d[0], y+way*d[1]
			}
		}
		if n >= 4 {
			return true
		}
	}
	return false
}

// score gives the value for the side to move, 22 less the winner's discs, between alpha and beta.
func (p *plain) score(b *plainBoard, alpha, beta int) int {
	p.nodes++
	if b.ply == 42 {
		return 0
	}
	low, high := -21, 21
	var e *plainEntry
	if p.table != nil {
		hash := b.discs[0]*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(b.discs[1]*0xc2b2ae3d27d4eb4f, 31)
		e = &p.table[hash*0xff51afd7ed558ccd>>20%uint64(len(p.table))]
		if e.discs == b.discs {
			low, high = int(e.low), int(e.high)
			if low >= beta || low == high {
				return low
			}
			if high <= alpha {
				return high
			}
		}
	}
	best, from := -100, alpha
	for _, c := range [7]int{3, 2, 4, 1, 5, 0, 6} {
		if b.height[c] == 6 {
			continue
		}
		b.play(c)
		var v int
		if b.line(c) {
			v = 22 - (b.ply+1)/2
		} else {
			v = -p.score(b, -beta, -max(from, best))
		}
		b.undo(c)
		if best = max(best, v); best >= beta {
			break
		}
	}
	if e != nil {
		if e.discs != b.discs {
			*e = plainEntry{b.discs, -21, 21}
		}
		if best > alpha {
			e.low = max(e.low, int8(best))
		}
		if best < beta {
			e.high = min(e.high, int8(best))
		}
	}
	return best
}

// solve gives the score of a position.
func (p *plain) solve(b *plainBoard) int { return p.score(b, -21, 21) }

// confirm tells whether score is that of a position and best, as letters, are all columns that keep it. It asks of each column whether it
// reaches the score and whether it goes beyond, which takes much less time than how much it is worth.
func (p *plain) confirm(b *plainBoard, score int, best string) bool {
	for c := range 7 {
		keeps := strings.ContainsRune(best, rune('a'+c))
		if b.height[c] == 6 {
			if keeps {
				return false
			}
			continue
		}
		b.play(c)
		least := func(n int) bool { return -p.score(b, -n, 1-n) >= n } // whether the column is worth that much
		if wins := 22 - (b.ply+1)/2; b.line(c) {
			least = func(n int) bool { return wins >= n }
		}
		ok := least(score) == keeps && !least(score+1)
		b.undo(c)
		if !ok {
			return false
		}
	}
	return best != ""
}
