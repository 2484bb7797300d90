package chess

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Print draws the board with coloured squares, the last move and a check marked.
func (v View) Print(s *draw.Screen) {
	p, err := ParseFEN(v.FEN)
	if err != nil {
		s.Print("no position", draw.Style{})
		return
	}
	below := White
	if you, ok := v.YouAre.Get(); ok {
		below = you
	}
	last := v.last()
	p.printPlayer(s, below.Other())
	for i := range 8 {
		rank := 7 - i
		if below == Black {
			rank = i
		}
		s.Print(fmt.Sprintf("%d ", rank+1), draw.Style{Ink: draw.Muted})
		for k := range 8 {
			file := k
			if below == Black {
				file = 7 - k
			}
			p.printSquare(s, MakeSquare(file, rank), last)
		}
		s.Line()
	}
	files := "   a  b  c  d  e  f  g  h"
	if below == Black {
		files = "   h  g  f  e  d  c  b  a"
	}
	s.Print(files, draw.Style{Ink: draw.Muted})
	s.Line()
	p.printPlayer(s, below)
	out, _ := s.Outcome()
	s.Print(p.status(out), draw.Style{Bold: true})
	s.Line()
}

func (p *Position) printSquare(s *draw.Screen, at Square, last Move) {
	st, text := draw.Style{Ink: draw.BoardAlt, Ground: draw.Board}, " · "
	if at.Dark() {
		st.Ink, st.Ground = st.Ground, st.Ink
	}
	piece := p.PieceAt(at)
	if piece.Kind() != NoKind {
		st.Ink, st.Bold, text = discs[piece.Color()].Fill, true, " "+piece.String()+" "
	}
	if last != NoMove && (at == last.From() || at == last.To()) {
		st.Ground = draw.Mark
	}
	if piece == MakePiece(p.side, King) && p.InCheck() {
		st.Ground = draw.Alarm
	}
	s.Print(text, st)
}

func (p *Position) printPlayer(s *draw.Screen, side Color) {
	s.Print(side.String(), draw.Style{Bold: true})
	if name := s.Name(game.Seat(side)); name != "" {
		s.Print(" "+name, draw.Style{})
	}
	pieces, ahead := p.captured(side)
	if len(pieces) > 0 {
		s.Print(" ", draw.Style{})
	}
	for _, piece := range pieces {
		s.Print(piece.String(), draw.Style{Ink: draw.Muted})
	}
	if ahead > 0 {
		s.Print(fmt.Sprintf(" +%d", ahead), draw.Style{Ink: draw.Muted})
	}
	s.Line()
}
