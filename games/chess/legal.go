package chess

import "math/bits"

// board is what move generation knows of a position before it looks at any piece of the side to move.
type board struct {
	own, their, occupied uint64
	diagonal, straight   uint64 // sliders of both sides that move so; queens are in both
	king                 Square
	checkers             uint64
	pinned               uint64 // own pieces that stand alone between a slider and the king
	evasions             uint64 // where a piece other than the king may go: anywhere, or in check, on the checker or before it; nowhere in double check
}

// look finds checks and pins.
func (p *Position) look(b *board) {
	b0, b1, b2 := p.kinds[0], p.kinds[1], p.kinds[2]
	b.occupied = b0 | b1 | b2
	b.own = b.occupied & (p.black ^ (uint64(p.side&1) - 1))
	b.their = b.occupied ^ b.own
	b.diagonal, b.straight = b0&b2, b1&b2
	king := Square(bits.TrailingZeros64(b0&b1&^b2&b.own) & 63)
	b.king = king
	checkers := (pawnAttacks[p.side&1][king]&b0&^b1&^b2 | knightAttacks[king]&b1&^b0&^b2) & b.their
	// Sliders that would give check if own pieces were not there.
	pinned := uint64(0)
	for x := bishopAttacks(king, b.their)&b.diagonal&b.their | rookAttacks(king, b.their)&b.straight&b.their; x != 0; x &= x - 1 {
		blockers := between[king][bits.TrailingZeros64(x)&63] & b.own
		if blockers == 0 {
			checkers |= x & -x
		} else if blockers&(blockers-1) == 0 {
			pinned |= blockers
		}
	}
	b.checkers, b.pinned = checkers, pinned
	switch {
	case checkers == 0:
		b.evasions = ^uint64(0)
	case checkers&(checkers-1) == 0:
		b.evasions = checkers | between[king][bits.TrailingZeros64(checkers)&63]
	default:
		b.evasions = 0
	}
}

// danger are the squares where the king of the side to move would be attacked: he hides nothing behind him.
func (p *Position) danger(b *board) uint64 {
	b0, b1, b2 := p.kinds[0]&b.their, p.kinds[1]&b.their, p.kinds[2]&b.their
	pawns := b0 &^ b1 &^ b2
	up := 8 - int(p.side.Other()&1)*16
	danger := bits.RotateLeft64(pawns&^fileA, up-1) | bits.RotateLeft64(pawns&^fileH, up+1)
	for x := b1 &^ b0 &^ b2; x != 0; x &= x - 1 {
		danger |= knightAttacks[bits.TrailingZeros64(x)&63]
	}
	danger |= kingAttacks[bits.TrailingZeros64(b0&b1&^b2)&63]
	occupied := b.occupied ^ b.king.bit()
	for x := b0 & b2; x != 0; x &= x - 1 {
		danger |= bishopAttacks(Square(bits.TrailingZeros64(x)), occupied)
	}
	for x := b1 & b2; x != 0; x &= x - 1 {
		danger |= rookAttacks(Square(bits.TrailingZeros64(x)), occupied)
	}
	return danger
}

// castles are the squares that the king may castle to, danger given.
func (p *Position) castles(b *board, danger uint64) (to uint64) {
	rights := p.rights
	home := uint(0)
	if p.side == Black {
		rights >>= 2
		home = 56
	}
	rights &= WhiteKingside | WhiteQueenside
	if rights == 0 || b.checkers != 0 {
		return 0
	}
	occupied, danger := b.occupied>>home, danger>>home
	if rights&WhiteKingside != 0 && occupied&0x60 == 0 && danger&0x60 == 0 {
		to |= 0x40
	}
	if rights&WhiteQueenside != 0 && occupied&0x0e == 0 && danger&0x0c == 0 {
		to |= 0x04
	}
	return to << home
}

// pawnMoves are the squares that pawns may go to, by how they get there: one rank up; two; one up and to the side of the a-file, of the
// h-file. Captures en passant are not among them.
type pawnMoves struct {
	up                 int // squares that a step forward adds, modulo 64
	one, two, toA, toH uint64
}

func (p *Position) pawnMoves(b *board) pawnMoves {
	pawns := p.kinds[0] &^ p.kinds[1] &^ p.kinds[2] & b.own
	up, third := 8, uint64(rank1<<16)
	l := &linesOf[b.king]
	lineA, lineH := l.antidiagonal, l.diagonal
	if p.side == Black {
		up, third = -8, rank1<<40
		lineA, lineH = lineH, lineA
	}
	// A pinned pawn may move along the line of the pin alone, and that line goes through the king.
	forward := pawns &^ (b.pinned &^ l.file)
	m := pawnMoves{up: up}
	m.one = bits.RotateLeft64(forward, up) &^ b.occupied
	m.two = bits.RotateLeft64(m.one&third, up) &^ b.occupied & b.evasions
	m.one &= b.evasions
	targets := b.their & b.evasions
	m.toA = bits.RotateLeft64(pawns&^(b.pinned&^lineA)&^fileA, up-1) & targets
	m.toH = bits.RotateLeft64(pawns&^(b.pinned&^lineH)&^fileH, up+1) & targets
	return m
}

// pinLine is the line that a pinned piece may move along.
func pinLine(king, s Square) uint64 {
	l := &linesOf[king&63]
	switch bit := s.bit(); {
	case l.file&bit != 0:
		return l.file
	case l.diagonal&bit != 0:
		return l.diagonal
	case l.antidiagonal&bit != 0:
		return l.antidiagonal
	default:
		return rank1 << (king & 56)
	}
}

// Legal appends the legal moves, in an order that follows from the position alone: the king's, then those of knights, bishops and queens
// on diagonals, rooks and queens on ranks and files, then pawns. It is dst as it was if there are none: mate or stalemate.
func (p *Position) Legal(dst []Move) []Move { return p.generate(dst, ^uint64(0)) }

// Captures appends the legal moves that capture or promote, in the order of [Position.Legal]: what a quiescence search looks at.
func (p *Position) Captures(dst []Move) []Move {
	return p.generate(dst, p.By(p.side.Other()))
}

// generate appends the legal moves to squares of targets; to promote and to capture en passant are always among them.
func (p *Position) generate(dst []Move, targets uint64) []Move {
	var b board
	p.look(&b)
	if to := kingAttacks[b.king] &^ b.own & targets; to != 0 || targets == ^uint64(0) && p.rights != 0 {
		danger := p.danger(&b)
		dst = appendMoves(dst, b.king, to&^danger)
		if targets == ^uint64(0) {
			dst = appendMoves(dst, b.king, p.castles(&b, danger))
		}
	}
	if b.evasions == 0 {
		return dst
	}
	free := b.evasions &^ b.own & targets
	b0, b1, b2 := p.kinds[0], p.kinds[1], p.kinds[2]
	for x := b1 &^ b0 &^ b2 & b.own &^ b.pinned; x != 0; x &= x - 1 {
		s := Square(bits.TrailingZeros64(x) & 63)
		dst = appendMoves(dst, s, knightAttacks[s]&free)
	}
	for x := b.diagonal & b.own; x != 0; x &= x - 1 {
		s := Square(bits.TrailingZeros64(x) & 63)
		to := bishopAttacks(s, b.occupied) & free
		if b.pinned&(x&-x) != 0 {
			to &= pinLine(b.king, s)
		}
		dst = appendMoves(dst, s, to)
	}
	for x := b.straight & b.own; x != 0; x &= x - 1 {
		s := Square(bits.TrailingZeros64(x) & 63)
		to := rookAttacks(s, b.occupied) & free
		if b.pinned&(x&-x) != 0 {
			to &= pinLine(b.king, s)
		}
		dst = appendMoves(dst, s, to)
	}
	m := p.pawnMoves(&b)
	const last = rank1 | rank8
	dst = appendPawnMoves(dst, m.one&(targets|last), m.up)
	dst = appendPawnMoves(dst, m.two&targets, 2*m.up)
	dst = appendPawnMoves(dst, m.toA, m.up-1)
	dst = appendPawnMoves(dst, m.toH, m.up+1)
	if p.enPassant {
		for x := p.enPassantFrom(); x != 0; x &= x - 1 {
			dst = append(dst, MakeMove(Square(bits.TrailingZeros64(x)), p.passed, NoKind))
		}
	}
	return dst
}

func appendMoves(dst []Move, from Square, to uint64) []Move {
	for ; to != 0; to &= to - 1 {
		dst = append(dst, Move(from)|Move(bits.TrailingZeros64(to))<<6)
	}
	return dst
}

// appendPawnMoves appends the moves of pawns that have come by steps squares.
func appendPawnMoves(dst []Move, to uint64, by int) []Move {
	for ; to != 0; to &= to - 1 {
		t := bits.TrailingZeros64(to)
		m := Move((t-by)&63) | Move(t)<<6
		if t >= 8 && t < 56 {
			dst = append(dst, m)
		} else {
			dst = append(dst, m|Move(Queen)<<12, m|Move(Rook)<<12, m|Move(Bishop)<<12, m|Move(Knight)<<12)
		}
	}
	return dst
}

// IsLegal reports whether m is a legal move; of any value.
func (p *Position) IsLegal(m Move) bool {
	var room [MaxLegal]Move
	for _, l := range p.Legal(room[:0]) {
		if l == m {
			return true
		}
	}
	return false
}

// MaxLegal is room for the legal moves of every position that a game can lead to from the usual start: the most that is known is 218. Where
// pieces are placed at will (15 queens) there may be more, and append does what it does.
const MaxLegal = 256
