package lines_test

import (
	"testing"

	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// TestSpots walks from each cell along its four lines: the next cell of a line is the neighbour in its direction, and nowhere else.
func TestSpots(t *testing.T) {
	at := map[[2]uint8]int{} // cells by line and place
	for i, s := range lines.Spots {
		if int(s.Row) != i/9 || int(s.Col) != i%9 {
			t.Errorf("cell %d is in row %d, col %d", i, s.Row, s.Col)
		}
		for _, p := range s.On {
			key := [2]uint8{p.Line, p.At}
			if other, ok := at[key]; ok || p.Line >= lines.Count || p.At >= lines.Size {
				t.Errorf("cells %d and %d are both number %d of line %d", other, i, p.At, p.Line)
			}
			at[key] = i
		}
	}
	if len(at) != 4*lines.Cells {
		t.Errorf("%d places", len(at))
	}
	for i, s := range lines.Spots {
		for k, d := range [4][2]int8{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			row, col := s.Row+d[0], s.Col+d[1]
			next, ok := at[[2]uint8{s.On[k].Line, s.On[k].At + 1}]
			if inside := row >= 0 && row < 9 && col >= 0 && col < 9; ok != inside || ok && next != int(row)*9+int(col) {
				t.Errorf("after cell %d along %v: %d, %v", i, d, next, ok)
			}
		}
	}
}

// TestAreas: of each line through a cell, the window that Area has is in the cell's area as a whole, and no other with the cell is.
func TestAreas(t *testing.T) {
	windows := 0
	for i, s := range lines.Spots {
		for k, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			want := uint16(0)
			for back := range 3 {
				row, col := int(s.Row)-back*d[0], int(s.Col)-back*d[1]
				endRow, endCol := row+2*d[0], col+2*d[1]
				if row >= 0 && col >= 0 && endCol >= 0 && row/3 == endRow/3 && col/3 == endCol/3 {
					want |= 7 << (int(s.On[k].At) - back)
				}
			}
			if got := s.On[k].Area; got != want && (want != 0 || got>>lines.Size == 0) {
				t.Errorf("cell %d along %v: %b, want %b", i, d, got, want)
			}
			if want != 0 {
				windows++
			}
		}
	}
	if windows != 3*9*(3+3+1+1) {
		t.Errorf("%d windows, a cell each", windows)
	}
}

func TestRuns(t *testing.T) {
	for set := range 1 << lines.Size {
		for at := range lines.Size {
			has := func(i int) bool { return i >= 0 && i < lines.Size && set>>i&1 == 1 }
			var want lines.Run
			for first := at - 2; has(at) && first <= at; first++ {
				if has(first) && has(first+1) && has(first+2) {
					want.Windows++
				}
			}
			for first := at - 3; has(at) && first <= at; first++ {
				if has(first) && has(first+1) && has(first+2) && has(first+3) {
					want.Long = 1
				}
			}
			if got := lines.Runs[at][set]; got != want {
				t.Fatalf("cell %d of %b: %+v, want %+v", at, set, got, want)
			}
		}
	}
}
