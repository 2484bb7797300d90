package house

import (
	"math/rand/v2"

	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// shape is what the board needs to know of a line.
type shape struct {
	cells   [lines.Size]uint8 // its cells, length of them
	length  int
	aligned int    // 1: the line is made of whole windows inside areas; 0: no window of it is inside an area
	all     uint16 // the bits of its cells
	fresh   uint32 // the bits of its cells in entries of fresh
}

var shapes = func() (all [lines.Count]shape) {
	for i, spot := range lines.Spots {
		for _, p := range spot.On {
			s := &all[p.Line]
			s.cells[p.At] = uint8(i)
			s.length++
			s.all |= 1 << p.At
			s.fresh |= 7 << (3 * p.At)
			if p.Area>>p.At&1 == 1 {
				s.aligned = 1
			}
		}
	}
	return all
}()

// fresh has for each cell of a line, three bits a cell, the windows of three that a mark there would complete beside the marks of a set;
// in lines with areas, the windows inside one count twice.
var fresh = func() (all [2][1 << lines.Size]uint32) {
	for set := range all[0] {
		for at := range lines.Size {
			with := set | 1<<at
			n := uint32(lines.Runs[at][with].Windows)
			all[0][set] |= n << (3 * at)
			if area := 7 << (at / 3 * 3); with&area == area {
				n++
			}
			all[1][set] |= n << (3 * at)
		}
	}
	return all
}()

// long has for each set of marks on a line the cells at which another would be in a run of four or more.
var long = func() (all [1 << lines.Size]uint16) {
	for set := range all {
		for at := range lines.Size {
			all[set] |= uint16(lines.Runs[at][set|1<<at].Long) << at
		}
	}
	return all
}()

// power has the powers of 3.
var power = [lines.Size + 1]uint16{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683}

// keys are for hashing positions: a number for each mark.
var keys = func() (all [2][lines.Cells]uint64) {
	r := rand.NewPCG(9, 2)
	for seat := range all {
		for i := range all[seat] {
			all[seat][i] = r.Uint64()
		}
	}
	return all
}()
