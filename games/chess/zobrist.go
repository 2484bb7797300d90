package chess

// keys are the numbers whose exclusive-or identifies a position (Zobrist 1970).
type keys struct {
	pieces    [16][64]uint64 // by Piece; none for the empty square
	castling  [16]uint64     // by rights; none for no rights
	enPassant [8]uint64      // by file
	black     uint64         // to move
}

var zobrist = makeKeys()

// makeKeys draws them by SplitMix64 (Steele, Lea and Flood 2014) from a fixed seed.
func makeKeys() (k keys) {
	x := uint64(0x6368657373) // "chess"
	next := func() uint64 {
		x += 0x9e3779b97f4a7c15
		z := (x ^ x>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for p := range k.pieces {
		if kindLetters[p&7] == '?' {
			continue
		}
		for s := range k.pieces[p] {
			k.pieces[p][s] = next()
		}
	}
	var rights [4]uint64
	for i := range rights {
		rights[i] = next()
	}
	for set := range k.castling {
		for i, r := range rights {
			if set>>i&1 != 0 {
				k.castling[set] ^= r
			}
		}
	}
	for f := range k.enPassant {
		k.enPassant[f] = next()
	}
	k.black = next()
	return k
}
