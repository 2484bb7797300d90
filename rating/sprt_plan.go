package rating

import (
	"fmt"
	"math"
)

// SPRTPlan is what to expect of a sequential test.
type SPRTPlan struct {
	AcceptH1 float64 // the probability
	Results  float64 // the mean number of pairs, or of games where Sampling is Trinomial
	Games    float64 // the mean number of games
}

// Plan gives what to expect of the test where the true difference is elo, on the test's scale, and outcomes are spread as in shares: by
// score, 3 or 5 numbers from 0 on, some of them from earlier matches or a guess; only their variance counts. The formulas are Wald's, for a
// Brownian motion that does not overshoot its bounds; Max is not taken into account.
func (c SPRTOptions) Plan(elo float64, shares []float64) (SPRTPlan, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return SPRTPlan{}, err
	}
	if !(math.Abs(elo) <= maxElo) {
		return SPRTPlan{}, fmt.Errorf("%w: the difference is not within %d", ErrSPRT, maxElo)
	}
	variance, err := c.variance(shares)
	if err != nil {
		return SPRTPlan{}, err
	}
	o := outcomes{k: c.outcomes()}
	w := walk{variance: variance, perGame: o.perGame(variance)}
	w.lower, w.upper = c.bounds()
	w.s0, w.s1 = c.meanScore(c.Elo0, w.perGame), c.meanScore(c.Elo1, w.perGame)
	up, n := w.at(c.meanScore(elo, w.perGame)).exit()
	return SPRTPlan{AcceptH1: up, Results: n, Games: float64(n * c.games())}, nil
}

// variance gives that of an outcome.
func (c SPRTOptions) variance(shares []float64) (float64, error) {
	if len(shares) != c.outcomes() {
		return 0, fmt.Errorf("%w: %d shares, not %d", ErrSPRT, len(shares), c.outcomes())
	}
	var p [5]float64
	for i, x := range shares {
		if !(x >= 0 && x <= 1e15) {
			return 0, fmt.Errorf("%w: share %d is not in [0, 1e15]", ErrSPRT, i)
		}
		p[i] = x
	}
	total := sum(p[:])
	if total == 0 {
		return 0, fmt.Errorf("%w: the shares are all 0", ErrSPRT)
	}
	for i := range p {
		p[i] /= total
	}
	_, variance := moments(&p, len(shares))
	if !(variance >= 1e-9) {
		return 0, fmt.Errorf("%w: the shares have no variance", ErrSPRT)
	}
	return variance, nil
}

// games is how many a result is made of.
func (c SPRTOptions) games() float64 {
	if c.Sampling == Trinomial {
		return 1
	}
	return 2
}

// FixedPlan gives how many results a match of fixed length needs so that a difference of elo, on the test's scale, is found with probability
// 1-Beta at a one-sided error of Alpha: ((z(1-alpha) + z(1-beta)) sigma / (s - 1/2))^2, s the mean score at elo and sigma the standard
// deviation of a result as spread in shares. Elo0 and Elo1 play no part.
func (c SPRTOptions) FixedPlan(elo float64, shares []float64) (SPRTPlan, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return SPRTPlan{}, err
	}
	if !(math.Abs(elo) >= 1e-3 && math.Abs(elo) <= maxElo) {
		return SPRTPlan{}, fmt.Errorf("%w: the difference is not between 0.001 and %d either way", ErrSPRT, maxElo)
	}
	variance, err := c.variance(shares)
	if err != nil {
		return SPRTPlan{}, err
	}
	o := outcomes{k: c.outcomes()}
	d := c.meanScore(elo, o.perGame(variance)) - 0.5
	z := normQuantile(1-c.Alpha) + normQuantile(1-c.Beta)
	n := math.Ceil(float64(float64(z*z)*variance) / float64(d*d))
	return SPRTPlan{AcceptH1: 1 - c.Beta, Results: n, Games: float64(n * c.games())}, nil
}
