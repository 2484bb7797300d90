package house

import (
	"math/bits"

	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// point is what one point counts in the values of positions.
const point = 32

// weights make a value of what is seen on the board. The value of a position is what the mover will have gained by the end of the game, less
// what the other will have gained.
type weights struct {
	mean      int                  // for a point that one seat could earn on an empty cell and the other not
	turns     int                  // for a point of what is left when both seats take the cells that matter most to both together, in turn
	tempo     int                  // for being the mover
	early     int                  // from this number of empty cells on, potential and tempo lose their value in proportion
	potential [lines.Count][]int16 // of each line, by its code, for seat 0: see newWeights
}

// newWeights takes, besides the first four, what a window of three with marks of one seat alone is worth to it, by their number, 1 or 2:
// ordinary windows, and those inside an area.
func newWeights(mean, turns, tempo, early int, plain, inArea [2]int) *weights {
	w := &weights{mean: mean, turns: turns, tempo: tempo, early: early}
	made := map[[2]int][]int16{}
	for i := range shapes {
		class := [2]int{shapes[i].length, shapes[i].aligned}
		if made[class] == nil {
			made[class] = potentials(shapes[i].length, plain, plain)
			if shapes[i].aligned == 1 {
				made[class] = potentials(shapes[i].length, plain, inArea)
			}
		}
		w.potential[i] = made[class]
	}
	return w
}

// potentials gives the potential of each code of a line of some length; third is for each third window, from the first.
func potentials(length int, plain, third [2]int) []int16 {
	table := make([]int16, power[length])
	for code := range table {
		for at := 0; at+3 <= length; at++ {
			var n [3]int // cells by digit
			for k := range 3 {
				n[code/int(power[at+k])%3]++
			}
			by := &plain
			if at%3 == 0 {
				by = &third
			}
			switch {
			case n[0] == 3 || n[0] == 0:
			case n[2] == 0:
				table[code] += int16(by[n[1]-1])
			case n[1] == 0:
				table[code] -= int16(by[n[2]-1])
			}
		}
	}
	return table
}

// value of the position for the mover.
func (b *board) value() int {
	turns, sign := 0, 1
	for odd := b.odd &^ 1; odd != 0; {
		n := bits.Len64(odd) - 1
		odd &^= 1 << n
		turns += sign * n
		sign = -sign
	}
	w := b.weigh
	own := b.mean*w.mean + b.pot*min(b.left, w.early)/w.early
	if b.mover == 1 {
		own = -own
	}
	return own + turns*w.turns + w.tempo*min(b.left, w.early)/w.early
}

// promise is how much it matters to the potentials which seat has the empty cell i.
func (b *board) promise(i int) int {
	sum := 0
	for k := range lines.Spots[i].On {
		p := &lines.Spots[i].On[k]
		table, code := b.weigh.potential[p.Line], b.code[p.Line]
		sum += int(table[code+power[p.At]]) - int(table[code+2*power[p.At]])
	}
	return sum
}

// key says how soon to try the empty cell i: by what is at stake there.
func (b *board) key(i int) int {
	return point*(b.earns(i, 0)+b.earns(i, 1)) + b.promise(i)
}
