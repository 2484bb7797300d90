package chess

// Color is a side: the seat of the same number plays it.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other is the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String gives "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// Kind is what a piece is, whoever it belongs to. The values are below 8 and not in order of worth: their bits tell how the kind moves
// (4: it slides; then 1: along diagonals, 2: along ranks and files).
type Kind uint8

// The kinds of pieces.
const (
	NoKind Kind = 0
	Pawn   Kind = 1
	Knight Kind = 2
	King   Kind = 3
	Bishop Kind = 5
	Rook   Kind = 6
	Queen  Kind = 7
)

const kindLetters = "?pnk?brq"

// String gives the lower-case English letter of the kind, as in FEN and UCI; "?" for what is no kind.
func (k Kind) String() string { return kindLetters[k&7 : k&7+1] }

// kindOf gives the kind of a lower-case letter.
func kindOf(letter byte) (Kind, bool) {
	for k := range Kind(8) {
		if kindLetters[k] == letter && letter != '?' {
			return k, true
		}
	}
	return NoKind, false
}

// Piece is a kind and whose it is. The zero value is an empty square; values are below 16.
type Piece uint8

// MakePiece gives the piece of a side and a kind.
func MakePiece(c Color, k Kind) Piece { return Piece(c)<<3 | Piece(k) }

// Kind is what the piece is, NoKind for an empty square.
func (p Piece) Kind() Kind { return Kind(p & 7) }

// Color is whose the piece is; of no meaning for an empty square.
func (p Piece) Color() Color { return Color(p >> 3 & 1) }

// String gives the letter that FEN has for the piece, upper-case for White's; "." for an empty square.
func (p Piece) String() string { return string(p.letter()) }

func (p Piece) letter() rune {
	switch l := kindLetters[p&7]; {
	case l == '?':
		return '.'
	case p.Color() == White:
		return rune(l - 'a' + 'A')
	default:
		return rune(l)
	}
}
