package grid

// A line is a row, a column or a diagonal of either kind: 9 + 9 + 17 + 17 of them. Diagonals of one or two cells score nothing, but need no
// special case either.
const lineCount = 2*Size + 2*(2*Size-1)

// place is where a cell is on one of its lines.
type place struct {
	line uint8
	at   uint8  // 0 for the line's first cell
	area uint16 // the window of the line that holds the cell and lies inside one area, as bits of the line; a bit no line has if there is none
}

const noWindow = 1 << 15

// cells tells of each cell, counted row by row, its four lines.
var cells = func() (all [Cells]struct {
	cell Cell
	on   [4]place
}) {
	for i := range all {
		row, col := i/Size, i%Size
		c := &all[i]
		c.cell = Cell{int8(row), int8(col)}
		c.on = [4]place{
			{uint8(row), uint8(col), 7 << (col / 3 * 3)},
			{uint8(Size + col), uint8(row), 7 << (row / 3 * 3)},
			{uint8(2*Size + row + Size - 1 - col), uint8(min(row, col)), noWindow},
			{uint8(4*Size - 1 + row + col), uint8(min(row, Size-1-col)), noWindow},
		}
		// An area has one whole window of each diagonal kind, through its middle.
		if falling := &c.on[2]; row%3 == col%3 {
			falling.area = 7 << (falling.at - uint8(row%3))
		}
		if rising := &c.on[3]; row%3 == 2-col%3 {
			rising.area = 7 << (rising.at - uint8(row%3))
		}
	}
	return all
}()

// run tells of the unbroken run through one cell of a line.
type run struct {
	windows uint8 // windows of three of it that hold the cell: 0 to 3
	long    uint8 // 1 for a run of four or more, which lies in two areas at least, whichever its line
}

// runs has one for each cell of a line and each set of marks on the line with that cell's among them.
var runs = func() (all [Size][1 << Size]run) {
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
				r.long = 1
			}
			r.windows = uint8(max(0, min(last, at+2)-max(first, at-2)-1))
		}
	}
	return all
}()
