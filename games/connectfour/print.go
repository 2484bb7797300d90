package connectfour

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Print draws the board with coloured letters, the winning lines and the last disc brighter.
func (v View) Print(s *draw.Screen) {
	if !v.sound() {
		s.Print(noPosition, draw.Style{})
		return
	}
	bright := map[Cell]bool{}
	if v.LastMove != nil {
		bright[Cell{v.LastMove.Column, v.LastMove.Row}] = true
	}
	for _, line := range v.Lines {
		for _, cell := range line {
			bright[cell] = true
		}
	}
	for row := len(v.Board) - 1; row >= 0; row-- {
		for column := range v.Board[row] {
			s.Pad(2 * column)
			s.Print(" ", draw.Style{})
			seat, ok := v.Board[row][column].Get()
			if !ok {
				s.Print("·", draw.Style{Ink: draw.Muted})
				continue
			}
			st := draw.Style{Ink: discs[seat].Fill}
			if bright[Cell{column, row}] {
				st = draw.Style{Ink: draw.Black, Ground: discs[seat].Fill, Bold: true}
			}
			s.Print(labels[seat], st)
		}
		s.Line()
	}
	for column := range v.Board[0] {
		s.Print(" "+letters[column:column+1], draw.Style{Ink: draw.Muted})
	}
	s.Line()
	for seat := range game.Seat(2) {
		if name := s.Name(seat); name != "" {
			s.Print(labels[seat]+" ", draw.Style{Ink: discs[seat].Fill, Bold: true})
			s.Print(name, draw.Style{})
			s.Line()
		}
	}
	out, _ := s.Outcome()
	s.Print(v.status(out), draw.Style{Bold: true})
	s.Line()
}
