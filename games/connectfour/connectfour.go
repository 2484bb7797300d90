// Package connectfour holds the rules of Connect Four, on boards of 4 to 16 columns and rows. It is what authors read first.
//
// Two seats drop discs into columns in turn, seat 0 (X) first; who has connect of them in a line, in any of the four directions, wins; a full board is a draw.
// A move is the number of its column in JSON, 0 for the leftmost, and its letter as text.
package connectfour

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/matchreferee/arena/game"
)

// Rules is the ruleset; [New] has the defaults.
type Rules struct {
	Columns int `json:"columns"` // 4 to 16; Columns * (Rows+1) is at most 128
	Rows    int `json:"rows"`    // 4 to 16
	Connect int `json:"connect"` // discs in a line that win: 3 to the longer side
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
	within("connect", r.Connect, 3, min(max(r.Columns, r.Rows), 16))
	if errs == nil && r.Columns*(r.Rows+1) > 128 {
		errs = append(errs, fmt.Errorf("rows: %d columns of %d rows are too many cells: columns * (rows+1) is at most 128", r.Columns, r.Rows))
	}
	return errors.Join(errs...)
}

func (r Rules) Info() game.Info {
	return game.Info{
		Name: "connect-four", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: r.Columns * r.Rows,
		MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

func (r Rules) Start(game.Setup) (State, error) { return State{}, nil }

func (r Rules) Turn(s *State) game.Turn {
	if s.end != running {
		return game.Turn{}
	}
	return game.Turn{Seats: 1 << (s.ply & 1)}
}

func (r Rules) open(s *State, column int) bool {
	top := uint(column*(r.Rows+1) + r.Rows - 1)
	if top < 64 {
		return (s.discs[0].low|s.discs[1].low)>>top&1 == 0
	}
	return (s.discs[0].high|s.discs[1].high)>>(top-64)&1 == 0
}

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
	if r.connects(*mine) {
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
			m.low &= m.low>>by | m.high<<(64-by) | m.high>>(by-64)
			m.high &= m.high >> by
			n += step
		}
		if m != (board{}) {
			return true
		}
	}
	return false
}

func (r Rules) Outcome(s *State) game.Outcome {
	if s.end == full {
		return game.Outcome{Returns: []float64{0, 0}, Reason: "full"}
	}
	returns := []float64{-1, -1}
	returns[(s.ply-1)&1] = 1
	return game.Outcome{Returns: returns, Reason: "connect"}
}

// View is what both seats and spectators see; the names are those of ludux/1.
type View struct {
	Board       [][]game.Opt[game.Seat] `json:"board"`     // Board[row][column], row 0 at the bottom: whose disc, or null
	YouAre      game.Opt[game.Seat]     `json:"you_are"`   // null for a spectator
	ToMove      game.Opt[game.Seat]     `json:"to_move"`   // null when the game is over
	Ply         int                     `json:"ply"`       // discs on the board
	LastMove    *LastMove               `json:"last_move"` // null at the start
	MoveHistory []int                   `json:"move_history"`
}

// LastMove is the newest disc.
type LastMove struct {
	Seat   game.Seat `json:"seat"`
	Column int       `json:"column"`
	Row    int       `json:"row"`
}

func (r Rules) View(s *State, seat game.Seat) any {
	v := View{Board: make([][]game.Opt[game.Seat], r.Rows), YouAre: game.Null[game.Seat](), ToMove: game.Null[game.Seat](), Ply: int(s.ply)}
	if seat.Valid() {
		v.YouAre = game.Some(seat)
	}
	if s.end == running {
		v.ToMove = game.Some(game.Seat(s.ply & 1))
	}
	for row := range v.Board {
		v.Board[row] = make([]game.Opt[game.Seat], r.Columns)
	}
	v.MoveHistory = make([]int, s.ply)
	var height [16]int
	for i, c := range s.moves[:s.ply] {
		last := LastMove{game.Seat(i & 1), int(c), height[c]}
		v.Board[last.Row][c] = game.Some(last.Seat)
		v.MoveHistory[i] = int(c)
		v.LastMove = &last
		height[c]++
	}
	return v
}

// Actions are the columns: the whole move space.
func (r Rules) Actions() []int {
	var columns []int
	for column := range r.Columns {
		columns = append(columns, column)
	}
	return columns
}

func (r Rules) Index(column int) int { return column }

// Default is the leftmost open column.
func (r Rules) Default(s *State, seat game.Seat) int { return r.Legal(nil, s, seat)[0] }

// Text is the column's letter.
func (r Rules) Text(_ *State, column int) string {
	if column < 0 || column >= r.Columns {
		return fmt.Sprint(column)
	}
	return "abcdefghijklmnop"[column : column+1]
}

// Label is the letter of a seat's discs.
func (r Rules) Label(seat game.Seat) string {
	if seat == 0 {
		return "X"
	}
	return "O"
}

// Board is a fenced block, top row first: X for seat 0, O for seat 1, a dot for an empty cell, and the letters of the columns below.
func (r Rules) Board(s *State, _ game.Seat) string {
	var b strings.Builder
	b.WriteString("```\n")
	for row := r.Rows - 1; row >= 0; row-- {
		b.WriteByte(' ')
		for column := range r.Columns {
			b.WriteByte(r.cell(s, column, row))
		}
		b.WriteByte('\n')
	}
	return b.String() + " " + "abcdefghijklmnop"[:r.Columns] + "\n```"
}

func (r Rules) cell(s *State, column, row int) byte {
	bit := uint(column*(r.Rows+1) + row)
	for seat, d := range s.discs {
		if (d.low>>bit|d.high>>(bit-64))&1 != 0 {
			return "XO"[seat]
		}
	}
	return '.'
}
