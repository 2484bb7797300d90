// Package lines is the geometry of the grid: which lines run through a cell, and what an unbroken run of marks on one of them makes up.
package lines

// Size is how many rows and columns there are, Cells how many cells, counted row by row from the top left.
const (
	Size  = 9
	Cells = Size * Size
)

// Count is how many lines there are: rows, columns and diagonals of either kind. Diagonals of one or two cells score nothing, but need no
// special case either.
const Count = 2*Size + 2*(2*Size-1)

// Place is where a cell is on one of its lines.
type Place struct {
	Line uint8
	At   uint8  // 0 for the line's first cell
	Area uint16 // the window of the line that holds the cell and lies inside one area, as bits of the line; a bit no line has if there is none
}

const noWindow = 1 << 15

// Spot is a cell with its four lines: row, column, falling and rising diagonal.
type Spot struct {
	Row, Col int8
	On       [4]Place
}

// Spots are the cells.
var Spots = func() (all [Cells]Spot) {
	for i := range all {
		row, col := i/Size, i%Size
		s := &all[i]
		s.Row, s.Col = int8(row), int8(col)
		s.On = [4]Place{
			{uint8(row), uint8(col), 7 << (col / 3 * 3)},
			{uint8(Size + col), uint8(row), 7 << (row / 3 * 3)},
			{uint8(2*Size + row + Size - 1 - col), uint8(min(row, col)), noWindow},
			{uint8(4*Size - 1 + row + col), uint8(min(row, Size-1-col)), noWindow},
		}
		// An area has one whole window of each diagonal kind, through its middle.
		if falling := &s.On[2]; row%3 == col%3 {
			falling.Area = 7 << (falling.At - uint8(row%3))
		}
		if rising := &s.On[3]; row%3 == 2-col%3 {
			rising.Area = 7 << (rising.At - uint8(row%3))
		}
	}
	return all
}()

// Run tells of the unbroken run through one cell of a line.
type Run struct {
	Windows uint8 // windows of three of it that hold the cell: 0 to 3
	Long    uint8 // 1 for a run of four or more, which lies in two areas at least, whichever its line
}

// Runs has one for each cell of a line and each set of marks on the line with that cell's among them.
var Runs = func() (all [Size][1 << Size]Run) {
	for at := range all {
		for set := range all[at] {
			if set>>at&1 == 0 {
				continue
			}
			first, last := at, at
			for first > 0 && set>>(first-1)&1 == 1 {
				first--
			}
			for set>>(last+1)&1 == 1 {
				last++
			}
			r := &all[at][set]
			if last-first >= 3 {
				r.Long = 1
			}
			r.Windows = uint8(max(0, min(last, at+2)-max(first, at-2)-1))
		}
	}
	return all
}()
