package house

import (
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
)

// plain is a board without what is kept up to date.
type plain struct {
	moves []int
}

// owner tells who has a cell: 0 or 1, or -1.
func (p *plain) owner(row, col int) int {
	for k, i := range p.moves {
		if i == row*9+col {
			return k % 2
		}
	}
	return -1
}

// after gives the state of the rules.
func (p *plain) after(t *rapid.T) (grid.Rules, grid.State) {
	rules := grid.Rules{Size: 9}
	s, err := rules.Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range p.moves {
		rules.Apply(&s, []game.Move[grid.Cell]{{Action: grid.Cell{Row: int8(i / 9), Col: int8(i % 9)}}})
	}
	return rules, s
}

// earns asks the rules what the seat to move would earn on a cell.
func (p *plain) earns(t *rapid.T, i int) int {
	rules, s := p.after(t)
	rules.Apply(&s, []game.Move[grid.Cell]{{Action: grid.Cell{Row: int8(i / 9), Col: int8(i % 9)}}})
	return rules.View(&s, game.Spectator).(grid.View).LastMove.Total()
}

// windows adds up the worth of windows with marks of one seat alone, for seat 0.
func (p *plain) windows(plain, inArea [2]int) int {
	sum := 0
	for row := range 9 {
		for col := range 9 {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				endRow, endCol := row+2*d[0], col+2*d[1]
				if endRow > 8 || endCol < 0 || endCol > 8 {
					continue
				}
				n := map[int]int{}
				for k := range 3 {
					n[p.owner(row+k*d[0], col+k*d[1])]++
				}
				by := plain
				if row/3 == endRow/3 && col/3 == endCol/3 {
					by = inArea
				}
				for seat, sign := range []int{1, -1} {
					if n[1-seat] == 0 && n[seat] > 0 && n[seat] < 3 {
						sum += sign * by[n[seat]-1]
					}
				}
			}
		}
	}
	return sum
}

// TestBoard sets marks and takes them back at random, and compares what the board keeps up to date with what the rules say, and with a count of
// the windows.
func TestBoard(t *testing.T) {
	ordinary, inArea := [2]int{3, -5}, [2]int{70, 11}
	w := newWeights(15, 17, 9, 32, ordinary, inArea)
	rapid.Check(t, func(t *rapid.T) {
		b, p := newBoard(w), new(plain)
		var earned []int
		boards := []board{*b}
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			if n := len(p.moves); n > 0 && (b.left == 0 || rapid.IntRange(0, 4).Draw(t, "back") == 0) {
				b.unmark(p.moves[n-1], earned[n-1])
				p.moves, earned, boards = p.moves[:n-1], earned[:n-1], boards[:n]
				if *b != boards[n-1] {
					t.Fatalf("taken back: %s", cmp.Diff(boards[n-1].left, b.left))
				}
				continue
			}
			list := b.gather(nil, b.left, -1)
			// The first of the list are those where most is at stake: long lines come up.
			i := int(list[min(rapid.IntRange(0, len(list)-1).Draw(t, "cell"), rapid.IntRange(0, len(list)-1).Draw(t, "other"))].cell)
			want := p.earns(t, i)
			got := b.mark(i)
			if got != want {
				t.Fatalf("cell %d after %v earns %d, want %d", i, p.moves, got, want)
			}
			p.moves, earned, boards = append(p.moves, i), append(earned, got), append(boards, *b)
		}
		rules, s := p.after(t)
		v := rules.View(&s, game.Spectator).(grid.View)
		if b.lead != v.Scores[0]-v.Scores[1] || b.left != 81-len(p.moves) || b.mover != len(p.moves)%2 {
			t.Errorf("lead %d, left %d, mover %d after %v", b.lead, b.left, b.mover, p.moves)
		}
		mean, stakes := 0, [64]int{}
		for _, c := range rules.Legal(nil, &s, 0) {
			i := rules.Index(c)
			if !b.empty(i) {
				t.Fatalf("cell %d is not empty", i)
			}
			mover := p.earns(t, i)
			if b.earns(i, b.mover) != mover {
				t.Errorf("cell %d: %d for the mover, want %d", i, b.earns(i, b.mover), mover)
			}
			mean += b.earns(i, 0) - b.earns(i, 1)
			stakes[b.earns(i, 0)+b.earns(i, 1)]++
		}
		if b.mean != mean {
			t.Errorf("mean %d, want %d", b.mean, mean)
		}
		for n, count := range stakes {
			if int(b.odd>>n&1) != count%2 {
				t.Errorf("%d cells are worth %d; odd is %b", count, n, b.odd)
			}
		}
		want := p.windows(ordinary, inArea)
		if b.pot != want {
			t.Errorf("potential %d, want %d", b.pot, want)
		}
		// Both seats take the cell with the highest stake, in turn.
		turns, sign := 0, 1
		for n := len(stakes) - 1; n > 0; n-- {
			for range stakes[n] {
				turns += sign * n
				sign = -sign
			}
		}
		own := 15*mean + want*min(b.left, 32)/32
		if b.mover == 1 {
			own = -own
		}
		if want := own + 17*turns + 9*min(b.left, 32)/32; b.value() != want {
			t.Errorf("value %d, want %d", b.value(), want)
		}
	})
}

// TestGather compares the list with a sorted one.
func TestGather(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBoard(shapely)
		for range rapid.IntRange(0, 80).Draw(t, "moves") {
			list := b.gather(nil, b.left, -1)
			b.mark(int(list[rapid.IntRange(0, len(list)-1).Draw(t, "cell")].cell))
		}
		all := b.gather(nil, b.left, -1)
		if len(all) != bits.OnesCount64(b.free[0])+bits.OnesCount64(b.free[1]) {
			t.Fatalf("%d of %d cells", len(all), b.left)
		}
		for k, c := range all {
			if int(c.key) != b.key(int(c.cell)) || !b.empty(int(c.cell)) {
				t.Errorf("cell %d has the key %d, not %d", c.cell, c.key, b.key(int(c.cell)))
			}
			if k > 0 && (all[k-1].key < c.key || all[k-1].key == c.key && all[k-1].cell >= c.cell) {
				t.Errorf("%v before %v", all[k-1], c)
			}
		}
		n := rapid.IntRange(1, b.left).Draw(t, "n")
		if d := cmp.Diff(all[:n], b.gather(nil, n, -1), cmp.AllowUnexported(candidate{})); d != "" {
			t.Errorf("the first %d:\n%s", n, d)
		}
		first := int(all[b.left-1].cell)
		if got := b.gather(nil, n, first); len(got) != n || int(got[0].cell) != first {
			t.Errorf("cell %d is not before %v", first, got)
		}
	})
}
