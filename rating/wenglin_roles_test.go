package rating

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

// village plays games of 2 werewolves against 7 villagers among 20 players,
// whose strengths are given by skill, and rates them. The werewolves of equal
// players win with that chance.
func village(t *testing.T, w *WengLin, games int, wolves float64, skill func(i int) float64, roles map[string]Skill) map[string]Skill {
	const players = 20
	r := rand.New(rand.NewPCG(5, 0))
	table := map[string]Skill{}
	names := make([]string, players)
	for i := range names {
		names[i] = fmt.Sprintf("p%02d", i)
	}
	odds := math.Log(wolves / (1 - wolves))
	for range games {
		seats := r.Perm(players)[:9]
		g := Game{Sides: []Side{{Role: "werewolf"}, {Role: "villager"}}}
		logit := odds
		for k, i := range seats {
			side, each := 0, skill(i)/2
			if k >= 2 {
				side, each = 1, -skill(i)/7
			}
			logit += each
			g.Sides[side].Players = append(g.Sides[side].Players, names[i])
		}
		won := 0
		if r.Float64() >= 1/(1+math.Exp(-logit)) {
			won = 1
		}
		g.Sides[won].Score, g.Sides[1-won].Rank = 1, 1
		if err := w.Play(table, roles, &g); err != nil {
			t.Fatal(err)
		}
	}
	if len(table) != players {
		t.Fatalf("%d players", len(table))
	}
	return table
}

func meanSkill(table map[string]Skill) float64 {
	sum := 0.0
	for _, s := range table {
		sum += s.Mu
	}
	return sum / float64(len(table))
}

func equal(int) float64 { return 0 }

// TestWerewolfDrift: the ratings of equal players fall towards nothing where
// sides of unlike size are compared by plain sums, for the model takes seven
// villagers to be certain winners until all ratings are near 0. With offsets
// the mean stays, and the offsets say who has it easier.
func TestWerewolfDrift(t *testing.T) {
	for _, c := range []struct {
		model             Model
		wolves, low, high float64 // the werewolves' share, and between what their advantage must lie
	}{
		{ModelPlackettLuce, 0.5, -3, 3},
		{ModelPlackettLuce, 0.3, -8, -2},
		{ModelPlackettLuce, 0.7, 2, 8},
		{ModelBradleyTerryFull, 0.3, -8, -2},
		{ModelThurstoneMostellerFull, 0.7, 2, 8},
	} {
		w := newWengLin(t, WengLinOptions{Model: c.model})
		drifted := meanSkill(village(t, w, 5000, c.wolves, equal, nil))
		roles := map[string]Skill{}
		kept := meanSkill(village(t, w, 5000, c.wolves, equal, roles))
		edge := roles["werewolf"].Mu - roles["villager"].Mu
		t.Logf("model %d, wolves win %v: mean %.2f by sums, %.2f with offsets, which differ by %.2f", c.model, c.wolves, drifted, kept, edge)
		if drifted > 5 {
			t.Errorf("model %d, wolves win %v: by plain sums the mean of equal players is still %v", c.model, c.wolves, drifted)
		}
		if math.Abs(kept-25) > 1 {
			t.Errorf("model %d, wolves win %v: with offsets the mean of equal players is %v, not 25", c.model, c.wolves, kept)
		}
		if edge < c.low || edge > c.high {
			t.Errorf("model %d, wolves win %v: the offsets differ by %v", c.model, c.wolves, edge)
		}
		if testing.Short() {
			break
		}
	}
}

// TestOffsetsFindTheStrong: players of unlike strength come out in their order.
func TestOffsetsFindTheStrong(t *testing.T) {
	w := newWengLin(t, WengLinOptions{})
	strength := func(i int) float64 { return float64(i) / 4 }
	table := village(t, w, 5000, 0.35, strength, map[string]Skill{})
	swapped := 0
	for i := range 20 {
		for k := range i - 5 {
			if table[fmt.Sprintf("p%02d", k)].Mu > table[fmt.Sprintf("p%02d", i)].Mu {
				swapped++
			}
		}
	}
	if mean := meanSkill(table); swapped > 3 || math.Abs(mean-25) > 1.5 {
		t.Errorf("%d pairs in the wrong order, mean %v", swapped, mean)
	}
}

func TestPlayRoles(t *testing.T) {
	w := newWengLin(t, WengLinOptions{})
	game := func(roles ...string) *Game {
		g := &Game{}
		for i, r := range roles {
			g.Sides = append(g.Sides, Side{Players: []string{string(rune('a' + i))}, Role: r, Rank: i, Score: 1 - float64(i)/float64(len(roles)-1)})
		}
		return g
	}
	roles, players := map[string]Skill{}, map[string]Skill{}
	if err := w.Play(players, roles, game("x", "x")); err != nil || len(roles) != 0 {
		t.Errorf("sides of one role: %v, %v", roles, err)
	}
	plain := map[string]Skill{}
	if err := w.Play(plain, nil, game("x", "x")); err != nil {
		t.Fatal(err)
	}
	for name, s := range plain {
		if p := players[name]; !near(p.Mu, s.Mu, 1e-14) || !near(p.Sigma, s.Sigma, 1e-14) {
			t.Errorf("sides of one role: %s is %+v, not %+v as without roles", name, p, s)
		}
	}
	uneven := Game{Sides: []Side{{Players: []string{"a", "b"}, Role: "x", Score: 0.5}, {Players: []string{"c", "d", "e"}, Role: "x", Score: 0.5}}}
	level := map[string]Skill{}
	if err := w.Play(level, roles, &uneven); err != nil || len(roles) != 0 || level["a"].Mu != 25 || level["c"].Mu != 25 {
		t.Errorf("two draw with three of one role: %v, %v, %v", level, roles, err)
	}
	if err := w.Play(players, roles, game("white", "black")); err != nil || len(roles) != 2 || roles["white"].Mu <= 0 || roles["black"].Mu >= 0 || roles["white"].Sigma >= 25.0/3 {
		t.Errorf("%v, %v", roles, err)
	}
	// Two sides of one role among three: what each says is added.
	l := Lineup{Teams: [][]Skill{{w.Start()}, {w.Start()}, {w.Start()}}, Offsets: []Skill{w.StartOffset(), w.StartOffset(), w.StartOffset()}}
	if err := w.Update(l, []int{0, 1, 2}); err != nil {
		t.Fatal(err)
	}
	roles = map[string]Skill{}
	if err := w.Play(map[string]Skill{}, roles, game("x", "y", "x")); err != nil {
		t.Fatal(err)
	}
	o := l.Offsets
	want := map[string]Skill{"x": {o[0].Mu + o[2].Mu, o[0].Sigma * (o[2].Sigma / (25.0 / 3))}, "y": o[1]}
	if diff := cmp.Diff(want, roles); diff != "" {
		t.Error(diff)
	}

	void := game("x", "y")
	void.Cause = referee.CauseVoid
	for name, f := range map[string]func() error{
		`player "b"`: func() error { return w.Play(map[string]Skill{"b": {3, 0}}, nil, game("x", "y")) },
		`role "y"`: func() error {
			return w.Play(map[string]Skill{}, map[string]Skill{"y": {math.Inf(1), 1}}, game("x", "y"))
		},
	} {
		if err := f(); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	before := map[string]Skill{"a": {1, 2}, "b": {3, 0}}
	for _, c := range []struct {
		g  *Game
		is error
	}{{void, ErrVoid}, {&Game{}, ErrGame}, {game("x", "y"), ErrInput}} {
		roles, players := map[string]Skill{}, map[string]Skill{"a": {1, 2}, "b": {3, 0}}
		if err := w.Play(players, roles, c.g); !errors.Is(err, c.is) || len(roles) != 0 || !cmp.Equal(players, before) {
			t.Errorf("%v: %v, %v, %v", c.is, err, roles, players)
		}
	}
}

func TestPredictWin(t *testing.T) {
	w := newWengLin(t, WengLinOptions{})
	teams := [][]Skill{{{25, 8}}, {{30, 4}}, {{20, 6}, {8, 2}}, {{27, 1}}}
	got, err := w.PredictWin(Lineup{Teams: teams})
	if err != nil {
		t.Fatal(err)
	}
	// Against chances counted in many games.
	const games = 50_000
	r := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, len(teams))
	for range games {
		best, who := math.Inf(-1), 0
		for i, team := range teams {
			x := r.NormFloat64() * w.o.Beta
			for _, s := range team {
				x += s.Mu + s.Sigma*r.NormFloat64()
			}
			if x > best {
				best, who = x, i
			}
		}
		counts[who]++
	}
	for i, n := range counts {
		p := float64(n) / games
		if math.Abs(got[i]-p) > 4*math.Sqrt(p/games) {
			t.Errorf("team %d wins with %v, in games %v", i, got[i], p)
		}
	}
	three, err := w.PredictWin(Lineup{Teams: [][]Skill{{{25, 8}}, {{25, 8}}, {{25, 8}}}})
	if err != nil || !near(three[0], 1.0/3, 1e-12) || three[1] != three[0] {
		t.Errorf("%v, %v", three, err)
	}
	ranks, err := w.PredictRanks(Lineup{Teams: [][]Skill{{{25, 8}}, {{30, 8}}, {{25, 8}}}})
	if err != nil {
		t.Fatal(err)
	}
	var places []int
	for _, r := range ranks {
		places = append(places, r.Rank)
	}
	if !slices.Equal(places, []int{2, 1, 2}) {
		t.Errorf("places %v", places)
	}
}

// TestPredictWinDigits compares the quadrature with one of forty times as many
// steps.
func TestPredictWinDigits(t *testing.T) {
	w := newWengLin(t, WengLinOptions{Beta: 1, Tau: -1})
	rapid.Check(t, func(t *rapid.T) {
		var teams [][]Skill
		var mu, sigma []float64
		for range 3 {
			s := Skill{rapid.Float64Range(0, 30).Draw(t, "mu"), rapid.Float64Range(1, 19).Draw(t, "sigma")}
			teams, mu, sigma = append(teams, []Skill{s}), append(mu, s.Mu), append(sigma, math.Hypot(s.Sigma, 1))
		}
		got, err := w.PredictWin(Lineup{Teams: teams})
		if err != nil {
			t.Fatal(err)
		}
		const steps = 16_000
		for i := range teams {
			p := 0.0
			for k := range steps + 1 {
				z := 16*float64(k)/steps - 8
				f := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
				for q := range teams {
					if q != i {
						f *= math.Erfc((mu[q]-mu[i]-z*sigma[i])/sigma[q]/math.Sqrt2) / 2
					}
				}
				p += f * 16 / steps
			}
			if math.Abs(p-got[i]) > 1e-10 {
				t.Fatalf("team %d wins with %v, not %v", i, got[i], p)
			}
		}
	})
}

// TestPredictWithOffsets: nine equal players in sides of 2 and 7 are an even
// game when the offsets are.
func TestPredictWithOffsets(t *testing.T) {
	w := newWengLin(t, WengLinOptions{})
	l := Lineup{Teams: [][]Skill{make([]Skill, 2), make([]Skill, 7)}, Offsets: []Skill{{0, 1}, {0, 1}}}
	for _, team := range l.Teams {
		for k := range team {
			team[k] = w.Start()
		}
	}
	if win, err := w.PredictWin(l); err != nil || !near(win[0], 0.5, 1e-14) {
		t.Errorf("%v, %v", win, err)
	}
	l.Offsets = nil
	if win, err := w.PredictWin(l); err != nil || win[0] > 0.01 {
		t.Errorf("without offsets: %v, %v", win, err)
	}
}

func TestDrawMargin(t *testing.T) {
	// Equals draw as often as asked for.
	for _, share := range []float64{0, 0.1, 0.5, 0.9} {
		m, err := DrawMargin(share, 4, 2)
		if err != nil {
			t.Fatal(err)
		}
		if s := 4 * math.Sqrt2; !near(normCDF(m/s)-normCDF(-m/s), share, 1e-12) {
			t.Errorf("a share of %v: margin %v", share, m)
		}
	}
	for _, f := range []func() (float64, error){
		func() (float64, error) { return DrawMargin(1, 4, 2) },
		func() (float64, error) { return DrawMargin(math.NaN(), 4, 2) },
		func() (float64, error) { return DrawMargin(0.1, -1, 2) },
		func() (float64, error) { return DrawMargin(0.1, 4, 1) },
	} {
		if m, err := f(); !errors.Is(err, ErrInput) || m != 0 {
			t.Errorf("%v, %v", m, err)
		}
	}
}
