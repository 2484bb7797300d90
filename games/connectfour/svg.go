package connectfour

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// SVG is the picture of the view.
func (r Rules) SVG(dst []byte, s *State, seat game.Seat) []byte {
	return draw.View(dst, r.View(s, seat), draw.Options{})
}

// discs are the colours of the seats; what lies on a disc is drawn in the colour of its edge.
var discs = [2]draw.Paint{
	{Fill: draw.First, Stroke: draw.FirstEdge, Width: 3},
	{Fill: draw.Second, Stroke: draw.SecondEdge, Width: 3},
}

// where is the picture of one board: cells of the same size in a frame.
type where struct {
	columns, rows, size, x, y int // x, y: the upper left corner of the top left cell
}

func (w where) center(c Cell) (x, y int) {
	return w.x + c.Column*w.size + w.size/2, w.y + (w.rows-1-c.Row)*w.size + w.size/2
}

// Picture draws the players, the board, its last disc, the winning lines, and who is to move or has won. Of a view that no match can have, say one that
// came from outside, it draws that it is none.
func (v View) Picture(c *draw.Canvas) {
	if !v.sound() {
		c.Open(draw.Width, 100, "Connect Four", "")
		c.Text(draw.Width/2, 50, noPosition, draw.Type{Size: 26, Anchor: draw.Middle})
		return
	}
	const margin, frame = 12, 10
	w := where{columns: len(v.Board[0]), rows: len(v.Board), y: margin + 2*(draw.Row+6) + 6 + frame}
	w.size = min((draw.Width-2*margin-2*frame)/w.columns, 84)
	if w.size*w.rows > 620 {
		w.size = 620 / w.rows
	}
	w.x = (draw.Width - w.size*w.columns) / 2
	bottom := w.y + w.size*w.rows + frame
	out, over := c.Outcome()
	status := v.status(out)
	c.Open(draw.Width, bottom+66, "Connect Four", status+".")
	for seat := range game.Seat(2) {
		toMove, ok := v.ToMove.Get()
		c.Player(margin, margin+int(seat)*(draw.Row+6), draw.Width-2*margin, draw.Player{
			Seat: seat, Label: labels[seat], Disc: discs[seat].Fill, Edge: discs[seat].Stroke,
			Turn: ok && toMove == seat && !over, Won: c.Won(seat) || v.Lines != nil && v.LastMove.Seat == seat,
		})
	}
	c.Rect(w.x-frame, w.y-frame, w.size*w.columns+2*frame, w.size*w.rows+2*frame, 16, draw.Paint{Fill: draw.Frame})
	v.drawCells(c, w)
	if last := v.LastMove; last != nil {
		x, y := w.center(Cell{last.Column, last.Row})
		c.Circle(x, y, w.size*2/5+1, draw.Paint{Stroke: draw.White, Width: max(w.size/14, 3)})
	}
	for _, line := range v.Lines {
		x1, y1 := w.center(line[0])
		x2, y2 := w.center(line[len(line)-1])
		c.Line(x1, y1, x2, y2, draw.Paint{Stroke: draw.White, Width: w.size / 5})
		c.Line(x1, y1, x2, y2, draw.Paint{Stroke: draw.Win, Width: w.size/5 - 5})
	}
	for column := range w.columns {
		x, _ := w.center(Cell{column, 0})
		c.Text(x, bottom+16, letters[column:column+1], draw.Type{Size: 22, Ink: draw.Muted, Anchor: draw.Middle})
	}
	c.Text(draw.Width/2, bottom+45, status, draw.Type{Size: 26, Bold: true, Anchor: draw.Middle})
}

// drawCells draws the empty cells and each seat's discs, with its letter for those who cannot tell the colours.
func (v View) drawCells(c *draw.Canvas, w where) {
	var empty draw.Outline
	var round, symbols [2]draw.Outline
	radius, letter := w.size*2/5, w.size/8
	for row := range w.rows {
		for column := range w.columns {
			x, y := w.center(Cell{column, row})
			seat, ok := v.Board[row][column].Get()
			if !ok {
				empty.Circle(x, y, radius)
				continue
			}
			round[seat].Circle(x, y, radius)
			if seat == 0 {
				symbols[seat].Line(x-letter, y-letter, x+letter, y+letter)
				symbols[seat].Line(x-letter, y+letter, x+letter, y-letter)
			} else {
				symbols[seat].Circle(x, y, letter)
			}
		}
	}
	c.Path(empty.String(), draw.Paint{Fill: draw.Cell})
	for seat, p := range discs {
		c.Path(round[seat].String(), p)
		c.Path(symbols[seat].String(), draw.Paint{Stroke: p.Stroke, Width: max(w.size/14, 2)})
	}
}

const noPosition = "no position"

// sound tells whether the view can be drawn: a board of up to 16 columns and rows, and seats 0 and 1 on it.
func (v View) sound() bool {
	on := func(c Cell) bool {
		return c.Row >= 0 && c.Row < len(v.Board) && c.Column >= 0 && c.Column < len(v.Board[0])
	}
	if len(v.Board) < 1 || len(v.Board) > 16 || len(v.Board[0]) < 1 || len(v.Board[0]) > 16 {
		return false
	}
	for _, row := range v.Board {
		if len(row) != len(v.Board[0]) {
			return false
		}
		for _, cell := range row {
			if seat, ok := cell.Get(); ok && (seat < 0 || seat > 1) {
				return false
			}
		}
	}
	for _, line := range v.Lines {
		if len(line) == 0 || !on(line[0]) || !on(line[len(line)-1]) {
			return false
		}
	}
	if m := v.LastMove; m != nil && (m.Seat < 0 || m.Seat > 1 || !on(Cell{m.Column, m.Row})) {
		return false
	}
	seat, ok := v.ToMove.Get()
	return (!ok || seat == 0 || seat == 1) && (v.Lines == nil || v.LastMove != nil)
}

var labels = [2]string{"X", "O"}

// status says who is to move, or how it ended; out may be nil.
func (v View) status(out *game.Outcome) string {
	seat, running := v.ToMove.Get()
	switch {
	case v.Lines != nil: // which are not on the wire
		return fmt.Sprintf("%s wins, %d in line", labels[v.LastMove.Seat], len(v.Lines[0]))
	case out != nil && out.Reason != fullBoard:
		return draw.Result(out, labels[:]...)
	case running:
		return labels[seat] + " to move"
	case v.Ply == len(v.Board)*len(v.Board[0]):
		return "the board is full"
	}
	return "the game is over"
}
