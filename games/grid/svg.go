package grid

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// SVG is the picture of the view.
func (r Rules) SVG(dst []byte, s *State, seat game.Seat) []byte {
	return draw.View(dst, r.View(s, seat), draw.Options{})
}

// Measures of the picture, in units.
const (
	cellSize = 48
	boardX   = 36
	boardY   = 12
	boardEnd = boardY + Size*cellSize
	scoresY  = boardEnd + 36
)

// inks are the colours of the seats' marks.
var inks = [2]draw.Ink{draw.First, draw.Azure}

var symbols = [2]string{"X", "O"}

// Picture draws the board with its areas, the last move, and each seat's points by what they were earned for. Of a view that no match can have, say
// one that came from outside, it draws that it is none.
func (v View) Picture(c *draw.Canvas) {
	if !v.sound() {
		c.Open(draw.Width, 100, "Grid", "")
		c.Text(draw.Width/2, 50, noPosition, draw.Type{Size: 26, Anchor: draw.Middle})
		return
	}
	out, over := c.Outcome()
	status := v.status(out)
	c.Open(draw.Width, scoresY+2*(draw.Row+28)+76, "Grid", status+".")
	c.Rect(boardX, boardY, Size*cellSize, Size*cellSize, 0, draw.Paint{Fill: draw.Cell})
	var odd, thin, thick draw.Outline // areas, lines between cells, lines between areas
	for i := range Size + 1 {
		if i%2 == 1 && i < Size {
			odd.Rect(boardX+i%3*3*cellSize, boardY+i/3*3*cellSize, 3*cellSize, 3*cellSize)
		}
		lines := &thin
		if i%3 == 0 {
			lines = &thick
		}
		lines.Line(boardX+i*cellSize, boardY, boardX+i*cellSize, boardEnd)
		lines.Line(boardX, boardY+i*cellSize, boardX+Size*cellSize, boardY+i*cellSize)
	}
	c.Path(odd.String(), draw.Paint{Fill: draw.Panel})
	c.Path(thin.String(), draw.Paint{Stroke: draw.Rule, Width: 2})
	c.Path(thick.String(), draw.Paint{Stroke: draw.Text, Width: 4})
	if m := v.LastMove; m != nil {
		c.Rect(boardX+m.Col*cellSize+4, boardY+m.Row*cellSize+4, cellSize-8, cellSize-8, 6, draw.Paint{Stroke: draw.Mark, Width: 7})
	}
	v.drawMarks(c)
	for i := range Size {
		at := i*cellSize + cellSize/2
		coordinate := draw.Type{Size: 22, Ink: draw.Muted, Anchor: draw.Middle, Most: 36}
		c.Text(boardX/2, boardY+at, fmt.Sprint(i+1), coordinate)
		c.Text(boardX+at, boardEnd+18, letters[i:i+1], coordinate)
	}
	y := scoresY
	for seat := range game.Seat(2) {
		toMove, ok := v.Turn.Get()
		c.Player(12, y, draw.Width-24, draw.Player{
			Seat: seat, Label: symbols[seat], Ink: inks[seat], Score: fmt.Sprint(v.Scores[seat]), Turn: ok && seat == toMove && !over,
			Won: c.Won(seat) || !ok && !over && v.Scores[seat] > v.Scores[1-seat],
		})
		c.Text(draw.Width-24, y+draw.Row+13, describe(v.Breakdown[seat]), draw.Type{Size: 20, Ink: draw.Muted, Anchor: draw.End})
		y += draw.Row + 28
	}
	c.Text(draw.Width/2, y+20, status, draw.Type{Size: 26, Bold: true, Anchor: draw.Middle})
	if m := v.LastMove; m != nil {
		c.Text(draw.Width/2, y+52, v.last(), draw.Type{Size: 22, Anchor: draw.Middle})
	}
}

const noPosition = "no position"

// sound tells whether the view can be drawn: it knows of no other seats than 0 and 1, and of no cells beyond the board.
func (v View) sound() bool {
	for row := range v.Board {
		for _, seat := range v.Board[row] {
			if seat < Empty || seat > 1 {
				return false
			}
		}
	}
	if m := v.LastMove; m != nil && (m.Seat < 0 || m.Seat > 1 || m.Row < 0 || m.Row >= Size || m.Col < 0 || m.Col >= Size) {
		return false
	}
	seat, ok := v.Turn.Get()
	return !ok || seat == 0 || seat == 1
}

// drawMarks draws each seat's crosses or noughts.
func (v View) drawMarks(c *draw.Canvas) {
	var marks [2]draw.Outline
	for row := range Size {
		for col, seat := range v.Board[row] {
			x, y := boardX+col*cellSize+cellSize/2, boardY+row*cellSize+cellSize/2
			switch seat {
			case 0:
				marks[seat].Line(x-12, y-12, x+12, y+12)
				marks[seat].Line(x-12, y+12, x+12, y-12)
			case 1:
				marks[seat].Circle(x, y, 13)
			}
		}
	}
	for seat, o := range marks {
		c.Path(o.String(), draw.Paint{Stroke: inks[seat], Width: 6})
	}
}

func describe(p Points) string {
	return fmt.Sprintf("offence %d · area %d · defence %d", p.Offence, p.Area, p.Defence)
}

// last tells of the last move.
func (v View) last() string {
	m := v.LastMove
	return fmt.Sprintf("%s %s%d earned %d", symbols[m.Seat], letters[m.Col:m.Col+1], m.Row+1, m.Total())
}

// status says who is to move, or how it ended; out may be nil.
func (v View) status(out *game.Outcome) string {
	if out != nil && v.Revision < Cells {
		return draw.Result(out, symbols[:]...)
	}
	if seat, ok := v.Turn.Get(); ok {
		return symbols[seat] + " to move"
	}
	for seat := range symbols {
		if v.Scores[seat] > v.Scores[1-seat] {
			return fmt.Sprintf("%s wins, %d to %d", symbols[seat], v.Scores[seat], v.Scores[1-seat])
		}
	}
	return fmt.Sprintf("draw, %d each", v.Scores[0])
}
