package rating

import "math"

// eloScale is how many Elo points one unit of log strength is: 400 / ln 10.
const eloScale = 400 / math.Ln10

// normalizedScale is how many points of normalized Elo one standard deviation of a game's score is: 800 / ln 10, so that for small
// differences without draws or seat bias both scales agree (Van den Bergh, "Normalized Elo").
const normalizedScale = 800 / math.Ln10

// unseen stands for the zero among the counts of outcomes: with zeros left in, a hypothesis could have no distribution at all.
const unseen = 1e-3

// outcomes is the empirical distribution of scores: the counts of k equally spaced scores from 0 to 1. k is 3 (games) or 5 (pairs).
type outcomes struct {
	k     int
	total float64
	p     [5]float64 // shares; unseen outcomes have a little
}

// score is the i-th of k equally spaced scores.
func score(i, k int) float64 { return float64(i) / float64(k-1) }

func newOutcomes(counts []int) outcomes {
	o := outcomes{k: len(counts)}
	for i, n := range counts {
		o.p[i] = max(float64(n), unseen)
		o.total += o.p[i]
	}
	for i := range counts {
		o.p[i] /= o.total
	}
	return o
}

// moments gives the mean and the variance of a distribution over k scores.
func moments(p *[5]float64, k int) (mean, variance float64) {
	for i := range k {
		mean += float64(p[i] * score(i, k))
	}
	for i := range k {
		d := score(i, k) - mean
		variance += float64(p[i] * float64(d*d))
	}
	return mean, variance
}

// perGame gives the standard deviation of one game's score that belongs to the variance of an outcome: a pair's score is the mean of two.
func (o *outcomes) perGame(variance float64) float64 {
	if o.k == 5 {
		return math.Sqrt(float64(2 * variance))
	}
	return math.Sqrt(variance)
}

// tilt finds the x at which the sum of p g / (1 + x g) is 0: then p / (1 + x g) is the distribution nearest to p (of maximum likelihood)
// among those under which g has mean 0. It reports false where g has one sign only and there is none.
func tilt(p, g *[5]float64, k int) (float64, bool) {
	lo, hi := 0.0, 0.0 // the least and the greatest g
	for i := range k {
		lo, hi = min(lo, g[i]), max(hi, g[i])
	}
	if lo >= 0 || hi <= 0 {
		return 0, false
	}
	left, right := -1/hi, -1/lo // poles, between which the sum falls from +Inf to -Inf
	x := 0.0
	for range 200 {
		f, slope := 0.0, 0.0
		for i := range k {
			q := g[i] / (1 + float64(x*g[i]))
			f += float64(p[i] * q)
			slope += float64(p[i] * float64(q*q))
		}
		if f > 0 {
			left = x
		} else {
			right = x
		}
		next := x + f/slope
		if !(next > left && next < right) {
			next = left + float64((right-left)/2)
		}
		done := math.Abs(next-x) <= 1e-14*(1+math.Abs(x))
		x = next
		if done {
			break
		}
	}
	return x, true
}

// logRatio gives the logarithm of the likelihood ratio of two hypotheses, each at its distribution of maximum likelihood: H1 over H0.
func (o *outcomes) logRatio(h0, h1 *[5]float64) float64 {
	var terms [5]float64
	for i := range o.k {
		terms[i] = float64(float64(o.total*o.p[i]) * log(h0[i]/h1[i]))
	}
	return sum(terms[:o.k])
}

// withMean gives, for each outcome, the factor 1 + x g by which the likeliest distribution with the mean s falls short of the shares.
func (o *outcomes) withMean(s float64) (factors [5]float64, ok bool) {
	var g [5]float64
	for i := range o.k {
		g[i] = score(i, o.k) - s
	}
	x, ok := tilt(&o.p, &g, o.k)
	for i := range o.k {
		factors[i] = 1 + float64(x*g[i])
	}
	return factors, ok
}
