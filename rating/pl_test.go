package rating

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// rankingGame makes a game of the players in the order of places; ties shares the rank of a place with the one before.
func rankingGame(players []string, tied ...int) Game {
	g := Game{}
	rank := 0
	for i, p := range players {
		if i > 0 {
			rank++
			for _, k := range tied {
				if k == i {
					rank--
				}
			}
		}
		g.Sides = append(g.Sides, Side{Players: []string{p}, Rank: rank})
	}
	for i := range g.Sides {
		for k := range g.Sides {
			if d := g.Sides[k].Rank - g.Sides[i].Rank; k != i && d >= 0 {
				g.Sides[i].Score += map[bool]float64{true: 1, false: 0.5}[d > 0] / float64(len(players)-1)
			}
		}
		g.Sides[i].Score = min(g.Sides[i].Score, 1)
	}
	return g
}

func names(items []int) (out []string) {
	for _, i := range items {
		out = append(out, itemName(i))
	}
	return out
}

func TestPlackettLuceChoix(t *testing.T) {
	check := func(name string, games []Game, c PLOptions) {
		v := btCase(t, name)
		f, err := PlackettLuce(games, c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if len(v.MLE) != len(f.Strengths) || len(v.MLE) < 3 {
			t.Fatalf("%s: %d strengths, %d wanted", name, len(f.Strengths), len(v.MLE))
		}
		for i := range v.MLE {
			if !near(f.Strengths[i], v.MLE[i], 1e-4) {
				t.Errorf("%s: %s %v, want %v", name, f.Players[i], f.Strengths[i], v.MLE[i])
			}
		}
	}
	for _, name := range []string{"choix-pairwise-1", "choix-pairwise-2", "choix-rankings-1", "choix-rankings-2"} {
		var data [][]int
		if err := json.Unmarshal(btCase(t, name).Data, &data); err != nil {
			t.Fatal(err)
		}
		var games []Game
		for _, d := range data {
			games = append(games, rankingGame(names(d)))
		}
		check(name, games, PLOptions{})
	}
	for _, name := range []string{"choix-top1-1", "choix-top1-2"} {
		var data [][2]json.RawMessage
		if err := json.Unmarshal(btCase(t, name).Data, &data); err != nil {
			t.Fatal(err)
		}
		var games []Game
		for _, d := range data {
			var winner int
			var losers, tied []int
			if err := errors.Join(json.Unmarshal(d[0], &winner), json.Unmarshal(d[1], &losers)); err != nil {
				t.Fatal(err)
			}
			for k := 2; k <= len(losers); k++ {
				tied = append(tied, k)
			}
			games = append(games, rankingGame(names(append([]int{winner}, losers...)), tied...))
		}
		check(name, games, PLOptions{Places: 1})
	}
}

// TestPlackettLuceAgainstOrders compares the log-likelihood with a mean over all orders of those that are tied, and the estimate with the
// nearby places, none of which is likelier.
func TestPlackettLuceAgainstOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		players := rapid.IntRange(2, 5).Draw(t, "players")
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		var games []Game
		for range rapid.IntRange(6, 20).Draw(t, "games") {
			n := 2 + r.IntN(players-1)
			var tied []int
			for k := 1; k < n; k++ {
				if r.IntN(3) == 0 {
					tied = append(tied, k)
				}
			}
			games = append(games, rankingGame(names(r.Perm(players)[:n]), tied...))
		}
		c := PLOptions{Places: rapid.IntRange(0, 2).Draw(t, "places"), Ridge: rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "ridge")}
		f, err := PlackettLuce(games, c)
		var apart *NotConnectedError
		if c.Ridge == 0 && errors.As(err, &apart) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		loglik := func(x []float64) float64 {
			s := 0.0
			for _, g := range games {
				s += meanOverOrders(&g, f.Players, x, c.Places)
			}
			return s
		}
		if want := loglik(f.Strengths); !near(f.LogLikelihood, want, 1e-9) {
			t.Fatalf("log-likelihood %v, want %v", f.LogLikelihood, want)
		}
		posterior := func(x []float64) float64 {
			s := loglik(x)
			for _, v := range x {
				s -= c.Ridge / 2 * v * v
			}
			return s
		}
		top := posterior(f.Strengths)
		for range 20 {
			x := append([]float64(nil), f.Strengths...)
			for i := range x {
				x[i] += r.NormFloat64() * 0.01
			}
			if p := posterior(x); p > top+1e-9 {
				t.Fatalf("%v is likelier than %v by %v", x, f.Strengths, p-top)
			}
		}
		// The order of the games is nothing.
		shuffled := append([]Game(nil), games...)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		g, err := PlackettLuce(shuffled, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([][]float64{f.Strengths, f.Errors, f.ModelErrors}, [][]float64{g.Strengths, g.Errors, g.ModelErrors}); d != "" {
			t.Fatal(d)
		}
	})
}

// meanOverOrders is the log-likelihood of a game, by enumeration.
func meanOverOrders(g *Game, players []string, x []float64, places int) float64 {
	if places == 0 {
		places = len(g.Sides)
	}
	index := func(s int) int {
		i, _ := indexOf(players, g.Sides[s].Players[0])
		return i
	}
	total, orders := 0.0, 0
	var order []int
	used := make([]bool, len(g.Sides))
	var walk func()
	walk = func() {
		if len(order) == len(g.Sides) {
			s := 0.0
			for k := range order {
				// A rank that begins within the places counts as a whole.
				first := 0
				for g.Sides[order[first]].Rank != g.Sides[order[k]].Rank {
					first++
				}
				if first >= places {
					break
				}
				rest := 0.0
				for _, o := range order[k:] {
					rest += math.Exp(x[index(o)])
				}
				s += x[index(order[k])] - math.Log(rest)
			}
			total += s
			orders++
			return
		}
		rank := math.MaxInt
		for s := range g.Sides {
			if !used[s] {
				rank = min(rank, g.Sides[s].Rank)
			}
		}
		for s := range g.Sides {
			if !used[s] && g.Sides[s].Rank == rank {
				used[s] = true
				order = append(order, s)
				walk()
				order = order[:len(order)-1]
				used[s] = false
			}
		}
	}
	walk()
	return total / float64(orders)
}

// TestPlackettLuceOfTwo is Bradley-Terry without a seat's effect, errors included.
func TestPlackettLuceOfTwo(t *testing.T) {
	list, _, contests := league(8, 200, 3)
	var games []Game
	for _, c := range contests {
		g := Duel(list[c.First], list[c.Second], float64(c.Score))
		g.Pair = itemName(int(c.Cluster))
		games = append(games, g)
	}
	a, err := PlackettLuce(games, PLOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := BradleyTerry(games, BTOptions{NoSeat: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Players {
		if !near(a.Strengths[i], b.Strengths[i], 1e-11) || !near(a.Errors[i], b.Errors[i], 1e-11) || !near(a.ModelErrors[i], b.ModelErrors[i], 1e-11) {
			t.Errorf("%s: %v +- %v (%v), want %v +- %v (%v)", a.Players[i], a.Strengths[i], a.Errors[i], a.ModelErrors[i], b.Strengths[i], b.Errors[i], b.ModelErrors[i])
		}
	}
	if a.Clusters != b.Clusters || a.Games != b.Games || a.Clusters != 200 {
		t.Errorf("%d games in %d clusters, and %d in %d", a.Games, a.Clusters, b.Games, b.Clusters)
	}
}

func TestPlackettLuceRefusals(t *testing.T) {
	three := rankingGame([]string{"a", "b", "c"})
	team := Duel("a", "b", 1)
	team.Sides[0].Players = []string{"a", "c"}
	var many []string
	var tied []int
	for i := range MaxTied + 1 {
		many = append(many, itemName(i))
		tied = append(tied, i)
	}
	for name, c := range map[string]struct {
		games  []Game
		config PLOptions
		want   error
	}{
		"none":   {nil, PLOptions{}, ErrFit},
		"team":   {[]Game{team}, PLOptions{}, ErrFit},
		"ties":   {[]Game{rankingGame(many, tied...)}, PLOptions{Ridge: 1}, ErrFit},
		"ridge":  {[]Game{three}, PLOptions{Ridge: math.NaN()}, ErrFit},
		"places": {[]Game{three}, PLOptions{Places: -1}, ErrFit},
		"score":  {[]Game{Duel("a", "b", 2)}, PLOptions{}, ErrGame},
	} {
		if _, err := PlackettLuce(c.games, c.config); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := PlackettLuce([]Game{three}, PLOptions{})
	var apart *NotConnectedError
	if !errors.As(err, &apart) {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"a"}, {"b"}, {"c"}}, apart.Groups); d != "" {
		t.Error(d)
	}
	// Winners alone: nothing is known of the others among themselves.
	if _, err := PlackettLuce([]Game{three, rankingGame([]string{"b", "a", "c"})}, PLOptions{Places: 1}); !errors.As(err, &apart) || len(apart.Groups) != 2 {
		t.Errorf("winners alone: %v", err)
	}
}
