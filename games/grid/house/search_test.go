package house

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
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

// TestTable asks for the values of endings in many windows with one table, which by then holds bounds of all kinds, and is so small at times that
// positions drive each other out. What is below a window or above it may be told as a bound, but as no false one.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	kinds := [3]int{} // values within the window, below, above
	for k := range 90 {
		left := 4 + k%3
		x := search{board: somewhere(refitted, r, left), width: left}
		want := minimax(&x, left)
		x.table = make([]entry, []int{2, 16, 1 << 12}[k/3%3])
		for range 24 {
			x.nodes = 1 << 30
			// The values of endings are whole points, and so often are the edges of windows.
			alpha := want + point*(r.IntN(9)-5)
			beta := alpha + point*(1+r.IntN(3)) - r.IntN(2)
			got := x.look(left, alpha, beta)
			switch {
			case want <= alpha:
				kinds[1]++
				if got < want || got > alpha {
					t.Errorf("%d cells left, window %d to %d: %d, want %d to %d", left, alpha, beta, got, want, alpha)
				}
			case want >= beta:
				kinds[2]++
				if got > want || got < beta {
					t.Errorf("%d cells left, window %d to %d: %d, want %d to %d", left, alpha, beta, got, beta, want)
				}
			default:
				kinds[0]++
				if got != want {
					t.Errorf("%d cells left, window %d to %d: %d, want %d", left, alpha, beta, got, want)
				}
			}
		}
	}
	for i, n := range kinds {
		if n < 200 {
			t.Errorf("only %d windows of kind %d", n, i)
		}
	}
}

// TestRootKeepsItsCells: looking deeper and deeper brings the best cell to the front, and loses none.
func TestRootKeepsItsCells(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	moved := 0
	for range 60 {
		x := search{board: somewhere(fitted, r, 8+r.IntN(60)), width: 6, depth: 4, budget: budget{nodes: 20_000}}
		var root []int
		for _, c := range x.gather(nil, 8, -1) {
			root = append(root, int(c.cell))
		}
		was := slices.Clone(root)
		if best := x.best(root); best != root[0] {
			t.Errorf("cell %d is best, and %d in front", best, root[0])
		}
		if root[0] != was[0] {
			moved++
		}
		slices.Sort(root)
		slices.Sort(was)
		if !slices.Equal(root, was) {
			t.Errorf("%v became %v", was, root)
		}
	}
	if moved < 10 {
		t.Errorf("only %d of 60 searches changed their mind", moved)
	}
}

// TestWidth: who solves endings tries all cells once few enough are left, and as many as it is wide before.
func TestWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	solvers := 0
	for k := range levels {
		l := &levels[k]
		if l.width == 0 {
			continue
		}
		if l.solve > l.width {
			solvers++
		}
		for _, left := range []int{81, l.solve + 1, l.solve, 1} {
			if left < 1 {
				continue
			}
			b := somewhere(l.weights, r, left)
			want := min(left, l.width)
			if left <= l.solve {
				want = left
			}
			if n := len(l.root(b, b.gather(nil, left, -1))); n != want {
				t.Errorf("%s, %d cells left: tries %d, want %d", l.name, left, n, want)
			}
		}
	}
	if solvers != 1 || levels[len(levels)-1].solve != 10 {
		t.Errorf("%d opponents solve endings", solvers)
	}
}

// TestCasual: three moves in four go where it earns most, and the rest anywhere.
func TestCasual(t *testing.T) {
	b := newBoard(switches)
	for _, i := range []int{0, 80, 1, 78} { // seat 0 to move: cell 2 ends a row
		b.mark(i)
	}
	l, best, elsewhere := &levels[0], 0, map[int]bool{}
	for n := range uint64(400) {
		if i := l.choose(b, budget{}, rand.New(rand.NewPCG(n, 1))); i == 2 {
			best++
		} else {
			elsewhere[i] = true
		}
	}
	if best < 265 || best > 345 || len(elsewhere) < 40 { // 301 are expected, with a standard deviation of 8.7
		t.Errorf("%d of 400 moves go where it earns most, the others to %d cells", best, len(elsewhere))
	}
}

// TestReplay: no history that a game cannot have makes a board.
func TestReplay(t *testing.T) {
	mark := func(cells ...[2]int) (v grid.View) {
		for i, c := range cells {
			v.History = append(v.History, grid.Mark{Seat: game.Seat(i % 2), Row: c[0], Col: c[1]})
		}
		return v
	}
	var full [][2]int
	for i := range 81 {
		full = append(full, [2]int{i / 9, i % 9})
	}
	for _, tt := range []struct {
		name string
		v    grid.View
		left int // 0: an error
	}{
		{"the start", mark(), 81},
		{"two marks", mark([2]int{0, 0}, [2]int{8, 8}), 79},
		{"one cell left", mark(full[:80]...), 1},
		{"none", mark(full...), 0},
		{"a cell twice", mark([2]int{4, 4}, [2]int{4, 4}), 0},
		{"a row too few", mark([2]int{-1, 4}), 0},
		{"a row too many", mark([2]int{9, 4}), 0},
		{"a column too few", mark([2]int{4, -1}), 0},
		{"a column too many", mark([2]int{4, 9}), 0},
		{"far away", mark([2]int{math.MaxInt, math.MaxInt}), 0},
	} {
		b, err := replay(tt.v, switches)
		if (err == nil) != (tt.left > 0) || err == nil && b.left != tt.left {
			t.Errorf("%s: %v, %v", tt.name, b, err)
		}
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
