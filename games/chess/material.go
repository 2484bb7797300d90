package chess

import "math/bits"

// CanMate reports whether c has the material to mate by some sequence of legal moves, however badly the other side plays: what FIDE's article
// 6.9 asks when the other side runs out of time. It goes by the pieces on the board alone, not by where they stand, so in a locked position
// it may say yes where there is no way; no is certain. A bare king cannot mate; a pawn, a rook or a queen can, and so can two knights, a
// knight and a bishop, and bishops on squares of both colors. A single knight needs a piece of the other side that can block its king's
// way, which a queen is not; bishops that all stand on squares of one color need a knight, a pawn or a bishop of the other color.
func (p *Position) CanMate(c Color) bool {
	mine := p.By(c)
	bishops, knights := p.Of(Bishop), p.Of(Knight)
	switch {
	case mine&(p.Of(Pawn)|p.Of(Rook)|p.Of(Queen)) != 0:
		return true
	case mine&knights != 0:
		theirs := p.By(c.Other())
		return bits.OnesCount64(mine) > 2 || theirs&^p.Of(King)&^p.Of(Queen) != 0
	case mine&bishops != 0:
		return bishops&light != 0 && bishops&^light != 0 || knights|p.Of(Pawn) != 0
	}
	return false
}

// InsufficientMaterial reports whether neither side can mate, in the sense of [Position.CanMate]: bare kings, one knight beside them, or any
// number of bishops that all stand on squares of one color. The game is then a draw.
func (p *Position) InsufficientMaterial() bool { return !p.CanMate(White) && !p.CanMate(Black) }
