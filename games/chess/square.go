package chess

// Square is one of the 64 squares, rank by rank from White's side: a1 is 0, h1 is 7, a2 is 8, h8 is 63. Other values are no squares.
type Square uint8

// MakeSquare gives the square on a file (0 is a, 7 is h) and a rank (0 is White's first, 7 its eighth). Only the low three bits of each count.
func MakeSquare(file, rank int) Square { return Square(rank&7<<3 | file&7) }

// File is 0 for the a-file to 7 for the h-file.
func (s Square) File() int { return int(s & 7) }

// Rank is 0 for White's first rank to 7 for its eighth.
func (s Square) Rank() int { return int(s >> 3) }

// Dark reports whether the square is a dark one, as a1 is.
func (s Square) Dark() bool { return (s>>3^s)&1 == 0 }

// String gives the square's name, such as "e4"; "-" for a value above 63.
func (s Square) String() string {
	if s > 63 {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// bit is the bitboard of the square alone.
func (s Square) bit() uint64 { return 1 << (s & 63) }

// ParseSquare reads a name such as "e4"; ok is false for anything else.
func ParseSquare(name string) (s Square, ok bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, false
	}
	return Square(name[1]-'1')<<3 | Square(name[0]-'a'), true
}
