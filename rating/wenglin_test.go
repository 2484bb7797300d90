package rating

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newWengLin(t interface{ Fatal(...any) }, o WengLinOptions) *WengLin {
	w, err := NewWengLin(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

type wengLinCase struct {
	Name                string
	Shape, Ranks        []int
	Scores              []float64
	Weights             [][]float64
	LimitSigma          bool `json:"limit_sigma"`
	Priors              [][][2]float64
	Published, Computed [][][2]float64
}

// lineup gives the teams that a case describes, and the ranks.
func (c *wengLinCase) lineup(start Skill) (Lineup, []int) {
	l := Lineup{Weights: c.Weights}
	for _, n := range c.Shape {
		team := make([]Skill, n)
		for i := range team {
			team[i] = start
		}
		l.Teams = append(l.Teams, team)
	}
	if c.Shape == nil {
		l.Teams = toSkills(c.Priors)
	}
	ranks := c.Ranks
	for i := range l.Teams {
		switch {
		case c.Scores != nil: // higher is better
			r := 0
			for _, s := range c.Scores {
				if s > c.Scores[i] {
					r++
				}
			}
			ranks = append(ranks, r)
		case len(ranks) == i: // as listed
			ranks = append(ranks, i)
		}
	}
	return l, ranks
}

func toSkills(teams [][][2]float64) (s [][]Skill) {
	for _, team := range teams {
		var t []Skill
		for _, p := range team {
			t = append(t, Skill{p[0], p[1]})
		}
		s = append(s, t)
	}
	return s
}

// worst is the largest relative difference between two sets of teams.
func worst(got, want [][]Skill) float64 {
	w := 0.0
	for i := range want {
		for k := range want[i] {
			w = max(w, math.Abs(got[i][k].Mu/want[i][k].Mu-1), math.Abs(got[i][k].Sigma/want[i][k].Sigma-1))
		}
	}
	return w
}

func TestWengLinVectors(t *testing.T) {
	v := vectors[struct {
		Models map[string]struct {
			Model        Skill
			Cases        []wengLinCase
			DefaultCases []wengLinCase `json:"default_model_cases"`
			Predictions  struct {
				Teams       [][][2]float64
				PredictWin  []float64    `json:"predict_win"`
				PredictDraw float64      `json:"predict_draw"`
				PredictRank [][2]float64 `json:"predict_rank"`
			}
		}
	}](t, "wenglin.json")
	for name, model := range map[string]Model{
		"plackettluce": ModelPlackettLuce, "bradleyterryfull": ModelBradleyTerryFull, "bradleyterrypart": ModelBradleyTerryPart,
		"thurstonemostellerfull": ModelThurstoneMostellerFull, "thurstonemostellerpart": ModelThurstoneMostellerPart,
	} {
		m := v.Models[name]
		if len(m.Cases) != 8 || len(m.DefaultCases) != 5 {
			t.Fatalf("%s: %d and %d cases", name, len(m.Cases), len(m.DefaultCases))
		}
		for _, c := range append(m.Cases, m.DefaultCases...) {
			t.Run(name+" "+c.Name, func(t *testing.T) {
				w := newWengLin(t, WengLinOptions{Model: model, LimitSigma: c.LimitSigma})
				l, ranks := c.lineup(m.Model)
				if err := w.Update(l, ranks); err != nil {
					t.Fatal(err)
				}
				if d := worst(l.Teams, toSkills(c.Computed)); d > 2e-12 {
					t.Errorf("%v away from what is computed: %v, not %v", d, l.Teams, c.Computed)
				}
				if d := worst(l.Teams, toSkills(c.Published)); d > 1e-4 {
					t.Errorf("%v away from what is published: %v, not %v", d, l.Teams, c.Published)
				}
			})
		}
		w, p := newWengLin(t, WengLinOptions{Model: model}), m.Predictions
		win, err1 := w.PredictWin(Lineup{Teams: toSkills(p.Teams)})
		draw, err2 := w.PredictDraw(Lineup{Teams: toSkills(p.Teams)})
		ranks, err3 := w.PredictRanks(Lineup{Teams: toSkills(p.Teams)})
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if !near(draw, p.PredictDraw, 1e-13) {
			t.Errorf("%s: draw %v, not %v", name, draw, p.PredictDraw)
		}
		for i := range p.PredictWin {
			if !near(win[i], p.PredictWin[i], 1e-14) || float64(ranks[i].Rank) != p.PredictRank[i][0] || !near(ranks[i].Chance, p.PredictRank[i][1], 1e-14) {
				t.Errorf("%s: team %d wins with %v and is ranked %+v, not %v and %v", name, i, win[i], ranks[i], p.PredictWin[i], p.PredictRank[i])
			}
		}
	}
}

// TestTrueSkill compares games of two teams, where one step of
// Thurstone-Mosteller with a full gamma is TrueSkill itself, and of more
// players the order alone.
func TestTrueSkill(t *testing.T) {
	v := vectors[struct {
		Cases []struct {
			Name            string
			Teams, Computed [][][2]float64
			Ranks           []int
			Env             struct {
				Draw *float64 `json:"draw_probability"`
			}
		}
	}](t, "trueskill.json")
	two := 0
	for _, c := range v.Cases {
		t.Run(c.Name, func(t *testing.T) {
			l, players := Lineup{Teams: toSkills(c.Teams)}, 0
			for _, team := range c.Teams {
				players += len(team)
			}
			draws := 0.1
			if c.Env.Draw != nil {
				draws = *c.Env.Draw
			}
			const beta = 25.0 / 6
			// The vectors' draw_probability is the share of draws between equals.
			margin, err := DrawMargin(draws, beta, players)
			if err != nil {
				t.Fatal(err)
			}
			w := newWengLin(t, WengLinOptions{Model: ModelThurstoneMostellerFull, Gamma: GammaOne, Beta: beta * math.Sqrt(float64(players)/2), DrawMargin: max(margin, 1e-9)})
			ranks := c.Ranks
			for i := len(ranks); i < len(c.Teams); i++ {
				ranks = append(ranks, i)
			}
			if err := w.Update(l, ranks); err != nil {
				t.Fatal(err)
			}
			if len(c.Teams) == 2 {
				two++
				if d := worst(l.Teams, toSkills(c.Computed)); d > 1e-3 {
					t.Errorf("%v away: %v, not %v", d, l.Teams, c.Computed)
				}
				return
			}
			for i, a := range c.Computed {
				for k, b := range c.Computed {
					if len(a) == 1 && len(b) == 1 && c.Teams[i][0] == c.Teams[k][0] && a[0][0] > b[0][0]+1e-6 && l.Teams[i][0].Mu <= l.Teams[k][0].Mu {
						t.Errorf("player %d is not above %d", i, k)
					}
				}
			}
		})
	}
	if two != 15 {
		t.Errorf("%d games of two teams, not 15", two)
	}
}

// TestReportsWengLin holds the row on rank 0.
func TestReportsWengLin(t *testing.T) {
	t.Run("B95", func(t *testing.T) {
		for model := range ModelThurstoneMostellerPart + 1 {
			w := newWengLin(t, WengLinOptions{Model: model})
			for _, rank := range []int{0, 1, -3} {
				a, b, err := w.Duel(w.Start(), w.Start(), rank, rank)
				if err != nil || a != b || a.Mu != 25 || a.Sigma >= 25.0/3 {
					t.Errorf("model %d, ranks %d and %d: %v and %v, %v", model, rank, rank, a, b, err)
				}
			}
			won, _, err1 := w.Duel(w.Start(), w.Start(), 0, 1)
			again, _, err2 := w.Duel(w.Start(), w.Start(), -1, 0)
			if err := errors.Join(err1, err2); err != nil || won != again || won.Mu <= 25 {
				t.Errorf("model %d: rank 0 over 1 gives %v, rank -1 over 0 %v, %v", model, won, again, err)
			}
		}
	})
}

// naiveWengLin is algorithms 1, 3 and 4 of the paper as written down there, for
// lineups without weights and offsets.
func naiveWengLin(model Model, teams [][]Skill, ranks []int) [][]Skill {
	const beta, tau, kappa, eps = 25.0 / 6, 25.0 / 300, 0.0001, 0.1
	var mu, variance []float64
	out := make([][]Skill, len(teams))
	for i, team := range teams {
		m, v := 0.0, 0.0
		for _, p := range team {
			p.Sigma = math.Hypot(p.Sigma, tau)
			out[i] = append(out[i], p)
			m, v = m+p.Mu, v+p.Sigma*p.Sigma
		}
		mu, variance = append(mu, m), append(variance, v)
	}
	phi := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	cdf := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	for i := range teams {
		omega, delta := 0.0, 0.0
		if model == ModelPlackettLuce {
			c := 0.0
			for _, v := range variance {
				c += v + beta*beta
			}
			c = math.Sqrt(c)
			for q := range teams {
				if ranks[q] > ranks[i] {
					continue
				}
				s, a := 0.0, 0.0
				for k := range teams {
					if ranks[k] >= ranks[q] {
						s += math.Exp((mu[k] - mu[i]) / c)
					}
					if ranks[k] == ranks[q] {
						a++
					}
				}
				p := 1 / s
				if q == i {
					omega += (1 - p) / a
				} else {
					omega -= p / a
				}
				delta += p * (1 - p) / a
			}
			omega *= variance[i] / c
			delta *= variance[i] / c / c * math.Sqrt(variance[i]) / c
		} else {
			for q := range teams {
				if q == i {
					continue
				}
				c := math.Sqrt(variance[i] + variance[q] + 2*beta*beta)
				x, t := (mu[i]-mu[q])/c, eps/c
				var v, w float64
				if model == ModelBradleyTerryFull {
					p := 1 / (1 + math.Exp(-x))
					v, w = -p, p*(1-p)
					if ranks[i] < ranks[q] {
						v = 1 - p
					} else if ranks[i] == ranks[q] {
						v = 0.5 - p
					}
				} else if ranks[i] == ranks[q] {
					y := math.Abs(x) // the other tail has no digits
					d := cdf(t-y) - cdf(-t-y)
					v = (phi(-t-y) - phi(t-y)) / d
					w = v*v + ((t-y)*phi(t-y)+(t+y)*phi(t+y))/d
					v = math.Copysign(v, -x)
				} else {
					sign := 1.0
					if ranks[i] > ranks[q] {
						sign = -1
					}
					y := sign*x - t
					v = phi(y) / cdf(y)
					w = v * (v + y)
					v *= sign
				}
				omega += variance[i] / c * v
				delta += math.Sqrt(variance[i]) / c * variance[i] / c / c * w
			}
		}
		for k := range out[i] {
			share := out[i][k].Sigma * out[i][k].Sigma / variance[i]
			out[i][k].Mu += share * omega
			out[i][k].Sigma *= math.Sqrt(math.Max(1-share*delta, kappa))
		}
	}
	return out
}

func drawTeams(t *rapid.T) (teams [][]Skill, ranks []int) {
	skill := rapid.Custom(func(t *rapid.T) Skill {
		return Skill{rapid.Float64Range(0, 50).Draw(t, "mu"), rapid.Float64Range(0.5, 10).Draw(t, "sigma")}
	})
	n := rapid.IntRange(2, 7).Draw(t, "teams")
	for range n {
		teams = append(teams, rapid.SliceOfN(skill, 1, 4).Draw(t, "team"))
		ranks = append(ranks, rapid.IntRange(-1, 3).Draw(t, "rank"))
	}
	return teams, ranks
}

func cloneTeams(teams [][]Skill) [][]Skill {
	c := make([][]Skill, len(teams))
	for i := range teams {
		c[i] = append(c[i], teams[i]...)
	}
	return c
}

func TestWengLinAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teams, ranks := drawTeams(t)
		for _, model := range []Model{ModelPlackettLuce, ModelBradleyTerryFull, ModelThurstoneMostellerFull} {
			got := cloneTeams(teams)
			if err := newWengLin(t, WengLinOptions{Model: model}).Update(Lineup{Teams: got}, ranks); err != nil {
				t.Fatal(err)
			}
			want := naiveWengLin(model, teams, ranks)
			for i := range want {
				for k := range want[i] {
					if !near(got[i][k].Mu, want[i][k].Mu, 1e-6) || !near(got[i][k].Sigma, want[i][k].Sigma, 1e-6) {
						t.Fatalf("model %d: %v, not %v", model, got, want)
					}
				}
			}
		}
	})
}

// TestWengLinInvariances: ranks count by their order alone; adding a number to
// every skill of teams of one size changes nothing else; offsets make that true
// of any sizes.
func TestWengLinInvariances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teams, ranks := drawTeams(t)
		model := Model(rapid.IntRange(0, 4).Draw(t, "model"))
		w := newWengLin(t, WengLinOptions{Model: model, LimitSigma: rapid.Bool().Draw(t, "limit")})
		one := cloneTeams(teams)
		if err := w.Update(Lineup{Teams: one}, ranks); err != nil {
			t.Fatal(err)
		}
		other := make([]int, len(ranks))
		for i, r := range ranks {
			other[i] = 10*r - 7
		}
		two := cloneTeams(teams)
		if err := w.Update(Lineup{Teams: two}, other); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(one, two); diff != "" {
			t.Fatalf("ranks %v and %v: %s", ranks, other, diff)
		}
		for i := range teams {
			for k, p := range teams[i] {
				if w.o.LimitSigma && one[i][k].Sigma > p.Sigma {
					t.Fatalf("the deviation rose from %v to %v", p.Sigma, one[i][k].Sigma)
				}
			}
		}

		for i := range teams {
			teams[i] = teams[i][:1]
		}
		one, two = cloneTeams(teams), cloneTeams(teams)
		for i := range two {
			two[i][0].Mu += 100
		}
		if err := errors.Join(w.Update(Lineup{Teams: one}, ranks), w.Update(Lineup{Teams: two}, ranks)); err != nil {
			t.Fatal(err)
		}
		for i := range two {
			if math.Abs(two[i][0].Mu-100-one[i][0].Mu) > 1e-8 || math.Abs(two[i][0].Sigma-one[i][0].Sigma) > 1e-8 {
				t.Fatalf("shifted by 100: %v, not %v", two, one)
			}
		}
	})
}

// TestWengLinOrderOfTeams: two teams may be named in either order, bit for bit.
func TestWengLinOrderOfTeams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		teams, ranks := drawTeams(t)
		for model := range ModelThurstoneMostellerPart + 1 {
			w := newWengLin(t, WengLinOptions{Model: model})
			a, b := cloneTeams(teams[:2]), cloneTeams(teams[:2])
			err1 := w.Update(Lineup{Teams: a}, ranks[:2])
			err2 := w.Update(Lineup{Teams: [][]Skill{b[1], b[0]}}, []int{ranks[1], ranks[0]})
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Fatalf("model %d: %s", model, diff)
			}
		}
	})
}

// TestWengLinStaysInRange: whatever is allowed in comes out as something that
// is allowed in again.
func TestWengLinStaysInRange(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(-MaxSkill, MaxSkill), rapid.SampledFrom([]float64{-MaxSkill, MaxSkill, 25}))
	sigma := rapid.OneOf(rapid.Float64Range(MinSigma, MaxSkill), rapid.SampledFrom([]float64{MinSigma, MaxSkill}))
	skill := rapid.Custom(func(t *rapid.T) Skill { return Skill{number.Draw(t, "mu"), sigma.Draw(t, "sigma")} })
	rapid.Check(t, func(t *rapid.T) {
		o := WengLinOptions{Model: Model(rapid.IntRange(0, 4).Draw(t, "model")), Gamma: Gamma(rapid.IntRange(0, 2).Draw(t, "gamma"))}
		o.Beta = rapid.SampledFrom([]float64{MinSigma, 0, MaxSkill}).Draw(t, "beta")
		o.DrawMargin = rapid.SampledFrom([]float64{1e-12, 0, 40, MaxSkill}).Draw(t, "margin")
		w := newWengLin(t, o)
		l, ranks := Lineup{}, []int(nil)
		for range rapid.IntRange(2, 6).Draw(t, "teams") {
			team := rapid.SliceOfN(skill, 1, 3).Draw(t, "team")
			l.Teams = append(l.Teams, team)
			l.Offsets = append(l.Offsets, skill.Draw(t, "offset"))
			l.Weights = append(l.Weights, rapid.SliceOfN(rapid.Float64Range(0, MaxSkill), len(team), len(team)).Draw(t, "weights"))
			ranks = append(ranks, rapid.IntRange(0, 2).Draw(t, "rank"))
		}
		for range 3 {
			if err := w.Update(l, ranks); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.validate(); err != nil {
			t.Fatal(err)
		}
		win, err1 := w.PredictWin(l)
		draw, err2 := w.PredictDraw(l)
		if err := errors.Join(err1, err2); err != nil || !(draw >= 0 && draw <= 1) {
			t.Fatalf("draw %v, %v", draw, err)
		}
		total := 0.0
		for _, p := range win {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("chances %v", win)
			}
			total += p
		}
		if math.Abs(total-1) > 1e-9 {
			t.Fatalf("chances %v add up to %v", win, total)
		}
	})
}

func TestWengLinRefuses(t *testing.T) {
	nan := math.NaN()
	for name, o := range map[string]WengLinOptions{
		"Model": {Model: 9}, "Gamma": {Gamma: 9}, "Mu": {Mu: nan}, "Sigma": {Sigma: -1}, "Beta": {Beta: math.Inf(1)}, "Tau": {Tau: nan},
		"Kappa": {Kappa: 2}, "DrawMargin": {DrawMargin: -1}, "OffsetSigma": {OffsetSigma: nan},
	} {
		if _, err := NewWengLin(o); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "WengLinOptions."+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	w := newWengLin(t, WengLinOptions{})
	s := w.Start()
	two := [][]Skill{{s}, {s}}
	for _, c := range []struct {
		name  string
		l     Lineup
		ranks []int
	}{
		{"Lineup.Teams: 1", Lineup{Teams: two[:1]}, []int{0}},
		{"Lineup.Teams[1]: 0", Lineup{Teams: [][]Skill{{s}, {}}}, []int{0, 1}},
		{"Lineup.Teams[1][0]", Lineup{Teams: [][]Skill{{s}, {{nan, 1}}}}, []int{0, 1}},
		{"Lineup.Teams[0][0]", Lineup{Teams: [][]Skill{{{1, 0}}, {s}}}, []int{0, 1}},
		{"Lineup.Offsets: 1", Lineup{Teams: two, Offsets: []Skill{s}}, []int{0, 1}},
		{"Lineup.Offsets[1]", Lineup{Teams: two, Offsets: []Skill{s, {1, nan}}}, []int{0, 1}},
		{"Lineup.Weights: 1", Lineup{Teams: two, Weights: [][]float64{{1}}}, []int{0, 1}},
		{"Lineup.Weights[0]: 2", Lineup{Teams: two, Weights: [][]float64{{1, 1}, {1}}}, []int{0, 1}},
		{"Lineup.Weights[1][0]", Lineup{Teams: two, Weights: [][]float64{{1}, {-1}}}, []int{0, 1}},
		{"3 ranks", Lineup{Teams: two}, []int{0, 1, 2}},
	} {
		if err := w.Update(c.l, c.ranks); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if two[0][0] != s || two[1][0] != s {
		t.Errorf("a refused game left %v", two)
	}
	if _, err := w.PredictWin(Lineup{}); !errors.Is(err, ErrInput) {
		t.Errorf("no teams: %v", err)
	}
	if a, b, err := w.Duel(s, Skill{}, 0, 1); !errors.Is(err, ErrInput) || a != s || b != (Skill{}) {
		t.Errorf("a skill without a deviation: %v, %v, %v", a, b, err)
	}
}

func TestOrdinal(t *testing.T) {
	if got := (Skill{25, 5}).Ordinal(); got != 10 {
		t.Errorf("%v, not 10", got)
	}
}

// TestEqualWeights: they are as good as none.
func TestEqualWeights(t *testing.T) {
	w := newWengLin(t, WengLinOptions{})
	s := w.Start()
	a, b := [][]Skill{{s, s}, {s}}, [][]Skill{{s, s}, {s}}
	err := errors.Join(w.Update(Lineup{Teams: a}, []int{0, 1}), w.Update(Lineup{Teams: b, Weights: [][]float64{{3, 3}, {0}}}, []int{0, 1}))
	if diff := cmp.Diff(a, b); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
}

func BenchmarkWengLin(b *testing.B) {
	w := newWengLin(b, WengLinOptions{})
	players := [4]Skill{w.Start(), {30, 4}, {20, 6}, {27.5, 2}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		rankA, rankB := i%2, i/2%2
		if _, _, err := w.Duel(players[i%4], players[(i+1+i/4%3)%4], rankA, rankB); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}
