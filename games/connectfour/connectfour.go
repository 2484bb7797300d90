// Package connectfour holds the rules of Connect Four, on boards of 4 to 16 columns and rows. Authors of other games may take it as their model.
//
// Two seats drop discs into columns in turn, seat 0 (X) first; who has connect of them in a line, in any of the four directions, wins; a full board is a draw.
// A move is the number of its column in JSON, 0 for the leftmost, and its letter as text.
package connectfour

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/matchreferee/arena/game"
)

// Rules is the ruleset; [New] has the defaults.
type Rules struct {
	Columns int `json:"columns"` // 4 to 16; Columns * (Rows+1) is at most 128
	Rows    int `json:"rows"`    // 4 to 16
	Connect int `json:"connect"` // discs in a line that win: at least 3, at most the larger of Columns and Rows
}

// New gives the game with its default ruleset: 7 columns, 6 rows, connect 4.
func New() game.Game { return game.New(Rules{Columns: 7, Rows: 6, Connect: 4}) }

// State is a position: each seat's discs as bits, columns from the left, each from its bottom, with an empty bit above its top.
type State struct {
	discs [2]board
	ply   uint8
	end   ending
	moves [120]uint8 // columns, ply of them
}

type board struct{ low, high uint64 }

type ending uint8

const (
	running ending = iota
	connected
	full
)

// Validate reports each field that is out of its range.
func (r Rules) Validate() error {
	var errs []error
	within := func(name string, n, low, high int) {
		if n < low || n > high {
			errs = append(errs, fmt.Errorf("%s: %d, not %d to %d", name, n, low, high))
		}
	}
	within("columns", r.Columns, 4, 16)
	within("rows", r.Rows, 4, 16)
	within("connect", r.Connect, 3, max(r.Columns, r.Rows))
	if errs == nil && r.Columns*(r.Rows+1) > 128 {
		errs = append(errs, fmt.Errorf("rows: %d columns of %d rows are too many cells: columns * (rows+1) is at most 128", r.Columns, r.Rows))
	}
	return errors.Join(errs...)
}

// Info tells of a game of perfect information for two, won with 1 and lost with -1.
func (r Rules) Info() game.Info {
	return game.Info{
		Name: "connect-four", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: r.Columns * r.Rows,
		MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

// Start gives the empty board.
func (r Rules) Start(game.Setup) (State, error) { return State{}, nil }

// Turn goes back and forth between the seats.
func (r Rules) Turn(s *State) game.Turn {
	if s.end != running {
		return game.Turn{}
	}
	return game.Turn{Seats: 1 << (s.ply & 1)}
}

// open tells whether the top cell of a column is empty.
func (r Rules) open(s *State, column int) bool {
	top := uint(column*(r.Rows+1) + r.Rows - 1)
	if top < 64 {
		return (s.discs[0].low|s.discs[1].low)>>top&1 == 0
	}
	return (s.discs[0].high|s.discs[1].high)>>(top-64)&1 == 0
}

// Legal lists the columns that are not full, from the left.
func (r Rules) Legal(dst []int, s *State, seat game.Seat) []int {
	for column := range r.Columns {
		if r.open(s, column) {
			dst = append(dst, column)
		}
	}
	return dst
}

// Check is quicker than looking through Legal, and says what is wrong.
func (r Rules) Check(s *State, seat game.Seat, column int) (int, error) {
	if column < 0 || column >= r.Columns {
		return 0, fmt.Errorf("there is no column %d: they are 0 to %d", column, r.Columns-1)
	}
	if !r.open(s, column) {
		return 0, fmt.Errorf("column %d (%s) is full", column, r.Text(s, column))
	}
	return column, nil
}

// Apply drops a disc of the seat to move. A line counts before a full board does: the last disc may win.
func (r Rules) Apply(s *State, moves []game.Move[int]) {
	column, mine := moves[0].Action, &s.discs[s.ply&1]
	// Adding a bit at the bottom of the column carries it to the lowest empty cell.
	bottom := uint(column * (r.Rows + 1))
	low, high := s.discs[0].low|s.discs[1].low, s.discs[0].high|s.discs[1].high
	sum, carry := bits.Add64(low, 1<<bottom, 0)
	mine.low |= sum &^ low
	mine.high |= (high + 1<<(bottom-64) + carry) &^ high
	s.moves[s.ply] = uint8(column)
	s.ply++
	if int(s.ply) >= 2*r.Connect-1 && r.connects(*mine) {
		s.end = connected
	} else if int(s.ply) == r.Columns*r.Rows {
		s.end = full
	}
}

// connects tells whether b has a line of r.Connect: b is laid over itself, moved along the direction by 1, 2, 4 ... cells.
func (r Rules) connects(b board) bool {
	for _, d := range [4]int{1, r.Rows, r.Rows + 1, r.Rows + 2} {
		m := b
		for n := 1; n < r.Connect; {
			step := min(n, r.Connect-n)
			by := uint(step * d)
			n += step
			if m.high == 0 { // all boards of up to 64 bits
				m.low &= m.low >> by
				continue
			}
			m.low &= m.low>>by | m.high<<(64-by) | m.high>>(by-64)
			m.high &= m.high >> by
		}
		if m != (board{}) {
			return true
		}
	}
	return false
}

const fullBoard = "full" // the reason of a draw

// Outcome has the reason "connect" or "full".
func (r Rules) Outcome(s *State) game.Outcome {
	if s.end == full {
		return game.Outcome{Returns: []float64{0, 0}, Reason: fullBoard}
	}
	returns := []float64{-1, -1}
	returns[(s.ply-1)&1] = 1
	return game.Outcome{Returns: returns, Reason: "connect"}
}

// Actions are the columns: the whole move space.
func (r Rules) Actions() []int {
	var columns []int
	for column := range r.Columns {
		columns = append(columns, column)
	}
	return columns
}

// Index is the column itself.
func (r Rules) Index(column int) int { return column }

// Default is the leftmost open column.
func (r Rules) Default(s *State, seat game.Seat) int { return r.Legal(nil, s, seat)[0] }
