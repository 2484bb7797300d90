package rating

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// beats makes so many pairs of which the first player takes a point and a half.
func beats(games []Game, a, b string, pairs int) []Game {
	for k := range pairs {
		g, h := Duel(a, b, 1), Duel(b, a, 0.5)
		g.Pair = fmt.Sprint(a, b, k)
		h.Pair = g.Pair
		games = append(games, g, h)
	}
	return games
}

func TestCycles(t *testing.T) {
	circle := beats(beats(beats(nil, "rock", "scissors", 12), "scissors", "paper", 12), "paper", "rock", 12)
	for name, c := range map[string]struct {
		games  []Game
		want   [][]string
		tests  int
		beaten int
	}{
		"none":     {nil, nil, 0, 0},
		"a couple": {beats(nil, "a", "b", 12), nil, 0, 0},
		"an order": {beats(beats(beats(nil, "a", "b", 12), "b", "c", 12), "a", "c", 12), nil, 3, 3},
		"a circle": {circle, [][]string{{"paper", "rock", "scissors"}}, 3, 3},
		// 5 pairs: p = 2/32 at best, and thrice that.
		"too few games": {beats(beats(beats(nil, "a", "b", 5), "b", "c", 5), "c", "a", 5), nil, 3, 0},
		"of four, in a league": {
			beats(beats(beats(beats(beats(nil, "a", "b", 15), "b", "c", 15), "c", "d", 15), "d", "a", 15), "a", "e", 15),
			[][]string{{"a", "b", "c", "d"}}, 5, 5,
		},
		"two": {
			slices.Concat(circle, beats(beats(beats(nil, "x", "y", 12), "y", "z", 12), "z", "x", 12), beats(nil, "rock", "x", 12)),
			[][]string{{"paper", "rock", "scissors"}, {"x", "y", "z"}}, 7, 7,
		},
	} {
		got, err := FindCycles(c.games, CycleOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var players [][]string
		for _, cycle := range got.Cycles {
			players = append(players, cycle.Players)
			if len(cycle.P) != len(cycle.Players) || slices.Max(cycle.P) > 0.05 || slices.Min(cycle.P) <= 0 {
				t.Errorf("%s: p-values %v", name, cycle.P)
			}
		}
		if d := cmp.Diff(c.want, players); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if got.Tests != c.tests || got.Beaten != c.beaten {
			t.Errorf("%s: %d tests, %d beaten, want %d and %d", name, got.Tests, got.Beaten, c.tests, c.beaten)
		}
	}
	// Who moves first wins: single games make a circle of nothing but seats, pairs do not.
	var single, paired []Game
	for k := range 30 {
		for i := range 3 {
			a, b := itemName(i), itemName((i+1)%3)
			single = append(single, Duel(a, b, 1))
			g, h := Duel(a, b, 1), Duel(b, a, 1)
			g.Pair = fmt.Sprint(i, k)
			h.Pair = g.Pair
			paired = append(paired, g, h)
		}
	}
	if got, err := FindCycles(single, CycleOptions{}); err != nil || len(got.Cycles) != 1 {
		t.Errorf("without pairs: %+v, %v", got, err)
	}
	if got, err := FindCycles(paired, CycleOptions{}); err != nil || len(got.Cycles) != 0 || got.Clusters != 90 {
		t.Errorf("with pairs: %+v, %v", got, err)
	}
	// One deal for all three couples: each counts for its couple.
	var deals []Game
	for k := range 12 {
		for i := range 3 {
			g := Duel(itemName(i), itemName((i+1)%3), 1)
			g.Pair = fmt.Sprint("deal ", k)
			deals = append(deals, g)
		}
	}
	if got, err := FindCycles(deals, CycleOptions{}); err != nil || len(got.Cycles) != 1 || got.Tests != 3 || got.Clusters != 12 {
		t.Errorf("deals: %+v, %v", got, err)
	}
	for _, alpha := range []float64{-0.1, 0.5} {
		if _, err := FindCycles(circle, CycleOptions{Alpha: alpha}); !errors.Is(err, ErrCycle) {
			t.Errorf("alpha %v: %v", alpha, err)
		}
	}
}

// TestCyclesErrorRate: among equals, where every warning is wrong, warnings are no more frequent than promised.
func TestCyclesErrorRate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	const leagues = 300
	warnings, couples := 0, 0
	for range leagues {
		var games []Game
		for range 60 {
			for i := range 4 {
				for j := range i {
					games = append(games, Duel(itemName(i), itemName(j), float64(r.IntN(2))))
				}
			}
		}
		got, err := FindCycles(games, CycleOptions{Alpha: 0.2})
		if err != nil {
			t.Fatal(err)
		}
		warnings += min(len(got.Cycles), 1)
		couples += min(got.Beaten, 1)
	}
	if i, err := ClopperPearson(warnings, leagues, 0.999); err != nil || i.Low > 0.2 {
		t.Errorf("%d warnings in %d leagues, %v", warnings, leagues, err)
	}
	// That is Holm's doing: a wrong judgement on a couple has the probability promised, nearly all of it used.
	if i, err := ClopperPearson(couples, leagues, 0.999); err != nil || i.Low > 0.2 || couples == 0 {
		t.Errorf("in %d of %d leagues somebody beats somebody, %v", couples, leagues, err)
	}
}

// TestGraphCycles compares with a search of all paths.
func TestGraphCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "nodes")
		has := make([][]bool, n)
		var arcs [][2]int32
		for i := range has {
			has[i] = make([]bool, n)
			for j := range n {
				if i != j && !(j < i && has[j][i]) && rapid.IntRange(0, 2).Draw(t, "arc") == 0 { // one beats the other
					has[i][j] = true
					arcs = append(arcs, [2]int32{int32(i), int32(j)})
				}
			}
		}
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = slices.Clone(has[i])
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		g := newGraph(n, arcs)
		number, _ := g.components()
		circles := map[int32]bool{}
		for i := range n {
			for j := range n {
				if same := i == j || reach[i][j] && reach[j][i]; same != (number[i] == number[j]) {
					t.Fatalf("nodes %d and %d: components %v", i, j, number)
				}
				if reach[i][j] && !reach[j][i] && number[i] < number[j] {
					t.Fatalf("component %d has an arc to %d, which comes later", number[i], number[j])
				}
			}
			if reach[i][i] {
				circles[number[i]] = true
			}
		}
		cycles := g.cycles()
		if len(cycles) != len(circles) {
			t.Fatalf("%d cycles, want %d", len(cycles), len(circles))
		}
		for _, c := range cycles {
			for k, v := range c {
				if !has[v][c[(k+1)%len(c)]] {
					t.Fatalf("%v is no cycle", c)
				}
			}
			if short := shortestIn(has, number, number[c[0]]); len(c) != short {
				t.Fatalf("%v, but there is one of %d", c, short)
			}
			if slices.Min(c) != c[0] {
				t.Fatalf("%v does not start with the first", c)
			}
		}
	})
}

// shortestIn gives the length of a shortest cycle of a component, from powers of the matrix.
func shortestIn(has [][]bool, number []int32, component int32) int {
	n := len(has)
	power := has
	for length := 1; ; length++ {
		for i := range n {
			if number[i] == component && power[i][i] {
				return length
			}
		}
		next := make([][]bool, n)
		for i := range next {
			next[i] = make([]bool, n)
			for j := range n {
				for k := range n {
					next[i][j] = next[i][j] || power[i][k] && has[k][j]
				}
			}
		}
		power = next
	}
}
