package chess

import "math"

// Play makes a legal move, in place. Of a move that [Position.Legal] does not list it makes some position that may break the rules, and
// never panics; [Position.IsLegal] tells beforehand.
func (p *Position) Play(m Move) {
	from, to, us := m.From(), m.To(), p.side
	piece, taken := p.PieceAt(from), p.PieceAt(to)
	placed := piece
	if k := m.Promotion(); k != NoKind {
		placed = MakePiece(us, k)
	}
	gone := ^(from.bit() | to.bit())
	p.kinds[0] = p.kinds[0]&gone | uint64(placed&1)<<(to&63)
	p.kinds[1] = p.kinds[1]&gone | uint64(placed>>1&1)<<(to&63)
	p.kinds[2] = p.kinds[2]&gone | uint64(placed>>2&1)<<(to&63)
	p.black = p.black&gone | uint64(placed>>3&1)<<(to&63)
	key := p.key ^ zobrist.black ^ zobrist.pieces[piece&15][from] ^ zobrist.pieces[placed&15][to] ^ zobrist.pieces[taken&15][to]
	if p.enPassant {
		key ^= zobrist.enPassant[p.passed&7]
	}
	if gone := p.rights & (lost[from] | lost[to]); gone != 0 {
		key ^= zobrist.castling[p.rights&15]
		p.rights &^= gone
		key ^= zobrist.castling[p.rights&15]
	}
	passed := p.passed
	p.passed, p.enPassant = 0, false
	p.side = us.Other()
	p.halfmove += uint16((uint32(p.halfmove) - math.MaxUint16) >> 31) // one more, unless it is at the end
	if us == Black && p.fullmove < math.MaxUint16 {
		p.fullmove++
	}
	switch {
	case piece.Kind() == Pawn:
		p.halfmove = 0
		switch {
		case from^to == 16: // two ranks, straight
			p.passed = (from + to) / 2
			if pawnAttacks[us&1][p.passed&63]&p.Pieces(p.side, Pawn) != 0 && p.enPassantFrom() != 0 {
				p.enPassant = true
				key ^= zobrist.enPassant[p.passed&7]
			}
		case to == passed && passed != 0:
			victim := to ^ 8
			key ^= zobrist.pieces[MakePiece(p.side, Pawn)&15][victim]
			p.remove(victim)
		}
	case taken != 0:
		p.halfmove = 0
	case piece.Kind() == King && (from-to == 2 || to-from == 2): // castling
		rook := MakePiece(us, Rook)
		corner, beside := to+1, to-1
		if to < from {
			corner, beside = to-2, to+1
		}
		p.remove(corner & 63)
		p.put(rook, beside&63)
		key ^= zobrist.pieces[rook&15][corner&63] ^ zobrist.pieces[rook&15][beside&63]
	}
	p.key = key
}

// Pass gives the turn to the other side, for the null move of searches: no double step has been made any more, the halfmove clock goes on.
// It is no move of chess, and must not be made in check.
func (p *Position) Pass() {
	p.key ^= zobrist.black
	if p.enPassant {
		p.key ^= zobrist.enPassant[p.passed&7]
	}
	p.passed, p.enPassant = 0, false
	if p.halfmove < math.MaxUint16 {
		p.halfmove++
	}
	if p.side == Black && p.fullmove < math.MaxUint16 {
		p.fullmove++
	}
	p.side = p.side.Other()
}
