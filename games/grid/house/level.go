package house

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// level is how one of the opponents thinks.
type level struct {
	name      string
	version   int
	algorithm string
	nodes     int // marks that it sets on its board for one move; 0: at most one for each empty cell
	time      time.Duration
	pick      func(l *level, b *board, order []candidate, budget budget, r *rand.Rand) int
	weights   *weights
	width     int // cells tried in a position
	solve     int // with no more empty cells than this all of them are
	table     int // most entries of the transposition table; 0: none
}

// hellTime is what the opponents whose names begin with hell may take for a move at most.
const hellTime = 9 * time.Second

// levels are the opponents, the weakest first. A change that changes moves gets a new version.
var levels = []level{
	{name: "casual", version: 1, algorithm: "own points, one move in four by lot", pick: (*level).casual, weights: switches},
	{name: "smart", version: 1, algorithm: "own and denied points", pick: (*level).smart, weights: switches},
	{name: "hard", version: 1, algorithm: "one mark ahead", pick: (*level).hard, weights: switches, width: 81},
	{name: "experimental", version: 1, algorithm: "PUCT tree", nodes: 2_000, pick: (*level).experimental, weights: switches, width: 8},
	{name: "normal_nightmare", version: 1, algorithm: "alpha-beta", nodes: 20_000, pick: (*level).alphaBeta, weights: shapely, width: 8},
	{
		name: "hell_v2", version: 1, algorithm: "alpha-beta, transposition table", nodes: 1_000_000, time: hellTime,
		pick: (*level).alphaBeta, weights: fitted, width: 8, table: 1 << 18,
	},
	{
		name: "hell_v3", version: 1, algorithm: "alpha-beta, transposition table, endings solved", nodes: 4_000_000, time: hellTime,
		pick: (*level).alphaBeta, weights: refitted, width: 8, table: 1 << 20, solve: 10,
	},
}

// Weights: switches takes the empty cells for all there is; shapely sees windows with one mark in them too; fitted is, rounded, the least squares
// fit of what was gained by the end over positions of games that players with shapely played, refitted that over games of players with fitted.
var (
	switches = newWeights(16, 16, 0, 32, [2]int{}, [2]int{})
	shapely  = newWeights(16, 16, 0, 32, [2]int{6, 0}, [2]int{12, 0})
	fitted   = newWeights(14, 4, 32, 32, [2]int{3, -1}, [2]int{13, 2})
	refitted = newWeights(12, 3, 34, 20, [2]int{3, -1}, [2]int{13, 9})
)

// variety is less than a point, so that nothing certain is given up for it.
const variety = point / 8

// choose gives a cell on a board that is not full. The order in which cells are tried, and so the choice among equals, hangs on r.
func (l *level) choose(b *board, budget budget, r *rand.Rand) int {
	order := b.gather(nil, b.left, -1)
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b candidate) int { return cmp.Compare(b.key, a.key) })
	return l.pick(l, b, order, budget, r)
}

func (l *level) casual(b *board, order []candidate, _ budget, r *rand.Rand) int {
	if r.IntN(4) == 0 {
		return int(order[r.IntN(len(order))].cell)
	}
	return highest(order, func(i int) int { return b.earns(i, b.mover) }, r)
}

func (l *level) smart(b *board, order []candidate, _ budget, r *rand.Rand) int {
	return highest(order, func(i int) int { return b.earns(i, 0) + b.earns(i, 1) }, r)
}

// highest gives one of the cells for which f is highest, by lot.
func highest(cells []candidate, f func(i int) int, r *rand.Rand) int {
	best, at, ties := -1, 0, 0
	for _, c := range cells {
		switch v := f(int(c.cell)); {
		case v > best:
			best, at, ties = v, int(c.cell), 1
		case v == best:
			if ties++; r.IntN(ties) == 0 {
				at = int(c.cell)
			}
		}
	}
	return at
}

func (l *level) hard(b *board, order []candidate, _ budget, _ *rand.Rand) int {
	x := search{board: b, width: l.width, depth: 1}
	x.nodes = len(order)
	return x.best(l.root(b, order))
}

func (l *level) experimental(b *board, order []candidate, budget budget, _ *rand.Rand) int {
	x := tree{board: b, width: l.width, budget: budget}
	return x.best(l.root(b, order))
}

func (l *level) alphaBeta(b *board, order []candidate, budget budget, r *rand.Rand) int {
	x := search{board: b, width: l.width, depth: b.left, solve: l.solve, budget: budget}
	for i := range x.bonus {
		x.bonus[i] = int8(r.IntN(variety))
	}
	if l.table > 0 {
		n := 1
		for n < min(budget.nodes, l.table) {
			n *= 2
		}
		x.table = make([]entry, n)
	}
	return x.best(l.root(b, order))
}

// root gives the cells that are tried first of all.
func (l *level) root(b *board, order []candidate) []int {
	if b.left > l.solve {
		order = order[:min(l.width, len(order))]
	}
	root := make([]int, len(order))
	for k, c := range order {
		root[k] = int(c.cell)
	}
	return root
}
