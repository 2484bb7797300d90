package rating

import "fmt"

// Interval is a range of a number, ends included.
type Interval struct{ Low, High float64 }

// Contains reports whether x is in the interval.
func (i Interval) Contains(x float64) bool { return x >= i.Low && x <= i.High }

// maxElo bounds estimates on the logistic scale: what lies beyond, hundreds of games do not tell from it.
const maxElo = 1000

// SPRTEstimate is what a sequential test says about the difference, which the plain mean overstates after a stop: a test that stopped early
// stopped at a lucky streak.
type SPRTEstimate struct {
	// Elo is median-unbiased, on the logistic scale: the difference at which an outcome further up than the one seen is as likely as one
	// further down. Within 1000; there it means "at least so much".
	Elo        float64
	Interval   Interval // of Elo, at the confidence asked for
	Normalized float64  // Elo on the normalized scale, at the standard deviation observed
	// NormalizedInterval is Interval on the normalized scale.
	NormalizedInterval Interval
	// LOS, the likelihood of superiority, is one less the probability of an outcome at least as far up were both equal.
	LOS float64
}

// Estimate gives the estimate from the results so far, at a confidence in (0, 1), say 0.95. It models the logarithm of the likelihood
// ratio as a Brownian motion between the bounds (Siegmund's ordering of outcomes: an upward stop counts for the more the earlier). Without
// results it is an error.
func (s *SPRT) Estimate(confidence float64) (SPRTEstimate, error) {
	return s.c.estimate(s.state.Counts[:s.c.outcomes()], confidence)
}

func (c SPRTOptions) estimate(counts []int, confidence float64) (SPRTEstimate, error) {
	if err := c.checkCounts(counts); err != nil {
		return SPRTEstimate{}, err
	}
	if !(confidence > 0 && confidence < 1) {
		return SPRTEstimate{}, fmt.Errorf("%w: confidence is not in (0, 1)", ErrSPRT)
	}
	o := newOutcomes(counts)
	w := c.walk(&o)
	tail := float64((1 - confidence) / 2)
	low, mid, high := w.quantile(1-tail), w.quantile(0.5), w.quantile(tail)
	n := func(elo float64) float64 { return float64((scoreOf(elo) - 0.5) / w.perGame * normalizedScale) }
	return SPRTEstimate{
		Elo:                mid,
		Interval:           Interval{low, high},
		Normalized:         n(mid),
		NormalizedInterval: Interval{n(low), n(high)},
		LOS:                w.further(0.5),
	}, nil
}

// eloOf gives the Elo of an expected score, and scoreOf the score of an Elo.
func eloOf(score float64) float64 { return float64(eloScale * logit(score)) }

func scoreOf(elo float64) float64 { return logistic(elo / eloScale) }

// walk is the path of a test's statistic as a Brownian motion.
type walk struct {
	lower, upper   float64
	s0, s1         float64 // the hypotheses as mean scores
	mean, variance float64 // of an outcome as observed
	perGame        float64 // standard deviation of a game's score
	t, y           float64 // where the walk is or has ended
}

func (c SPRTOptions) walk(o *outcomes) walk {
	w := walk{t: o.total}
	w.lower, w.upper = c.bounds()
	w.mean, w.variance = moments(&o.p, o.k)
	w.perGame = o.perGame(w.variance)
	w.s0, w.s1 = c.meanScore(c.Elo0, w.perGame), c.meanScore(c.Elo1, w.perGame)
	w.y = float64(w.t * w.at(w.mean).drift)
	// The statistic overshoots the bound; the motion it is compared to was there a little earlier.
	for _, bound := range [...]float64{w.lower, w.upper} {
		if w.y/bound > 1 {
			w.t, w.y = w.t*bound/w.y, bound
		}
	}
	return w
}

// meanScore gives the mean score of a hypothesis.
func (c SPRTOptions) meanScore(elo, perGame float64) float64 {
	if c.Scale == LogisticElo {
		return scoreOf(elo)
	}
	return 0.5 + float64(elo/normalizedScale*perGame)
}

// at is the motion where the mean score is s.
func (w *walk) at(s float64) brownian {
	step := w.s1 - w.s0
	return brownian{
		lower:    w.lower,
		upper:    w.upper,
		drift:    float64((s-float64((w.s0+w.s1)/2))*step) / w.variance,
		variance: float64(step*step) / w.variance,
	}
}

// further gives the probability of an outcome further down than the one seen where the mean score is s; it falls with s.
func (w *walk) further(s float64) float64 {
	b := w.at(s)
	return b.before(w.t, w.y)
}

// quantile gives the Elo, within maxElo, at which that probability is p.
func (w *walk) quantile(p float64) float64 {
	lo, hi := -maxElo*1.0, maxElo*1.0
	if w.further(scoreOf(lo)) <= p {
		return lo
	}
	if w.further(scoreOf(hi)) >= p {
		return hi
	}
	for range 60 {
		mid := lo + float64((hi-lo)/2)
		if w.further(scoreOf(mid)) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + float64((hi-lo)/2)
}
