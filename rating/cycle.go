package rating

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// ErrCycle is what refusals of a search for cycles wrap.
var ErrCycle = errors.New("rating: cycles")

// CycleOptions configure FindCycles. The zero value searches at an error rate of 5%.
type CycleOptions struct {
	Policy Policy // which games count
	// Alpha is the probability, at most, of any warning where nobody beats anybody in a circle: above 0 and below 1/2. 0 stands for 0.05.
	Alpha float64
}

// Cycles is what a search for cycles found.
type Cycles struct {
	// Cycles has a shortest cycle of each group of players that beat each other in a circle, in the order of their first players.
	Cycles   []Cycle
	Tests    int // couples of players that were compared
	Beaten   int // couples among them where one significantly beats the other
	Report   Report
	Clusters int // independent pieces of evidence in all
}

// Cycle is a warning: the first player beats the second, the second the third, and the last the first, each significantly. One number for
// each player cannot tell that.
type Cycle struct {
	// Players starts with the first one by name.
	Players []string
	// P has the p-value, adjusted for all comparisons, of each player against the next, and of the last against the first.
	P []float64
}

// FindCycles warns where one number for each player misleads. It compares each couple of players that met by the exact sign test: clusters
// of games (pairs with swapped seats; see Game.Pair) that one took more of than the other, a half point or more, are told from even ones
// and count for the one. P-values are two-sided and adjusted for all couples by Holm's method, so that where the players can be put in
// an order in which none beats an earlier one more often than not, any warning at all has at most the probability Alpha: a cycle has to
// contain at least one couple that was judged wrongly. Games without a Pair stand alone; where a seat has an advantage, and
// couples do not meet as often with swapped seats, games have to have one.
//
// The error wraps ErrCycle, ErrGame, ErrInput (for the policy) or ErrFit (games of teams or of more than two sides, too many players). The result does not depend on the order of the games.
func FindCycles(games []Game, c CycleOptions) (Cycles, error) {
	if c.Alpha == 0 {
		c.Alpha = 0.05
	}
	if !(c.Alpha > 0 && c.Alpha < 0.5) {
		return Cycles{}, fmt.Errorf("%w: CycleOptions.Alpha is not in (0, 0.5)", ErrCycle)
	}
	if err := c.Policy.validate(); err != nil {
		return Cycles{}, err
	}
	players, contests, report, err := contestsOf(games, c.Policy)
	if err != nil {
		return Cycles{}, err
	}
	out := Cycles{Report: report}
	if len(players) < 3 {
		return out, nil
	}
	d, err := newBTData(players, contests, false)
	if err != nil {
		return Cycles{}, err
	}
	out.Clusters = d.clusters
	tests := d.couples()
	out.Tests = len(tests)
	holm(tests)
	var arcs [][2]int32
	p := map[[2]int32]float64{}
	for _, t := range tests {
		if t.p > c.Alpha {
			continue
		}
		arc := [2]int32{t.i, t.j}
		if t.lost > t.won {
			arc = [2]int32{t.j, t.i}
		}
		arcs = append(arcs, arc)
		p[arc] = t.p
	}
	out.Beaten = len(arcs)
	g := newGraph(len(players), arcs)
	for _, nodes := range g.cycles() {
		cycle := Cycle{}
		for k, v := range nodes {
			cycle.Players = append(cycle.Players, players[v])
			cycle.P = append(cycle.P, p[[2]int32{v, nodes[(k+1)%len(nodes)]}])
		}
		out.Cycles = append(out.Cycles, cycle)
	}
	return out, nil
}

// couple is the test of two players.
type couple struct {
	i, j      int32
	won, lost int // clusters that i took more of, and j
	p         float64
}

// couples counts clusters. One with games of several couples counts once for each.
func (d *btData) couples() []couple {
	var tests []couple
	count := func(c *cell, n int32) {
		if k := len(tests); k == 0 || tests[k-1].i != c.i || tests[k-1].j != c.j {
			tests = append(tests, couple{i: c.i, j: c.j})
		}
		t := &tests[len(tests)-1]
		games := int64(c.seat[0].games+c.seat[1].games) * scoreUnits
		// What i took: its score as the first, and what the other left it.
		switch twice := 2 * (c.seat[0].score + int64(c.seat[1].games)*scoreUnits - c.seat[1].score); {
		case twice > games:
			t.won += int(n)
		case twice < games:
			t.lost += int(n)
		}
	}
	if len(d.mixed) == 0 {
		for k := range d.classes {
			count(&d.classes[k].cell, d.classes[k].count)
		}
	} else {
		all := make([]class, 0, len(d.classes))
		all = append(all, d.classes...)
		for _, m := range d.mixed {
			for _, c := range m.cells {
				all = append(all, class{c, m.count})
			}
		}
		slices.SortFunc(all, func(a, b class) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
		for k := range all {
			count(&all[k].cell, all[k].count)
		}
	}
	for k := range tests {
		tests[k].p = signTest(tests[k].won, tests[k].lost)
	}
	return tests
}

// signTest gives the two-sided p-value of so many wins and losses were both as likely.
func signTest(won, lost int) float64 {
	n, k := won+lost, max(won, lost)
	if n == 0 || 2*k == n {
		return 1
	}
	return min(1, float64(2*betaInc(float64(k), float64(n-k+1), 0.5)))
}

// holm replaces p-values by those adjusted for their number.
func holm(tests []couple) {
	order := make([]int, len(tests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(tests[a].p, tests[b].p) })
	last := 0.0
	for k, i := range order {
		last = max(last, min(1, float64(float64(len(tests)-k)*tests[i].p)))
		tests[i].p = last
	}
}

// cycles gives a shortest cycle of each component that has one, starting with its first node, in the order of their first nodes.
func (g *graph) cycles() [][]int32 {
	number, count := g.components()
	size := make([]int, count)
	for _, c := range number {
		size[c]++
	}
	best := make([][]int32, count)
	n := len(g.start) - 1
	before := make([]int32, n)
	for root := range int32(n) {
		if c := number[root]; size[c] > 1 && len(best[c]) != 3 {
			if cycle := g.through(root, number, before); best[c] == nil || len(cycle) < len(best[c]) {
				best[c] = cycle
			}
		}
	}
	var out [][]int32
	for _, b := range best {
		if b == nil {
			continue
		}
		k := slices.Index(b, slices.Min(b))
		out = append(out, append(slices.Clone(b[k:]), b[:k]...))
	}
	slices.SortFunc(out, func(a, b []int32) int { return slices.Compare(a, b) })
	return out
}

// through gives a shortest cycle through a node of a component, by breadth first.
func (g *graph) through(root int32, number, before []int32) []int32 {
	for i := range before {
		before[i] = -1
	}
	queue := []int32{root}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range g.to[g.start[v]:g.start[v+1]] {
			if w == root {
				var cycle []int32
				for u := v; u != root; u = before[u] {
					cycle = append(cycle, u)
				}
				cycle = append(cycle, root)
				slices.Reverse(cycle)
				return cycle
			}
			if number[w] == number[root] && before[w] < 0 {
				before[w] = v
				queue = append(queue, w)
			}
		}
	}
	return nil
}
