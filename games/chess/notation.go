package chess

import (
	"errors"
	"fmt"
)

// Errors of [Position.ParseUCI] and [Position.ParseSAN] wrap one of these; their text is a hint that names the right form where it is known.
var (
	ErrNotation  = errors.New("not a move in this notation")
	ErrIllegal   = errors.New("not a legal move")
	ErrAmbiguous = errors.New("more than one move")
)

// ParseUCI reads a legal move in UCI, to the letter: "e2e4", "e7e8q", castling as the king's move ("e1g1").
func (p *Position) ParseUCI(text string) (Move, error) {
	m, ok := readUCI(text)
	if !ok {
		return NoMove, fmt.Errorf("%.16q is %w: UCI names the square a piece leaves, the one it reaches and what a pawn becomes, as in e2e4 or e7e8q", text, ErrNotation)
	}
	if err := p.Check(m); err != nil {
		return NoMove, err
	}
	return m, nil
}

// Check says why m is not legal here, of any value; nil if it is. The error wraps [ErrIllegal].
func (p *Position) Check(m Move) error {
	if p.IsLegal(m) {
		return nil
	}
	return fmt.Errorf("%s is %w: %s", m, ErrIllegal, p.objection(m))
}

// objection tells what is wrong with a move that is not legal.
func (p *Position) objection(m Move) string {
	from, to := m.From(), m.To()
	piece := p.PieceAt(from)
	switch {
	case piece == 0:
		return fmt.Sprintf("there is no piece on %s", from)
	case piece.Color() != p.side:
		return fmt.Sprintf("the piece on %s is not %s's", from, p.side)
	}
	if castle := p.kingTakesRook(m); castle != NoMove {
		return fmt.Sprintf("castling is written %s", castle)
	}
	if m.Promotion() == NoKind {
		if queen := MakeMove(from, to, Queen); p.IsLegal(queen) {
			return fmt.Sprintf("it has to say what the pawn becomes, as in %s", queen)
		}
	} else if plain := MakeMove(from, to, NoKind); p.IsLegal(plain) {
		return fmt.Sprintf("nothing is promoted by it: %s", plain)
	}
	if p.InCheck() {
		return fmt.Sprintf("%s is in check and has to get out of it", p.side)
	}
	var room [MaxLegal]Move
	var others []byte
	for _, l := range p.Legal(room[:0]) {
		if l.From() == from && l.Promotion()&^Queen == 0 && len(others) < 60 {
			others = l.appendUCI(append(others, ' '))
		}
	}
	if others == nil {
		return fmt.Sprintf("the piece on %s cannot move", from)
	}
	return fmt.Sprintf("from %s there are%s", from, others)
}

// kingTakesRook gives the legal castling move that m means if it has the king take the rook that he castles with; else NoMove.
func (p *Position) kingTakesRook(m Move) Move {
	from, to := m.From(), m.To()
	if p.PieceAt(from) != MakePiece(p.side, King) || p.PieceAt(to) != MakePiece(p.side, Rook) || from.Rank() != to.Rank() {
		return NoMove
	}
	castle := MakeMove(from, from+2, NoKind)
	if to < from {
		castle = MakeMove(from, from-2, NoKind)
	}
	if to.File() != 0 && to.File() != 7 || !p.IsLegal(castle) {
		return NoMove
	}
	return castle
}

// IsCastle reports whether m, a legal move, is castling.
func (p *Position) IsCastle(m Move) bool {
	from, to := m.From(), m.To()
	return p.PieceAt(from).Kind() == King && (to == from+2 || from == to+2)
}

// IsEnPassant reports whether m, a legal move, captures en passant.
func (p *Position) IsEnPassant(m Move) bool {
	return p.passed != 0 && m.To() == p.passed && p.PieceAt(m.From()).Kind() == Pawn
}

// Captured is the piece that m, a legal move, takes; 0 if it takes none.
func (p *Position) Captured(m Move) Piece {
	if p.IsEnPassant(m) {
		return MakePiece(p.side.Other(), Pawn)
	}
	return p.PieceAt(m.To())
}
