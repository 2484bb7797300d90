// Package grid holds the rules grid-arena-2.0: two seats fill a board of nine rows and nine columns and score for short lines, for lines inside
// one of the nine areas of three by three, and for standing in the way of a long line.
//
// Seat 0 (X) begins; the seats set one mark each in turn until all 81 cells are taken. A mark earns, see [Points]:
//
//   - offence: one for each window of three cells in line (along a row, a column or a diagonal) that it completes; windows overlap, so that the
//     third mark between two pairs completes three at once;
//   - area: one more for each of those windows that lies wholly inside one area;
//   - defence: one for each direction in which the other seat, had it taken the cell on the board before the move, would have had an unbroken
//     run of four or more through it, at most two a move.
//
// The higher total wins, equal totals are a draw. A move is {"row":4,"col":4} in JSON, counted from 0 from the top left, and e5 as text:
// the letter of the column, then the row counted from 1.
package grid

import (
	"fmt"
	"math/bits"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// Size is how many rows and columns the board has, and Cells how many cells; other boards are another game.
const (
	Size  = lines.Size // 9
	Cells = lines.Cells
)

// RulesVersion names these rules as the Grid arena does; [game.Info] has its number alone.
const RulesVersion = "grid-arena-2.0"

// Rules is the ruleset; [New] has the one there is.
type Rules struct {
	Size int `json:"size"` // 9
}

// New gives the game.
func New() game.Game { return game.New(Rules{Size: Size}) }

// Cell is a move: where the mark goes.
type Cell struct {
	Row int8 `json:"row"` // 0 to 8, from the top
	Col int8 `json:"col"` // 0 to 8, from the left
}

// cells are all of them, row by row.
var cells = func() (all [Cells]Cell) {
	for i, s := range lines.Spots {
		all[i] = Cell{s.Row, s.Col}
	}
	return all
}()

// Points is what one move earns, or what a seat has earned by all of them.
type Points struct {
	Offence int `json:"offence"` // windows of three completed; 0 to 12 in one move
	Area    int `json:"area"`    // those of them inside one area; 0 to 4 in one move
	Defence int `json:"defence"` // directions in which a run of four or more was kept from the other seat; 0 to 2 in one move
}

// Total is the sum of the three.
func (p Points) Total() int { return p.Offence + p.Area + p.Defence }

// State is a position, with what each move of it earned.
type State struct {
	lines  [lines.Count][2]uint16 // each seat's marks on each line, a bit a cell
	free   [2]uint64              // the empty cells, numbered by row, 64 of them in the first
	totals [2]points
	ply    uint8
	marks  [Cells]mark // ply of them
}

type mark struct {
	cell   uint8
	points points8
}

type points8 struct{ offence, area, defence uint8 }

type points struct{ offence, area, defence uint16 }

// Validate refuses every other size.
func (r Rules) Validate() error {
	if r.Size != Size {
		return fmt.Errorf("size: %d, not %d", r.Size, Size)
	}
	return nil
}

// Info tells of a game of perfect information for two, won with 1 and lost with -1.
func (r Rules) Info() game.Info {
	return game.Info{
		Name: "grid", Version: "2.0", MinSeats: 2, MaxSeats: 2, MaxSteps: Cells,
		MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

// Start gives the empty board.
func (r Rules) Start(game.Setup) (State, error) {
	return State{free: [2]uint64{1<<64 - 1, 1<<(Cells-64) - 1}}, nil
}

// Turn goes back and forth between the seats until the board is full.
func (r Rules) Turn(s *State) game.Turn {
	if s.ply == Cells {
		return game.Turn{}
	}
	return game.Turn{Seats: 1 << (s.ply & 1)}
}

// Legal lists the empty cells, row by row.
func (r Rules) Legal(dst []Cell, s *State, _ game.Seat) []Cell {
	for free := s.free[0]; free != 0; free &= free - 1 {
		dst = append(dst, cells[bits.TrailingZeros64(free)&63])
	}
	for free := s.free[1]; free != 0; free &= free - 1 {
		dst = append(dst, cells[64+bits.TrailingZeros64(free)])
	}
	return dst
}

// Check is quicker than looking through Legal, and says what is wrong.
func (r Rules) Check(s *State, _ game.Seat, c Cell) (Cell, error) {
	i := r.Index(c)
	if i < 0 {
		return c, fmt.Errorf("there is no cell in row %d, col %d: both are 0 to %d", c.Row, c.Col, Size-1)
	}
	if s.free[i>>6]>>(i&63)&1 == 0 {
		return c, fmt.Errorf("row %d, col %d (%s) is taken", c.Row, c.Col, r.Text(s, c))
	}
	return c, nil
}

// Apply sets the mark of the seat to move and scores it.
func (r Rules) Apply(s *State, moves []game.Move[Cell]) {
	i := r.Index(moves[0].Action)
	seat := s.ply & 1
	p := s.score(i, seat)
	for _, l := range lines.Spots[i].On {
		s.lines[l.Line][seat] |= 1 << l.At
	}
	s.free[i>>6] &^= 1 << (i & 63)
	t := &s.totals[seat]
	t.offence += uint16(p.offence)
	t.area += uint16(p.area)
	t.defence += uint16(p.defence)
	s.marks[s.ply] = mark{uint8(i), p}
	s.ply++
}

// score tells what a mark of seat on the empty cell i earns.
func (s *State) score(i int, seat uint8) points8 {
	var p points8
	for _, l := range lines.Spots[i].On {
		both := &s.lines[l.Line]
		own := both[seat] | 1<<l.At
		p.offence += lines.Runs[l.At][own].Windows
		if own&l.Area == l.Area {
			p.area++
		}
		p.defence += lines.Runs[l.At][both[seat^1]|1<<l.At].Long
	}
	p.defence = min(p.defence, 2)
	return p
}

// Outcome has the reason "points" where one total is higher, "equal" where none is. Scores are the totals.
func (r Rules) Outcome(s *State) game.Outcome {
	a, b := s.points(0).Total(), s.points(1).Total()
	out := game.Outcome{Returns: []float64{0, 0}, Scores: []int64{int64(a), int64(b)}, Reason: "points"}
	switch {
	case a > b:
		out.Returns[0], out.Returns[1] = 1, -1
	case a < b:
		out.Returns[0], out.Returns[1] = -1, 1
	default:
		out.Reason = "equal"
	}
	return out
}

func (s *State) points(seat game.Seat) Points {
	t := s.totals[seat]
	return Points{int(t.offence), int(t.area), int(t.defence)}
}

// Actions are the cells, row by row: the whole move space.
func (r Rules) Actions() []Cell {
	all := cells
	return all[:]
}

// Index counts the cells row by row from 0; it is -1 for what is no cell.
func (r Rules) Index(c Cell) int {
	if uint8(c.Row) >= Size || uint8(c.Col) >= Size {
		return -1
	}
	return int(c.Row)*Size + int(c.Col)
}

// Default is the first empty cell.
func (r Rules) Default(s *State, seat game.Seat) Cell { return r.Legal(nil, s, seat)[0] }
