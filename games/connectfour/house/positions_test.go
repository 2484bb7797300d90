package house_test

import "math/rand/v2"

// boardAfter plays letters of columns; nil if somebody wins on the way.
func boardAfter(moves string) *plainBoard {
	b := new(plainBoard)
	for _, m := range moves {
		c := int(m - 'a')
		b.play(c)
		if b.line(c) {
			return nil
		}
	}
	return b
}

// positions draws the positions of positions.txt: 14 to 40 discs, one in four from play by lot and the rest from play in which
// nobody leaves or overlooks a win of the next disc.
func positions() []string {
	var list []string
	seen := make(map[[2]uint64]bool)
	for seed := uint64(0); len(list) < 1000; seed++ {
		r := rand.New(rand.NewPCG(seed, 4))
		discs, careful := 14+int(seed%27), seed/27%4 != 0
		b, moves := new(plainBoard), ""
		for b.ply < discs {
			c := drawColumn(r, b, careful)
			if c < 0 {
				break
			}
			b.play(c)
			moves += string(rune('a' + c))
		}
		if b.ply == discs && !seen[b.discs] {
			seen[b.discs] = true
			list = append(list, moves)
		}
	}
	return list
}

// drawColumn draws a column by which nobody wins; below 0: there is none. A careful player's game ends where somebody can win.
func drawColumn(r *rand.Rand, b *plainBoard, careful bool) int {
	found := -1
	for _, c := range r.Perm(7) {
		if b.height[c] == 6 {
			continue
		}
		b.play(c)
		won := b.line(c)
		hangs := careful && canWin(b)
		b.undo(c)
		switch {
		case won && careful:
			return -1
		case !won && !hangs && found < 0:
			found = c
		}
	}
	return found
}

// canWin tells whether the side to move has a win of its next disc.
func canWin(b *plainBoard) bool {
	for c := range 7 {
		if b.height[c] == 6 {
			continue
		}
		b.play(c)
		won := b.line(c)
		b.undo(c)
		if won {
			return true
		}
	}
	return false
}
