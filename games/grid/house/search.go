package house

import (
	"math/bits"

	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// search looks for the best cell by alpha-beta, one mark deeper at a time until its nodes are used up.
type search struct {
	*board
	width int               // how many cells are tried in a position
	solve int               // with no more empty cells than this all of them are tried
	depth int               // how many marks it looks ahead at most
	table []entry           // transposition table, a power of two long; nil: none
	bonus [lines.Cells]int8 // of the cells that are tried first of all, added to their values: variety among all but equals
	budget
	lists [lines.Cells + 1][]candidate // by the number of empty cells
}

// budget bounds a search by the marks it sets.
type budget struct {
	nodes   int         // that may still be looked at
	stop    func() bool // asked every pollEvery nodes; nil: never
	stopped bool
}

const pollEvery = 1 << 8

// spend takes a node; false: there is none left, or the search is to stop.
func (b *budget) spend() bool {
	b.nodes--
	if b.nodes < 0 || b.stop != nil && b.nodes&(pollEvery-1) == 0 && b.stop() {
		b.stopped = true
	}
	return !b.stopped
}

// candidate is a cell to try: the higher its key, the sooner.
type candidate struct{ key, cell int32 }

// entry is what is known of a position: its value, looked at to some depth.
type entry struct {
	hash  uint64
	value int32
	depth int8 // 0: nothing is known
	bound bound
	cell  uint8 // the best
}

type bound uint8

const (
	exact bound = iota
	least
	most
)

// infinite is beyond every value.
const infinite = 1 << 24

// gather lists the n most promising cells, the best first, and before them all the cell first, where there is one.
func (b *board) gather(list []candidate, n, first int) []candidate {
	list = list[:0]
	for half, free := range b.free {
		for ; free != 0; free &= free - 1 {
			i := half<<6 + bits.TrailingZeros64(free)
			key := int32(b.key(i))
			if i == first {
				key = infinite
			}
			if len(list) < n {
				list = append(list, candidate{})
			} else if key <= list[n-1].key {
				continue
			}
			k := len(list) - 1
			for ; k > 0 && list[k-1].key < key; k-- {
				list[k] = list[k-1]
			}
			list[k] = candidate{key, int32(i)}
		}
	}
	return list
}

// best gives the cell to take among those of root, tried in their order: of equals the first.
func (x *search) best(root []int) int {
	for depth := 1; depth <= min(x.left, x.depth) && !x.stopped && len(root) > 1; depth++ {
		alpha, found := -infinite, 0
		for k, i := range root {
			bonus := int(x.bonus[i])
			v := x.try(i, depth, alpha-bonus, infinite) + bonus
			if x.stopped {
				break
			}
			if v > alpha {
				alpha, found = v, k
			}
		}
		// What a look that was cut short has found is better than what the last one did: it began with that.
		choice := root[found]
		copy(root[1:found+1], root[:found])
		root[0] = choice
	}
	return root[0]
}

// try gives the value of a mark on cell i for the mover, looking on for depth-1 marks.
func (x *search) try(i, depth, alpha, beta int) int {
	if !x.spend() {
		return 0
	}
	points := x.mark(i)
	gained := points * point
	v := gained - x.look(depth-1, gained-beta, gained-alpha)
	x.unmark(i, points)
	return v
}

// look gives the value of the position for the mover, looking on for depth marks.
func (x *search) look(depth, alpha, beta int) int {
	switch {
	case x.left == 0:
		return 0
	case depth == 0:
		return x.value()
	}
	first, low := -1, alpha
	var slot *entry
	if x.table != nil && depth > 1 {
		slot = &x.table[x.hash&uint64(len(x.table)-1)]
		if slot.hash == x.hash && slot.depth > 0 {
			v := int(slot.value)
			if int(slot.depth) >= depth && (slot.bound == exact || slot.bound == least && v >= beta || slot.bound == most && v <= alpha) {
				return v
			}
			first = int(slot.cell)
		}
	}
	n := x.width
	if x.left <= x.solve {
		n = x.left
	}
	list := x.gather(x.lists[x.left], n, first)
	x.lists[x.left] = list
	best, at := -infinite, 0
	for _, c := range list {
		v := x.try(int(c.cell), depth, max(alpha, best), beta)
		if x.stopped {
			return 0
		}
		if v > best {
			best, at = v, int(c.cell)
			if v >= beta {
				break
			}
		}
	}
	if slot != nil {
		*slot = entry{x.hash, int32(best), int8(depth), exact, uint8(at)}
		if best >= beta {
			slot.bound = least
		} else if best <= low {
			slot.bound = most
		}
	}
	return best
}
