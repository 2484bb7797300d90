package connectfour

import (
	"fmt"
	"iter"
	"strings"

	"github.com/matchreferee/arena/game"
)

// View is what both seats and spectators see; the names are those of ludux/1.
type View struct {
	Board       [][]game.Opt[game.Seat] `json:"board"`     // Board[row][column], row 0 at the bottom: whose disc, or null
	YouAre      game.Opt[game.Seat]     `json:"you_are"`   // null for a spectator
	ToMove      game.Opt[game.Seat]     `json:"to_move"`   // null when the game is over
	Ply         int                     `json:"ply"`       // discs on the board
	LastMove    *LastMove               `json:"last_move"` // null at the start
	MoveHistory []int                   `json:"move_history"`
	Lines       [][]Cell                `json:"-"` // the winning lines, nil while there is none; each from one end to the other, longer ones whole
}

// Cell is a place on the board.
type Cell struct{ Column, Row int }

// LastMove is the newest disc.
type LastMove struct {
	Seat   game.Seat `json:"seat"`
	Column int       `json:"column"`
	Row    int       `json:"row"`
}

// View gives a View.
func (r Rules) View(s *State, seat game.Seat) any {
	v := View{Board: make([][]game.Opt[game.Seat], r.Rows), YouAre: game.Null[game.Seat](), ToMove: game.Null[game.Seat](), Ply: int(s.ply)}
	if seat.Valid() {
		v.YouAre = game.Some(seat)
	}
	if s.end == running {
		v.ToMove = game.Some(game.Seat(s.ply & 1))
	}
	cells := make([]game.Opt[game.Seat], r.Rows*r.Columns)
	for row := range v.Board {
		v.Board[row], cells = cells[:r.Columns:r.Columns], cells[r.Columns:]
	}
	v.MoveHistory = make([]int, 0, s.ply)
	var last LastMove // one for all: each turn of the loop has a d of its own
	for d := range s.drops() {
		v.Board[d.Row][d.Column] = game.Some(d.Seat)
		v.MoveHistory = append(v.MoveHistory, d.Column)
		last, v.LastMove = d, &last
	}
	if s.end == connected {
		v.Lines = r.lines(&v)
	}
	return v
}

// lines gives the winning lines through the last disc, of which every one goes.
func (r Rules) lines(v *View) [][]Cell {
	last := v.LastMove
	mine := func(c Cell) bool {
		if c.Column < 0 || c.Column >= r.Columns || c.Row < 0 || c.Row >= r.Rows {
			return false
		}
		seat, ok := v.Board[c.Row][c.Column].Get()
		return ok && seat == last.Seat
	}
	var lines [][]Cell
	for _, d := range [...]Cell{{0, 1}, {1, -1}, {1, 0}, {1, 1}} {
		c := Cell{last.Column, last.Row}
		for mine(Cell{c.Column - d.Column, c.Row - d.Row}) {
			c.Column, c.Row = c.Column-d.Column, c.Row-d.Row
		}
		var line []Cell
		for ; mine(c); c.Column, c.Row = c.Column+d.Column, c.Row+d.Row {
			line = append(line, c)
		}
		if len(line) >= r.Connect {
			lines = append(lines, line)
		}
	}
	return lines
}

// drops iterates over the discs in the order of play.
func (s *State) drops() iter.Seq[LastMove] {
	return func(yield func(LastMove) bool) {
		var height [16]int
		for i, c := range s.moves[:s.ply] {
			if !yield(LastMove{game.Seat(i & 1), int(c), height[c]}) {
				return
			}
			height[c]++
		}
	}
}

// Text is the column's letter.
func (r Rules) Text(_ *State, column int) string {
	if column < 0 || column >= r.Columns {
		return fmt.Sprint(column)
	}
	return letters[column : column+1]
}

const letters = "abcdefghijklmnop"

// Label is the letter of a seat's discs.
func (r Rules) Label(seat game.Seat) string {
	if seat == 0 {
		return "X"
	}
	return "O"
}

// Board is a fenced block, top row first: X for seat 0, O for seat 1, a dot for an empty cell, and the letters of the columns below.
func (r Rules) Board(s *State, _ game.Seat) string {
	row := " " + strings.Repeat(".", r.Columns) + "\n"
	text := []byte("```\n" + strings.Repeat(row, r.Rows) + " " + letters[:r.Columns] + "\n```")
	for d := range s.drops() {
		text[len("```\n")+(r.Rows-1-d.Row)*len(row)+1+d.Column] = "XO"[d.Seat]
	}
	return string(text)
}
