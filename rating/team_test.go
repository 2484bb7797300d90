package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type teamVectors struct {
	Mean, Sum struct {
		Advantage, LogLik float64
		Advantage_Error   float64
		Skill, Error      []float64
	}
	Games [][3]any
}

// teamGames makes games of the vectors: wolves, villagers, and 1 where the wolves won.
func teamGames(t *testing.T, v *teamVectors) (games []Game) {
	t.Helper()
	for i, raw := range v.Games {
		g := Game{}
		for s, role := range [2]string{"wolf", "villager"} {
			side := Side{Role: role}
			for _, p := range raw[s].([]any) {
				side.Players = append(side.Players, itemName(int(p.(float64))-1))
			}
			g.Sides = append(g.Sides, side)
		}
		won := raw[2].(float64)
		g.Sides[0].Score, g.Sides[1].Score = won, 1-won
		g.Sides[int(won)].Rank = 1
		if i%2 == 1 { // who is first plays no part
			g.Sides[0], g.Sides[1] = g.Sides[1], g.Sides[0]
		}
		games = append(games, g)
	}
	return games
}

func TestTeamVectors(t *testing.T) {
	v := vectors[teamVectors](t, "team_bradley_terry.json")
	games := teamGames(t, v)
	if len(games) != 300 {
		t.Fatalf("%d games", len(games))
	}
	for _, c := range []struct {
		skill TeamSkill
		want  []float64
		errs  []float64
		adv   float64
	}{
		{TeamMean, v.Mean.Skill, v.Mean.Error, v.Mean.Advantage},
		{TeamSum, v.Sum.Skill, v.Sum.Error, v.Sum.Advantage},
	} {
		f, err := TeamBradleyTerry(games, TeamOptions{Skill: c.skill})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.want) != 8 {
			t.Fatalf("%d skills", len(c.want))
		}
		for i, want := range c.want {
			d, err := f.Difference(itemName(i+1), itemName(0))
			if err != nil {
				t.Fatal(err)
			}
			if !near(d.Elo, want*eloScale, 1e-8) || !near(d.ModelError, c.errs[i]*eloScale, 1e-5) {
				t.Errorf("skill %d, player %d: %v +- %v, want %v +- %v", c.skill, i+2, d.Elo, d.ModelError, want*eloScale, c.errs[i]*eloScale)
			}
			if !(d.Error > d.ModelError/2 && d.Error < d.ModelError*2) {
				t.Errorf("skill %d, player %d: error %v, of the model %v", c.skill, i+2, d.Error, d.ModelError)
			}
		}
		adv, err := f.RoleDifference("wolf", "villager")
		if err != nil {
			t.Fatal(err)
		}
		got := adv.Elo / eloScale
		if c.skill == TeamSum { // with player 1 at 0: three fewer wolves, each weaker by the strength of player 1
			got -= 3 * f.Strengths[0] * 1
		}
		if !near(got, c.adv, 1e-8) {
			t.Errorf("skill %d: advantage %v, want %v", c.skill, got, c.adv)
		}
		if c.skill == TeamMean && (!near(adv.ModelError, v.Mean.Advantage_Error*eloScale, 1e-5) || !near(f.LogLikelihood, v.Mean.LogLik, 1e-10)) {
			t.Errorf("advantage +- %v, log-likelihood %v", adv.ModelError, f.LogLikelihood)
		}
		if s := sum(f.Strengths); math.Abs(s) > 1e-10 {
			t.Errorf("strengths add up to %v", s)
		}
		r := rand.New(rand.NewPCG(1, 2))
		r.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
		g, err := TeamBradleyTerry(games, TeamOptions{Skill: c.skill})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([][]float64{f.Strengths, f.Errors, f.Effects}, [][]float64{g.Strengths, g.Errors, g.Effects}); d != "" {
			t.Errorf("another order, other numbers: %s", d)
		}
	}
}

// TestTeamOfOne is Bradley-Terry, the role being the seat.
func TestTeamOfOne(t *testing.T) {
	list, _, contests := league(6, 150, 5)
	var games []Game
	for _, c := range contests {
		g := Duel(list[c.First], list[c.Second], float64(c.Score))
		g.Pair = itemName(int(c.Cluster))
		g.Sides[0].Role, g.Sides[1].Role = "first", "second"
		games = append(games, g)
	}
	a, err := TeamBradleyTerry(games, TeamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := BradleyTerry(games, BTOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Players {
		if !near(a.Strengths[i], b.Strengths[i], 1e-10) || !near(a.Errors[i], b.Errors[i], 1e-10) || !near(a.ModelErrors[i], b.ModelErrors[i], 1e-10) {
			t.Errorf("%s: %v +- %v (%v), want %v +- %v (%v)", a.Players[i], a.Strengths[i], a.Errors[i], a.ModelErrors[i], b.Strengths[i], b.Errors[i], b.ModelErrors[i])
		}
	}
	role, err := a.RoleDifference("first", "second")
	if err != nil {
		t.Fatal(err)
	}
	if !near(role.Elo, b.Seat*eloScale, 1e-9) || !near(role.Error, b.SeatError*eloScale, 1e-9) || !near(role.ModelError, b.SeatModelError*eloScale, 1e-9) {
		t.Errorf("first seat %+v, want %v +- %v (%v)", role, b.Seat*eloScale, b.SeatError*eloScale, b.SeatModelError*eloScale)
	}
	if !near(a.LogLikelihood, b.LogLikelihood, 1e-11) {
		t.Errorf("log-likelihood %v, want %v", a.LogLikelihood, b.LogLikelihood)
	}
}

// TestTeamErrorsAgainstNaive compares model errors with those of a model without the directions on which nothing depends: the last player's
// strength is less all the others', the last role's effect less all the others'. Roles have teams of unlike sizes, so that with sums
// players trade against roles.
func TestTeamErrorsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	sizes := map[string]int{"solo": 1, "wolves": 2, "village": 3}
	names := []string{"solo", "wolves", "village"}
	var games []Game
	for k := range 400 {
		p := r.Perm(7)
		g := Duel("", "", float64(r.IntN(3))/2)
		for s, role := range []string{names[k%3], names[(k+1+r.IntN(2))%3]} {
			g.Sides[s].Role, g.Sides[s].Players = role, nil
			for range sizes[role] {
				g.Sides[s].Players = append(g.Sides[s].Players, itemName(p[0]))
				p = p[1:]
			}
		}
		games = append(games, g)
	}
	for _, skill := range []TeamSkill{TeamMean, TeamSum} {
		f, err := TeamBradleyTerry(games, TeamOptions{Skill: skill})
		if err != nil {
			t.Fatal(err)
		}
		n, m := len(f.Players), len(f.Roles)
		// Each parameter by the free ones.
		basis := make([][]float64, n+m)
		for i := range basis {
			basis[i] = make([]float64, n+m-2)
			switch {
			case i < n-1:
				basis[i][i] = 1
			case i >= n && i < n+m-1:
				basis[i][i-1] = 1
			}
		}
		for i := range n - 1 {
			basis[n-1][i] = -1
		}
		for i := range m - 1 {
			basis[n+m-1][n-1+i] = -1
		}
		h := newMatrix(n + m - 2)
		for _, g := range games {
			v := make([]float64, n+m-2)
			x := 0.0
			add := func(i int, by, value float64) {
				x += by * value
				for k := range v {
					v[k] += by * basis[i][k]
				}
			}
			for s, sign := range []float64{1, -1} {
				side := g.Sides[s]
				role := slices.Index(f.Roles, side.Role)
				add(n+role, sign, f.Effects[role])
				each := sign
				if skill == TeamMean {
					each /= float64(len(side.Players))
				}
				for _, name := range side.Players {
					i := slices.Index(f.Players, name)
					add(i, each, f.Strengths[i])
				}
			}
			p := 1 / (1 + math.Exp(-x))
			for a := range v {
				for b := range a + 1 {
					h.row(a)[b] += p * (1 - p) * v[a] * v[b]
				}
			}
		}
		if !h.cholesky() {
			t.Fatal("no inverse")
		}
		inverse := h.inverse()
		for i := range basis {
			variance := 0.0
			for a, x := range basis[i] {
				for b, y := range basis[i] {
					variance += x * y * inverse.row(a)[b]
				}
			}
			got := 0.0
			if i < n {
				got = f.ModelErrors[i]
			} else {
				got = f.EffectModelErrors[i-n]
			}
			if want := math.Sqrt(variance); !near(got, want, 1e-9) {
				t.Errorf("skill %d, parameter %d: error %v, want %v", skill, i, got, want)
			}
		}
	}
}

func TestTeamRefusals(t *testing.T) {
	team := func(score float64, first, second []string) Game {
		g := Duel(first[0], second[0], score)
		g.Sides[0].Players, g.Sides[1].Players = first, second
		return g
	}
	ab, cd := []string{"a", "b"}, []string{"c", "d"}
	for name, c := range map[string]struct {
		games  []Game
		config TeamOptions
		want   error
	}{
		"none":              {nil, TeamOptions{}, ErrFit},
		"three sides":       {[]Game{rankingGame([]string{"a", "b", "c"})}, TeamOptions{}, ErrFit},
		"ridge":             {nil, TeamOptions{Ridge: -1}, ErrFit},
		"skill":             {nil, TeamOptions{Skill: 2}, ErrFit},
		"always together":   {[]Game{team(1, ab, cd), team(0, ab, cd)}, TeamOptions{}, ErrDiverged},
		"always won":        {[]Game{Duel("a", "b", 1), Duel("b", "c", 1)}, TeamOptions{}, ErrDiverged},
		"a role always won": {[]Game{Duel("a", "b", 1), Duel("b", "c", 1), Duel("c", "a", 1)}, TeamOptions{}, nil},
	} {
		if _, err := TeamBradleyTerry(c.games, c.config); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A prior tells what results cannot.
	f, err := TeamBradleyTerry([]Game{team(1, ab, cd)}, TeamOptions{Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f.Strengths[0] <= 0 || f.Strengths[0] != f.Strengths[1] || !near(f.Strengths[0], -f.Strengths[2], 1e-12) {
		t.Errorf("%v", f.Strengths)
	}
	if _, err := f.Difference("a", "z"); err == nil {
		t.Error("a player who never played has a difference")
	}
	if _, err := f.RoleDifference("a", "b"); err == nil {
		t.Error("a role that nobody had has a difference")
	}
}
