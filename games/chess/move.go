package chess

// Move is what UCI writes of a move: where from, where to, and what a pawn becomes. Castling is the king's move of two files, and everything
// else that a move does follows from the position. The bits, from the lowest: 6 for from, 6 for to, 3 for the kind. Equal moves are ==.
// The zero value is no move.
type Move uint16

// NoMove is the zero Move: no chess move goes from a1 to a1. UCI writes it "0000".
const NoMove Move = 0

// MakeMove gives the move between two squares; promotion is NoKind unless a pawn reaches the last rank.
func MakeMove(from, to Square, promotion Kind) Move {
	return Move(from&63) | Move(to&63)<<6 | Move(promotion&7)<<12
}

// From is the square that the piece leaves.
func (m Move) From() Square { return Square(m & 63) }

// To is the square that the piece reaches.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion is what the pawn becomes, NoKind for all other moves.
func (m Move) Promotion() Kind { return Kind(m >> 12 & 7) }

// String gives the move in UCI, such as "e2e4" or "e7e8q"; "0000" for NoMove.
func (m Move) String() string {
	if m == NoMove {
		return "0000"
	}
	var b [5]byte
	return string(m.appendUCI(b[:0]))
}

func (m Move) appendUCI(dst []byte) []byte {
	from, to := m.From(), m.To()
	dst = append(dst, 'a'+byte(from&7), '1'+byte(from>>3), 'a'+byte(to&7), '1'+byte(to>>3))
	if k := m.Promotion(); k != NoKind {
		dst = append(dst, kindLetters[k])
	}
	return dst
}

// readUCI reads the text of a move as UCI writes it, to the letter; ok is false for anything else, "0000" included. Whether any position has
// such a move is not its matter.
func readUCI(text string) (m Move, ok bool) {
	if len(text) != 4 && len(text) != 5 {
		return NoMove, false
	}
	from, ok1 := ParseSquare(text[:2])
	to, ok2 := ParseSquare(text[2:4])
	if !ok1 || !ok2 || from == to {
		return NoMove, false
	}
	promotion := NoKind
	if len(text) == 5 {
		switch text[4] {
		case 'q':
			promotion = Queen
		case 'r':
			promotion = Rook
		case 'b':
			promotion = Bishop
		case 'n':
			promotion = Knight
		default:
			return NoMove, false
		}
	}
	return MakeMove(from, to, promotion), true
}
