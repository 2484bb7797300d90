package rating

import (
	"encoding/json"
	"math"
	"testing"
)

type btVector struct {
	Name, Source string
	Players      []string
	Teams        []string
	Wins         [][3]json.RawMessage
	Rows         []struct {
		Home, Away string
		HomeWins   int `json:"home_wins"`
		AwayWins   int `json:"away_wins"`
	}
	Matrix   [][]int
	Items    int `json:"n_items"`
	Data     json.RawMessage
	Ridge    float64
	Estimate []float64
	MLE      []float64 `json:"ml_est"`
	Computed struct {
		LogStrength []float64   `json:"log_strength_mean0"`
		LogLik      float64     `json:"loglik"`
		Cov         [][]float64 `json:"cov_sum_to_zero_pinv"`
		SE          []float64   `json:"se_sum_to_zero"`
		Elo         []float64   `json:"elo_scale"`
		EloSE       []float64   `json:"elo_se"`

		Model1, Model2 map[string]float64
		Model1SE       map[string]float64 `json:"model1_se"`
		Model2SE       map[string]float64 `json:"model2_se"`
		Model1LogLik   float64            `json:"model1_loglik"`
		Model2LogLik   float64            `json:"model2_loglik"`
		SumToZero      map[string]float64 `json:"model1_sum_to_zero"`
		SumToZeroSE    map[string]float64 `json:"model1_se_sum_to_zero"`
	}
	R struct {
		Coef, SE map[string]float64
	}
	Published map[string]json.RawMessage
}

func btCase(t *testing.T, name string) btVector {
	t.Helper()
	type file struct{ Cases []json.RawMessage }
	for _, raw := range vectors[file](t, "bradley_terry.json").Cases {
		var head struct{ Name string }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatal(err)
		}
		if head.Name != name {
			continue
		}
		var v btVector
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	t.Fatalf("no case %s", name)
	return btVector{}
}

// repeat makes n games alike.
func repeat(games []Game, n int, g Game) []Game {
	for range n {
		games = append(games, g)
	}
	return games
}

func TestBradleyTerryWikipedia(t *testing.T) {
	v := btCase(t, "wikipedia-4-players")
	var games []Game
	for _, w := range v.Wins {
		var winner, loser string
		var n int
		for i, p := range []any{&winner, &loser, &n} {
			if err := json.Unmarshal(w[i], p); err != nil {
				t.Fatal(err)
			}
		}
		games = repeat(games, n, Duel(winner, loser, 1))
	}
	f, err := BradleyTerry(games, BTOptions{NoSeat: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Players {
		if !near(f.Strengths[i], v.Computed.LogStrength[i], 1e-12) || !near(f.ModelErrors[i], v.Computed.SE[i], 1e-12) {
			t.Errorf("%s: %v +- %v, want %v +- %v", f.Players[i], f.Strengths[i], f.ModelErrors[i], v.Computed.LogStrength[i], v.Computed.SE[i])
		}
		if !near(f.Strengths[i]*eloScale, v.Computed.Elo[i], 1e-11) || !near(f.ModelErrors[i]*eloScale, v.Computed.EloSE[i], 1e-11) {
			t.Errorf("%s on the Elo scale: %v +- %v", f.Players[i], f.Strengths[i]*eloScale, f.ModelErrors[i]*eloScale)
		}
		for j := range f.Players {
			d, err := f.Difference(f.Players[i], f.Players[j])
			if err != nil {
				t.Fatal(err)
			}
			c := v.Computed.Cov
			want := math.Sqrt(c[i][i]+c[j][j]-2*c[i][j]) * eloScale
			if !near(d.ModelError, want, 1e-11) || !near(d.Elo, v.Computed.Elo[i]-v.Computed.Elo[j], 1e-11) {
				t.Errorf("%s less %s: %+v, want error %v", f.Players[i], f.Players[j], d, want)
			}
		}
	}
	if !near(f.LogLikelihood, v.Computed.LogLik, 1e-12) {
		t.Errorf("log-likelihood %v, want %v", f.LogLikelihood, v.Computed.LogLik)
	}
}

func TestBradleyTerryBaseball(t *testing.T) {
	v := btCase(t, "agresti-baseball-1987")
	var games []Game
	for _, r := range v.Rows {
		games = repeat(games, r.HomeWins, Duel(r.Home, r.Away, 1))
		games = repeat(games, r.AwayWins, Duel(r.Home, r.Away, 0))
	}
	for _, c := range []struct {
		noSeat     bool
		want, errs map[string]float64
		loglik     float64
	}{
		{true, v.Computed.Model1, v.Computed.Model1SE, v.Computed.Model1LogLik},
		{false, v.Computed.Model2, v.Computed.Model2SE, v.Computed.Model2LogLik},
	} {
		f, err := BradleyTerry(games, BTOptions{NoSeat: c.noSeat})
		if err != nil {
			t.Fatal(err)
		}
		if !near(f.LogLikelihood, c.loglik, 1e-12) {
			t.Errorf("log-likelihood %v, want %v", f.LogLikelihood, c.loglik)
		}
		for i, p := range f.Players {
			d, err := f.Difference(p, "Baltimore")
			if err != nil {
				t.Fatal(err)
			}
			if want := c.want[p] * eloScale; !near(d.Elo, want, 1e-9) {
				t.Errorf("%s: %v, want %v", p, d.Elo, want)
			}
			// Published standard errors are from the last but one step of the fit.
			if want := c.errs[p] * eloScale; !near(d.ModelError, want, 1e-9) {
				t.Errorf("%s: error %v, want %v", p, d.ModelError, want)
			}
			if c.noSeat && (!near(f.Strengths[i], v.Computed.SumToZero[p], 1e-10) || !near(f.ModelErrors[i], v.Computed.SumToZeroSE[p], 1e-9)) {
				t.Errorf("%s: %v +- %v about the mean", p, f.Strengths[i], f.ModelErrors[i])
			}
		}
		if !c.noSeat && (!near(f.Seat, c.want["at.home"], 1e-10) || !near(f.SeatModelError, c.errs["at.home"], 1e-9)) {
			t.Errorf("at home %v +- %v", f.Seat, f.SeatModelError)
		}
	}
}

func TestBradleyTerryCitations(t *testing.T) {
	v := btCase(t, "stigler-citations")
	var games []Game
	for cited, row := range v.Matrix {
		for citing, n := range row {
			if cited != citing {
				games = repeat(games, n, Duel(v.Players[cited], v.Players[citing], 1))
			}
		}
	}
	f, err := BradleyTerry(games, BTOptions{NoSeat: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.R.Coef) != 3 {
		t.Fatalf("%d coefficients", len(v.R.Coef))
	}
	for p, want := range v.R.Coef {
		d, err := f.Difference(p, "Biometrika")
		if err != nil {
			t.Fatal(err)
		}
		if !near(d.Elo, want*eloScale, 1e-8) || !near(d.ModelError, v.R.SE[p]*eloScale, 1e-5) {
			t.Errorf("%s: %+v, want %v +- %v", p, d, want*eloScale, v.R.SE[p]*eloScale)
		}
	}
}

// itemName names an item so that names sort like numbers.
func itemName(i int) string { return string(rune('a' + i)) }

func TestBradleyTerryChoix(t *testing.T) {
	for _, name := range []string{"choix-pairwise-1", "choix-pairwise-2", "choix-8-random-ridge0.5"} {
		v := btCase(t, name)
		var data [][2]int
		if err := json.Unmarshal(v.Data, &data); err != nil {
			t.Fatal(err)
		}
		var games []Game
		for _, d := range data {
			games = append(games, Duel(itemName(d[0]), itemName(d[1]), 1))
		}
		want := v.MLE
		if want == nil {
			want = v.Estimate
		}
		// The source's penalty is ridge times the sum of squares, ours half of it.
		f, err := BradleyTerry(games, BTOptions{NoSeat: true, Ridge: 2 * v.Ridge})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(want) != len(f.Strengths) || len(want) < 3 {
			t.Fatalf("%s: %d strengths, %d wanted", name, len(f.Strengths), len(want))
		}
		for i := range want {
			if !near(f.Strengths[i], want[i], 1e-4) {
				t.Errorf("%s: %s %v, want %v", name, f.Players[i], f.Strengths[i], want[i])
			}
		}
	}
}
