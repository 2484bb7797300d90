package chess

import "math/bits"

// Count is the number of legal moves, without a list of them.
func (p *Position) Count() int {
	var b board
	p.look(&b)
	n := 0
	own, rights := kingAttacks[b.king]&^b.own, p.rights>>(p.side&1<<1)&3
	if own != 0 || rights != 0 {
		danger := p.danger(&b)
		n = bits.OnesCount64(own &^ danger)
		if rights != 0 {
			n += bits.OnesCount64(p.castles(&b, danger))
		}
	}
	if b.evasions == 0 {
		return n
	}
	free := b.evasions &^ b.own
	b0, b1, b2 := p.kinds[0], p.kinds[1], p.kinds[2]
	for x := b1 &^ b0 &^ b2 & b.own &^ b.pinned; x != 0; x &= x - 1 {
		n += bits.OnesCount64(knightAttacks[bits.TrailingZeros64(x)&63] & free)
	}
	for x := b.diagonal & b.own &^ b.pinned; x != 0; x &= x - 1 {
		n += bits.OnesCount64(bishopAttacks(Square(bits.TrailingZeros64(x)), b.occupied) & free)
	}
	for x := b.straight & b.own &^ b.pinned; x != 0; x &= x - 1 {
		n += bits.OnesCount64(rookAttacks(Square(bits.TrailingZeros64(x)), b.occupied) & free)
	}
	for x := b.pinned & b2; x != 0; x &= x - 1 {
		n += bits.OnesCount64(b.slides(Square(bits.TrailingZeros64(x))) & free)
	}
	m := p.pawnMoves(&b)
	const last = rank1 | rank8
	n += bits.OnesCount64(m.one) + bits.OnesCount64(m.two) + bits.OnesCount64(m.toA) + bits.OnesCount64(m.toH)
	if promotions := (m.one | m.toA | m.toH) & last; promotions != 0 {
		n += 3 * (bits.OnesCount64(m.one&last) + bits.OnesCount64(m.toA&last) + bits.OnesCount64(m.toH&last))
	}
	if p.enPassant {
		n += bits.OnesCount64(p.enPassantFrom())
	}
	return n
}

// HasLegal reports whether there is a legal move: if not, it is mate or stalemate.
func (p *Position) HasLegal() bool {
	var b board
	p.look(&b)
	if b.evasions != 0 {
		free := b.evasions &^ b.own
		b0, b1, b2 := p.kinds[0], p.kinds[1], p.kinds[2]
		m := p.pawnMoves(&b)
		if m.one|m.two|m.toA|m.toH != 0 {
			return true
		}
		for x := b1 &^ b0 &^ b2 & b.own &^ b.pinned; x != 0; x &= x - 1 {
			if knightAttacks[bits.TrailingZeros64(x)&63]&free != 0 {
				return true
			}
		}
		for x := b2 & b.own; x != 0; x &= x - 1 {
			if b.slides(Square(bits.TrailingZeros64(x)))&free != 0 {
				return true
			}
		}
		if p.enPassant {
			return true
		}
	}
	to := kingAttacks[b.king] &^ b.own // who may castle may move one square as well
	return to != 0 && to&^p.danger(&b) != 0
}

// slides are the squares that a sliding piece on s attacks, along its pin if it is pinned.
func (b *board) slides(s Square) uint64 {
	to := uint64(0)
	if b.diagonal&s.bit() != 0 {
		to = bishopAttacks(s, b.occupied)
	}
	if b.straight&s.bit() != 0 {
		to |= rookAttacks(s, b.occupied)
	}
	if b.pinned&s.bit() != 0 {
		to &= pinLine(b.king, s)
	}
	return to
}

// Perft counts the positions at the end of all sequences of depth legal moves, each sequence for itself: the standard test of a move generator.
// It keeps no table of positions that it has seen; the moves of the last ply are counted and not made ("bulk counting"). Below 1 it is 1.
func (p *Position) Perft(depth int) uint64 {
	switch {
	case depth < 1:
		return 1
	case depth == 1:
		return uint64(p.Count())
	}
	var room [MaxLegal]Move
	n := uint64(0)
	for _, m := range p.Legal(room[:0]) {
		next := *p
		next.Play(m)
		n += next.Perft(depth - 1)
	}
	return n
}
