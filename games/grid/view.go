package grid

import (
	"fmt"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid/internal/lines"
)

// Empty is what [View] has for a cell without a mark.
const Empty = game.Seat(-1)

// View is what both seats and spectators see; the names are those of a Grid arena observation, where it has them.
type View struct {
	RulesVersion string                `json:"rulesVersion"` // [RulesVersion]
	Size         int                   `json:"size"`         // 9
	Board        [Size][Size]game.Seat `json:"board"`        // Board[row][col], from the top left: whose mark, or Empty
	Seat         game.Opt[game.Seat]   `json:"seat"`         // whose view it is; null for a spectator
	Symbol       game.Opt[string]      `json:"symbol"`       // X or O; null for a spectator
	Scores       [2]int                `json:"scores"`       // totals, by seat
	Breakdown    [2]Points             `json:"breakdown"`    // what they are made of
	Turn         game.Opt[game.Seat]   `json:"turn"`         // the seat to move; null when the game is over
	Revision     int                   `json:"revision"`     // marks on the board, both seats'
	LastMove     *Mark                 `json:"lastMove"`     // null at the start
	History      []Mark                `json:"history"`      // in the order of play
}

// Mark is a move that was made, and what it earned.
type Mark struct {
	Seat game.Seat `json:"seat"`
	Row  int       `json:"row"`
	Col  int       `json:"col"`
	Points
}

// View gives a View.
func (r Rules) View(s *State, seat game.Seat) any {
	v := View{
		RulesVersion: RulesVersion, Size: Size, Seat: game.Null[game.Seat](), Symbol: game.Null[string](), Turn: game.Null[game.Seat](),
		Revision: int(s.ply), History: make([]Mark, s.ply),
	}
	if seat.Valid() {
		v.Seat, v.Symbol = game.Some(seat), game.Some(r.Label(seat))
	}
	if s.ply < Cells {
		v.Turn = game.Some(game.Seat(s.ply & 1))
	}
	for i := range v.Breakdown {
		v.Breakdown[i] = s.points(game.Seat(i))
		v.Scores[i] = v.Breakdown[i].Total()
	}
	for row := range v.Board {
		for col := range v.Board[row] {
			v.Board[row][col] = Empty
		}
	}
	for i := range v.History {
		m := s.mark(i)
		v.History[i] = m
		v.Board[m.Row][m.Col] = m.Seat
	}
	if n := len(v.History); n > 0 {
		last := v.History[n-1]
		v.LastMove = &last
	}
	return v
}

// mark gives move i of the game.
func (s *State) mark(i int) Mark {
	m := s.marks[i]
	c := cells[m.cell]
	return Mark{game.Seat(i & 1), int(c.Row), int(c.Col), Points{int(m.points.offence), int(m.points.area), int(m.points.defence)}}
}

const letters = "abcdefghi"

// Text is the letter of the column and the number of the row, counted from 1 from the top: e5 is the middle.
func (r Rules) Text(_ *State, c Cell) string {
	if r.Index(c) < 0 {
		return fmt.Sprintf("row %d, col %d", c.Row, c.Col)
	}
	return letters[c.Col:c.Col+1] + strconv.Itoa(int(c.Row)+1)
}

// Label is the letter of a seat's marks.
func (r Rules) Label(seat game.Seat) string {
	if seat == 0 {
		return "X"
	}
	return "O"
}

// Board is a fenced block: a line for each row with its number in front, X for seat 0, O for seat 1, a dot for an empty cell and blanks between
// the areas; then the letters of the columns; then each seat's total and what it is made of.
func (r Rules) Board(s *State, _ game.Seat) string {
	text := []byte("```\n")
	for row := range Size {
		if row > 0 && row%3 == 0 {
			text = append(text, '\n')
		}
		text = append(text, '1'+byte(row), ' ')
		for col := range Size {
			if col > 0 && col%3 == 0 {
				text = append(text, ' ')
			}
			text = append(text, s.symbol(row*Size+col))
		}
		text = append(text, '\n')
	}
	text = append(text, "  abc def ghi\n"...)
	for seat := range game.Seat(2) {
		p := s.points(seat)
		text = fmt.Appendf(text, "%s %d: offence %d, area %d, defence %d\n", r.Label(seat), p.Total(), p.Offence, p.Area, p.Defence)
	}
	return string(append(text, "```"...))
}

// symbol is the letter of who has cell i.
func (s *State) symbol(i int) byte {
	l := lines.Spots[i].On[0]
	for seat, marks := range s.lines[l.Line] {
		if marks>>l.At&1 == 1 {
			return "XO"[seat]
		}
	}
	return '.'
}
