package house

import (
	"math/rand/v2"
	"testing"
)

// minimax is look without bounds and without a table.
func minimax(x *search, depth int) int {
	switch {
	case x.left == 0:
		return 0
	case depth == 0:
		return x.value()
	}
	n := x.width
	if x.left <= x.solve {
		n = x.left
	}
	best := -infinite
	for _, c := range x.gather(nil, n, -1) {
		points := x.mark(int(c.cell))
		best = max(best, points*point-minimax(x, depth-1))
		x.unmark(int(c.cell), points)
	}
	return best
}

// somewhere plays moves at random, most of them where much is at stake, until left cells are empty.
func somewhere(w *weights, r *rand.Rand, left int) *board {
	b := newBoard(w)
	for b.left > left {
		list := b.gather(nil, b.left, -1)
		b.mark(int(list[min(r.IntN(len(list)), r.IntN(len(list)))].cell))
	}
	return b
}

// TestLook compares alpha-beta with minimax at small depths, and solved endings with the table and without.
func TestLook(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := map[int]bool{}
	for k := range 150 {
		left := 1 + k%60
		x := search{board: somewhere(fitted, r, left), width: 3 + k%3, solve: 5}
		before, depth := *x.board, 1+k%4
		if left <= 6 {
			depth = left
			x.solve = left
		}
		want := minimax(&x, depth)
		for _, size := range []int{0, 1, 1 << 12} {
			x.table = make([]entry, size)
			if size == 0 {
				x.table = nil
			}
			x.nodes = 1 << 30
			got := x.look(depth, -infinite, infinite)
			// A table may know a position at another depth, and reaches more cells by its first one: that is not minimax, but for endings.
			if got != want && (size == 0 || left <= 6) {
				t.Errorf("%d cells left, depth %d, table of %d: %d, want %d", left, depth, size, got, want)
			}
			if *x.board != before {
				t.Fatalf("%d cells left, depth %d: the board has changed", left, depth)
			}
			// A narrow window around the value tells the same.
			x.table = nil
			if low, high := x.look(depth, want-1, want), x.look(depth, want, want+1); low != want || high != want {
				t.Errorf("%d cells left, depth %d: %d and %d in windows below and above, want %d", left, depth, low, high, want)
			}
		}
		values[want] = true
	}
	if len(values) < 50 {
		t.Errorf("%d values are too few to tell anything", len(values))
	}
}

// TestEnds gives each opponent that looks ahead positions with few cells left, and nodes for all that can follow: it takes a best one.
func TestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for k := range levels {
		l := &levels[k]
		if l.nodes == 0 {
			continue
		}
		wrong := 0
		for n := range 40 {
			left := 1 + n%5
			b := somewhere(l.weights, r, left)
			x := search{board: b, width: left}
			i := l.choose(b, budget{nodes: 3000}, r)
			best := minimax(&x, left)
			points := b.mark(i)
			if points*point-minimax(&x, left-1) != best {
				wrong++
			}
			b.unmark(i, points)
		}
		if wrong > 0 {
			t.Errorf("%s: %d of 40 endings are not played well", l.name, wrong)
		}
	}
}

// TestBudget counts what searches look at: no more than they may, and no more than pollEvery nodes after they are told to stop.
func TestBudget(t *testing.T) {
	for k := range levels {
		l := &levels[k]
		if l.nodes == 0 {
			continue
		}
		for _, nodes := range []int{1, 2, 100, 5000} {
			b := somewhere(l.weights, rand.New(rand.NewPCG(1, uint64(nodes))), 60)
			before := *b
			asked := 0
			left := budget{nodes: nodes, stop: func() bool { asked++; return false }}
			if i := l.choose(b, left, rand.New(rand.NewPCG(1, 2))); !b.empty(i) {
				t.Errorf("%s, %d nodes: cell %d", l.name, nodes, i)
			}
			if most := nodes/pollEvery + 1; asked > most {
				t.Errorf("%s, %d nodes: asked %d times whether to stop, not at most %d", l.name, nodes, asked, most)
			}
			if *b != before {
				t.Errorf("%s, %d nodes: the board has changed", l.name, nodes)
			}
		}
		for _, after := range []int{0, 1, 3} {
			b := somewhere(l.weights, rand.New(rand.NewPCG(1, 2)), 60)
			asked := 0
			stop := func() bool { asked++; return asked > after }
			if i := l.choose(b, budget{nodes: 1 << 30, stop: stop}, rand.New(rand.NewPCG(1, 2))); !b.empty(i) {
				t.Errorf("%s: cell %d", l.name, i)
			}
			if asked != after+1 {
				t.Errorf("%s: asked %d times, and told to stop the %dth time", l.name, asked, after+1)
			}
		}
	}
}

// TestTreeIsBounded looks at more than the tree may hold.
func TestTreeIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	x := tree{board: somewhere(switches, rand.New(rand.NewPCG(1, 2)), 70), width: 70}
	x.budget.nodes = 200_000
	root := []int{}
	for _, c := range x.gather(nil, 70, -1) {
		root = append(root, int(c.cell))
	}
	if i := x.best(root); !x.empty(i) {
		t.Errorf("cell %d", i)
	}
	if n := len(x.nodes); n > maxTree || n < maxTree-70 {
		t.Errorf("%d nodes in the tree, want nearly %d", n, maxTree)
	}
}
