package chess

import (
	"math/bits"
	"strings"
)

// Position is all that FEN says: the pieces, the side to move, castling rights, the en passant square and the two clocks. It is a value of
// 48 bytes: copy it with =, compare it with ==. The zero Position is not one of chess; [Initial] and [ParseFEN] make positions, and
// [Position.Play] takes them on. Methods that only read may run at once.
type Position struct {
	// A square's piece is spelt by its bit in each of kinds, least significant first, and in black. So each kind is a few ANDs away, and a
	// position is a third of the size that a board for every kind and colour would need.
	kinds     [3]uint64
	black     uint64
	key       uint64
	halfmove  uint16
	fullmove  uint16
	side      Color
	rights    Castling
	passed    Square // by the double step just made; 0 if there was none
	enPassant bool   // a capture en passant is legal
}

// Castling is a set of castling rights.
type Castling uint8

// The rights, in the order of FEN.
const (
	WhiteKingside Castling = 1 << iota
	WhiteQueenside
	BlackKingside
	BlackQueenside
)

// String gives the rights as FEN does, "-" for none.
func (c Castling) String() string {
	var b strings.Builder
	for i := range 4 {
		if c>>i&1 != 0 {
			b.WriteByte("KQkq"[i])
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// lost has, by square, the rights that end when a piece leaves it or is taken on it.
var lost = [64]Castling{0: WhiteQueenside, 4: WhiteKingside | WhiteQueenside, 7: WhiteKingside, 56: BlackQueenside, 60: BlackKingside | BlackQueenside, 63: BlackKingside}

// SideToMove is the side whose turn it is.
func (p *Position) SideToMove() Color { return p.side }

// Castling is the rights that are left. Whether castling is possible now is another matter.
func (p *Position) Castling() Castling { return p.rights }

// EnPassant is the square that a pawn's double step has just passed, as FEN shows it; ok is false if the last move was none.
func (p *Position) EnPassant() (passed Square, ok bool) { return p.passed, p.passed != 0 }

// EnPassantLegal reports whether some capture en passant is legal.
func (p *Position) EnPassantLegal() bool { return p.enPassant }

// HalfmoveClock counts the plies since the last capture or pawn move; it stays at 65,535.
func (p *Position) HalfmoveClock() int { return int(p.halfmove) }

// FullmoveNumber is 1 for the first move of both sides; it stays at 65,535.
func (p *Position) FullmoveNumber() int { return int(p.fullmove) }

// Key identifies the position as repetition counts it: pieces, side to move, castling rights, and the file of the double step just made if
// it can legally be captured en passant. The clocks are not in it. Two positions that differ have the same key by chance once in 2^64.
// Keys are the same in all programs that use one version of this package; records do not hold them.
func (p *Position) Key() uint64 { return p.key }

// Occupied are the squares with a piece, as a bitboard: bit s stands for Square s.
func (p *Position) Occupied() uint64 { return p.kinds[0] | p.kinds[1] | p.kinds[2] }

// By are the squares of a side's pieces.
func (p *Position) By(c Color) uint64 {
	return p.Occupied() & (p.black ^ (uint64(c&1) - 1))
}

// Of are the squares of all pieces of a kind, whoever they belong to; of NoKind, the empty squares.
func (p *Position) Of(k Kind) uint64 {
	b := ^uint64(0)
	for i, plane := range p.kinds {
		b &= plane ^ (uint64(k>>i&1) - 1)
	}
	return b
}

// Pieces are the squares of a side's pieces of a kind.
func (p *Position) Pieces(c Color, k Kind) uint64 { return p.Of(k) & p.By(c) }

// PieceAt is the piece on a square, 0 if there is none.
func (p *Position) PieceAt(s Square) Piece {
	s &= 63
	return Piece(p.kinds[0]>>s&1 | p.kinds[1]>>s&1<<1 | p.kinds[2]>>s&1<<2 | p.black>>s&1<<3)
}

// King is the square of a side's king.
func (p *Position) King(c Color) Square { return Square(bits.TrailingZeros64(p.Pieces(c, King)) & 63) }

// put sets an empty square.
func (p *Position) put(piece Piece, s Square) {
	for i := range p.kinds {
		p.kinds[i] |= uint64(piece>>i&1) << s
	}
	p.black |= uint64(piece>>3) << s
}

// remove empties a square.
func (p *Position) remove(s Square) {
	for i := range p.kinds {
		p.kinds[i] &^= s.bit()
	}
	p.black &^= s.bit()
}

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.Attackers(p.King(p.side), p.side.Other()) != 0 }

// Attackers are the squares of c's pieces that attack a square, pinned ones among them.
func (p *Position) Attackers(s Square, c Color) uint64 {
	return p.attackers(s, c, p.Occupied(), p.By(c))
}

// attackers is Attackers with other occupied squares, among the pieces on theirs.
func (p *Position) attackers(s Square, c Color, occupied, theirs uint64) uint64 {
	s &= 63
	b0, b1, b2 := p.kinds[0], p.kinds[1], p.kinds[2]
	return theirs & (pawnAttacks[c.Other()&1][s]&b0&^b1&^b2 |
		knightAttacks[s]&b1&^b0&^b2 |
		kingAttacks[s]&b0&b1&^b2 |
		bishopAttacks(s, occupied)&b0&b2 |
		rookAttacks(s, occupied)&b1&b2)
}

// captures en passant are legal from the squares of the result.
func (p *Position) enPassantFrom() uint64 {
	if p.passed == 0 {
		return 0
	}
	us, them := p.side, p.side.Other()
	king := p.King(us)
	taken := p.passed ^ 8
	var legal uint64
	for from := pawnAttacks[them&1][p.passed&63] & p.Pieces(us, Pawn); from != 0; from &= from - 1 {
		occupied := p.Occupied() ^ from&-from ^ taken.bit() | p.passed.bit()
		if p.attackers(king, them, occupied, p.By(them)&occupied) == 0 {
			legal |= from & -from
		}
	}
	return legal
}

// fullKey computes the key from the position alone.
func (p *Position) fullKey() uint64 {
	key := zobrist.castling[p.rights&15]
	for b := p.Occupied(); b != 0; b &= b - 1 {
		s := Square(bits.TrailingZeros64(b))
		key ^= zobrist.pieces[p.PieceAt(s)][s]
	}
	if p.enPassant {
		key ^= zobrist.enPassant[p.passed&7]
	}
	if p.side == Black {
		key ^= zobrist.black
	}
	return key
}
