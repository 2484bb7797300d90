package grid

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Print draws the board with coloured marks, the last one brighter, and the points.
func (v View) Print(s *draw.Screen) {
	if !v.sound() {
		s.Print(noPosition, draw.Style{})
		return
	}
	for row := range Size {
		if row > 0 && row%3 == 0 {
			s.Print("  ------+-------+------", draw.Style{Ink: draw.Rule})
			s.Line()
		}
		s.Print(fmt.Sprint(row+1), draw.Style{Ink: draw.Muted})
		for col, seat := range v.Board[row] {
			if col > 0 && col%3 == 0 {
				s.Print(" |", draw.Style{Ink: draw.Rule})
			}
			s.Print(" ", draw.Style{})
			switch m := v.LastMove; {
			case seat == Empty:
				s.Print("·", draw.Style{Ink: draw.Muted})
			case m != nil && m.Row == row && m.Col == col:
				s.Print(symbols[seat], draw.Style{Ink: draw.Black, Ground: inks[seat], Bold: true})
			default:
				s.Print(symbols[seat], draw.Style{Ink: inks[seat]})
			}
		}
		s.Line()
	}
	s.Print("  a b c   d e f   g h i", draw.Style{Ink: draw.Muted})
	s.Line()
	for seat := range game.Seat(2) {
		s.Print(symbols[seat]+" ", draw.Style{Ink: inks[seat], Bold: true})
		s.Print(fmt.Sprintf("%d: %s ", v.Scores[seat], describe(v.Breakdown[seat])), draw.Style{})
		s.Print(s.Name(seat), draw.Style{Bold: true})
		s.Line()
	}
	if v.LastMove != nil {
		s.Print(v.last(), draw.Style{})
		s.Line()
	}
	out, _ := s.Outcome()
	s.Print(v.status(out), draw.Style{Bold: true})
	s.Line()
}
