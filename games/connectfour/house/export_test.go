package house

import (
	"context"
	"math/bits"
	"time"
)

// For the tests.
const (
	MinScore, MaxScore = minScore, maxScore
	PollNodes          = pollNodes
)

// Bitboard and its sets.
type Bitboard = bitboard

func BoardOf(history []int) Bitboard { return boardOf(history) }
func (b bitboard) Open() uint64      { return b.open() }
func (b bitboard) Wins() uint64      { return b.wins() }
func (b bitboard) Safe() uint64      { return b.safe() }
func (b bitboard) Key() uint64       { return b.key() }

// BoardFrom makes a position of the discs of the side to move and of the other, both by column and row.
func BoardFrom(mine, theirs [][2]int) Bitboard {
	var b bitboard
	for _, c := range mine {
		b.mine |= 1 << (c[0]*height + c[1])
	}
	b.full = b.mine
	for _, c := range theirs {
		b.full |= 1 << (c[0]*height + c[1])
	}
	return b
}

// Budget is the nodes for a request with a limit of time.
func (o PerfectOptions) Budget(limit time.Duration) int { return o.budget(limit) }

// Solver is a solver with a table of its own.
type Solver struct{ x *solver }

func NewSolver(ctx context.Context, tableBits, nodes int) Solver {
	x := &solver{table: newTable(tableBits), ctx: ctx, left: nodes}
	x.table.renew()
	return Solver{x}
}

// Best gives the best column, and the score as far as it is known.
func (s Solver) Best(b Bitboard) (column, low, high int, proved bool) {
	cell, low, high, proved := s.x.best(b)
	return bits.TrailingZeros64(cell) / height, low, high, proved
}

// AtLeast tells whether the score is that much. The side to move has no win at once.
func (s Solver) AtLeast(b Bitboard, n int) bool { return s.x.value(b, n-1, n) >= n }

// Left is how many nodes it may still look at.
func (s Solver) Left() int { return s.x.left }

// Table is a transposition table.
type Table struct{ t *table }

func NewTable(bits int) Table                    { return Table{newTable(bits)} }
func (t Table) Renew()                           { t.t.renew() }
func (t Table) Get(key uint64) (low, high int)   { return t.t.get(key) }
func (t Table) PutAtLeast(key uint64, score int) { t.t.put(key, score, atLeast) }
func (t Table) PutAtMost(key uint64, score int)  { t.t.put(key, score, atMost) }
