package house

import "math/bits"

// The usual board: [Perfect] knows no other.
const (
	columns = 7
	rows    = 6
	cells   = columns * rows
	height  = rows + 1 // bits of a column: its cells from the bottom, and one above them that stays empty
)

// Sets of cells.
const (
	bottom uint64 = 1 | 1<<height | 1<<(2*height) | 1<<(3*height) | 1<<(4*height) | 1<<(5*height) | 1<<(6*height) // the lowest cell of each column
	all    uint64 = bottom * (1<<rows - 1)
)

// column holds all cells of one.
func column(c int) uint64 { return (1<<rows - 1) << (c * height) }

// bitboard is a position of a game that is not over. A cell is the bit column*height + row.
type bitboard struct {
	mine uint64 // discs of the side to move
	full uint64 // all discs
}

// key is another for every position: adding mine puts the one bit that it needs above each column's discs into play.
func (b bitboard) key() uint64 { return b.mine + b.full }

func (b bitboard) discs() int { return bits.OnesCount64(b.full) }

// open holds the cell of each column that a disc would fall to.
func (b bitboard) open() uint64 { return (b.full + bottom) & all }

// drop puts a disc of the side to move on a cell, and gives the turn to the other.
func (b bitboard) drop(cell uint64) bitboard { return bitboard{b.mine ^ b.full, b.full | cell} }

// wins holds the empty cells, open or not, that complete a line of four of the side to move; threats those of the other side.
func (b bitboard) wins() uint64    { return fourths(b.mine) &^ b.full }
func (b bitboard) threats() uint64 { return fourths(b.mine^b.full) &^ b.full }

// fourths holds the cells that, beside three of discs, make a line of four. Cells of discs may be among them.
func fourths(discs uint64) uint64 {
	out := discs << 1 & (discs << 2) & (discs << 3) // upward: only from below
	for _, d := range [...]uint{height - 1, height, height + 1} {
		right := discs << d & (discs << (2 * d)) // cells with two discs before them
		out |= right & (discs << (3 * d))
		out |= right & (discs >> d)
		left := discs >> d & (discs >> (2 * d)) // cells with two discs behind them
		out |= left & (discs >> (3 * d))
		out |= left & (discs << d)
	}
	return out & all
}

// safe holds the open cells after which the other side has no win at once. It is empty where there is none; the side to move has no win
// at once itself.
func (b bitboard) safe() uint64 {
	open, threats := b.open(), b.threats()
	if forced := open & threats; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0 // two at a time cannot be stopped
		}
		open = forced
	}
	return open &^ (threats >> 1) // not below a cell where the other side wins
}

// boardOf plays columns from the empty board. They are those of a game that is not over.
func boardOf(history []int) bitboard {
	var b bitboard
	for _, c := range history {
		b = b.drop(b.open() & column(c))
	}
	return b
}
