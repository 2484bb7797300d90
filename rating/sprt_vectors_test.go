package rating

import (
	"math"
	"testing"
)

type sprtVectors struct {
	Cases []struct {
		Name, Model string
		Elo         [2]float64
		Errors      [2]float64
		Counts      []int
		LLR         float64
		Published   *float64
		DrawElo     float64
		Logistic    [2]float64
		Estimate    *struct {
			Elo      float64
			Interval [2]float64
			LOS      float64
		}
	}
	Cutechess []struct {
		Elo, Errors [2]float64
		Counts      []int
		LLR, Bound  float64
	}
	Plans []struct {
		Model                      string
		Elo                        [2]float64
		True, Accept, Pairs, Games float64
		Shares                     []float64
	}
	Brownian []struct {
		Bounds                         [2]float64
		Drift, Sigma, Time, At, Before float64
	}
}

// sprtConfig makes the configuration of a vector.
func sprtConfig(model string, elo, errors [2]float64, counts int) SPRTOptions {
	c := SPRTOptions{Elo0: elo[0], Elo1: elo[1], Alpha: errors[0], Beta: errors[1]}
	if counts == 3 {
		c.Sampling = Trinomial
	}
	if model != "normalized" {
		c.Scale = LogisticElo
	}
	return c
}

// bayesElo gives the logistic Elo of an Elo of the BayesElo model, in which a draw is as wide as drawElo.
func bayesElo(elo, drawElo float64) float64 {
	win, loss := logistic((elo-drawElo)/eloScale), logistic((-elo-drawElo)/eloScale)
	return eloOf(win + (1-win-loss)/2)
}

func TestSPRTVectors(t *testing.T) {
	v := vectors[sprtVectors](t, "sprt_llr.json")
	if len(v.Cases) < 19 || len(v.Plans) < 8 || len(v.Brownian) < 4 || len(v.Cutechess) < 3 {
		t.Fatalf("%d cases, %d plans, %d of a Brownian motion, %d of cutechess", len(v.Cases), len(v.Plans), len(v.Brownian), len(v.Cutechess))
	}
	for _, c := range v.Cases {
		elo := c.Elo
		if c.Model == "BayesElo" {
			for i := range elo {
				elo[i] = bayesElo(elo[i], c.DrawElo)
				if !near(elo[i], c.Logistic[i], 1e-12) {
					t.Errorf("%s: BayesElo %v is %v, want %v", c.Name, c.Elo[i], elo[i], c.Logistic[i])
				}
			}
		}
		config := sprtConfig(c.Model, elo, c.Errors, len(c.Counts))
		llr, err := config.LLR(c.Counts)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if !near(llr, c.LLR, 1e-10) {
			t.Errorf("%s: %v, want %v", c.Name, llr, c.LLR)
		}
		if c.Published != nil && math.Abs(llr-*c.Published) > max(0.01*math.Abs(*c.Published), 0.005) {
			t.Errorf("%s: %v, published %v", c.Name, llr, *c.Published)
		}
		if c.Estimate == nil {
			continue
		}
		e, err := config.estimate(c.Counts, 0.95)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		// The source sums the series of the Brownian motion less exactly where the walk is short: 2e-4 Elo.
		for _, x := range [...]struct {
			name      string
			got, want float64
			tolerance float64
		}{
			{"Elo", e.Elo, c.Estimate.Elo, 1e-9},
			{"low end", e.Interval.Low, c.Estimate.Interval[0], 3e-4},
			{"high end", e.Interval.High, c.Estimate.Interval[1], 3e-4},
			{"LOS", e.LOS, c.Estimate.LOS, 1e-9},
		} {
			if !near(x.got, x.want, x.tolerance) {
				t.Errorf("%s: %s %v, want %v", c.Name, x.name, x.got, x.want)
			}
		}
	}
	for _, c := range v.Brownian {
		b := brownian{c.Bounds[0], c.Bounds[1], c.Drift, c.Sigma * c.Sigma}
		if got := b.before(c.Time, c.At); !near(got, c.Before, 1e-11) {
			t.Errorf("Brownian motion %+v: %v", c, got)
		}
	}
	for _, c := range v.Plans {
		p, err := sprtConfig(c.Model, c.Elo, [2]float64{0.05, 0.05}, 5).Plan(c.True, c.Shares)
		if err != nil || !near(p.AcceptH1, c.Accept, 1e-9) || !near(p.Results, c.Pairs, 1e-8) || !near(p.Games, c.Games, 1e-8) {
			t.Errorf("plan %+v: %+v, %v", c, p, err)
		}
	}
}

// TestSPRTEstimateExact is where the source of the vectors is least exact: the high end of an interval, by the spectral series of the
// Brownian motion with 50 digits.
func TestSPRTEstimateExact(t *testing.T) {
	c := SPRTOptions{Elo0: -1.75, Elo1: 0.25}.withDefaults()
	e, err := c.estimate([]int{127, 4883, 10712, 5150, 104}, 0.95)
	if err != nil || !near(e.Interval.High, 3.402585444542738, 1e-11) {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestSPRTCutechess compares with a test that estimates the draws once and adds half a result to each score: another statistic, so nearly the
// same number is all that can be asked, and the same verdict.
func TestSPRTCutechess(t *testing.T) {
	for _, c := range vectors[sprtVectors](t, "sprt_llr.json").Cutechess {
		n := float64(c.Counts[0] + c.Counts[1] + c.Counts[2])
		l, w := float64(c.Counts[0])/n, float64(c.Counts[2])/n
		drawElo := eloScale / 2 * (logit(1-l) + logit(1-w))
		elo := [2]float64{bayesElo(c.Elo[0], drawElo), bayesElo(c.Elo[1], drawElo)}
		config := sprtConfig("logistic", elo, c.Errors, 3)
		llr, err := config.LLR(c.Counts)
		if err != nil || math.Abs(llr-c.LLR) > 0.35*math.Abs(c.LLR) {
			t.Errorf("%v: %v, %v, want about %v", c.Counts, llr, err, c.LLR)
		}
		if lower, upper := config.bounds(); !near(upper, c.Bound, 1e-12) || !near(lower, -c.Bound, 1e-12) {
			t.Errorf("bounds %v, %v, want %v", lower, upper, c.Bound)
		}
	}
}
