package house

import (
	"math/bits"

	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// board is a position for searching: marks are set and taken back, and what each empty cell would earn either seat is kept up to date.
//
// What a seat earns at a cell by offence and area hangs on its own marks alone, what it earns by defence on the other's. So a mark changes
// the first kind for its own seat and the second for the other, at few cells of its four lines.
type board struct {
	marks [lines.Count][2]uint16
	code  [lines.Count]uint16   // the line to base 3, a digit a cell: empty, seat 0's, seat 1's
	fresh [2][lines.Cells]uint8 // windows, those inside areas twice, that a mark of the seat would complete here
	long  [2][lines.Cells]uint8 // directions in which it would have a run of four or more here
	free  [2]uint64             // the empty cells
	left  int                   // how many
	mover int
	lead  int    // points of seat 0 less those of seat 1
	mean  int    // what seat 0 would earn less what seat 1 would earn, summed over the empty cells
	odd   uint64 // bit n: an odd number of empty cells are worth n, which is what both seats together would earn there
	pot   int    // potential of all lines, for seat 0, see potentials
	hash  uint64
	weigh *weights
}

// newBoard gives the empty board.
func newBoard(w *weights) *board {
	return &board{free: [2]uint64{1<<64 - 1, 1<<(lines.Cells-64) - 1}, left: lines.Cells, odd: lines.Cells & 1, weigh: w}
}

func (b *board) empty(i int) bool { return b.free[i>>6]>>(i&63)&1 == 1 }

// earns is what seat would get for a mark on the empty cell i.
func (b *board) earns(i, seat int) int { return int(b.fresh[seat][i] + min(2, b.long[seat^1][i])) }

// toggle adds an empty cell to the sums, with sign 1, or takes it out, with -1.
func (b *board) toggle(i, sign int) {
	mine, theirs := b.earns(i, 0), b.earns(i, 1)
	b.mean += sign * (mine - theirs)
	b.odd ^= 1 << (mine + theirs)
}

// mark sets the mover's mark on the empty cell i, and gives what it earned.
func (b *board) mark(i int) int {
	seat := b.mover
	points := b.earns(i, seat)
	b.toggle(i, -1)
	b.free[i>>6] &^= 1 << (i & 63)
	b.left--
	b.lead += points * (1 - 2*seat)
	b.hash ^= keys[seat][i]
	for k := range lines.Spots[i].On {
		p := &lines.Spots[i].On[k]
		old := b.marks[p.Line][seat]
		b.marks[p.Line][seat] = old | 1<<p.At
		b.spread(int(p.Line), seat, old, old|1<<p.At)
		code := b.code[p.Line]
		b.code[p.Line] = code + uint16(seat+1)*power[p.At]
		table := b.weigh.potential[p.Line]
		b.pot += int(table[b.code[p.Line]]) - int(table[code])
	}
	b.mover ^= 1
	return points
}

// unmark takes the newest mark back: cell i, which earned points.
func (b *board) unmark(i, points int) {
	b.mover ^= 1
	seat := b.mover
	for k := range lines.Spots[i].On {
		p := &lines.Spots[i].On[k]
		old := b.marks[p.Line][seat]
		b.marks[p.Line][seat] = old &^ (1 << p.At)
		b.spread(int(p.Line), seat, old, old&^(1<<p.At))
		code := b.code[p.Line]
		b.code[p.Line] = code - uint16(seat+1)*power[p.At]
		table := b.weigh.potential[p.Line]
		b.pot += int(table[b.code[p.Line]]) - int(table[code])
	}
	b.hash ^= keys[seat][i]
	b.lead -= points * (1 - 2*seat)
	b.left++
	b.free[i>>6] |= 1 << (i & 63)
	b.toggle(i, 1)
}

// spread brings the cells of a line up to date after seat's marks on it went from old to now.
func (b *board) spread(line, seat int, old, now uint16) {
	s := &shapes[line]
	was, is := fresh[s.aligned][old], fresh[s.aligned][now]
	for d := (was ^ is) & s.fresh; d != 0; {
		at := bits.TrailingZeros32(d) / 3
		d &^= 7 << (3 * at)
		change := uint8(is>>(3*at)&7) - uint8(was>>(3*at)&7)
		i := int(s.cells[at])
		if b.empty(i) {
			b.toggle(i, -1)
			b.fresh[seat][i] += change
			b.toggle(i, 1)
		} else {
			b.fresh[seat][i] += change
		}
	}
	for d := (long[old] ^ long[now]) & s.all; d != 0; d &= d - 1 {
		at := bits.TrailingZeros16(d)
		change := uint8(long[now]>>at&1) - uint8(long[old]>>at&1)
		i := int(s.cells[at])
		if b.empty(i) {
			b.toggle(i, -1)
			b.long[seat][i] += change
			b.toggle(i, 1)
		} else {
			b.long[seat][i] += change
		}
	}
}
