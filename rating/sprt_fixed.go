package rating

import (
	"fmt"
	"math"
)

// FixedN is what a match says whose length was set before it began. Where somebody looked at the score to decide when to end it, the
// figures are wrong: that is what SPRT is for.
type FixedN struct {
	N        int
	Score    float64  // mean score, in [0, 1]
	Error    float64  // standard error of Score
	Elo      float64  // of Score, within 1000
	Interval Interval // of Elo
	// Normalized is the difference on the normalized scale, NormalizedInterval its interval, at the standard deviation observed.
	Normalized         float64
	NormalizedInterval Interval
	// LOS is the likelihood of superiority Phi((Score - 1/2) / Error): the share of the posterior above 1/2 with a flat prior, by the normal
	// approximation.
	LOS float64
}

// FixedLength evaluates a match of fixed length from its counts: losses, draws and wins, or pairs with 0 to 4 half points. Of a pair only the
// sum counts, so that what the seats give is no noise. Scores without results count as 0.001 results: 10 of 10 lost has an error and a
// bounded Elo. The interval is Score plus and minus z Error, brought to the Elo scale; confidence is in (0, 1). The error wraps ErrSPRT.
func FixedLength(counts []int, confidence float64) (FixedN, error) {
	c := SPRTOptions{}
	switch len(counts) {
	case 3:
		c.Sampling = Trinomial
	case 5:
	default:
		return FixedN{}, fmt.Errorf("%w: %d counts, neither 3 nor 5", ErrSPRT, len(counts))
	}
	if err := c.checkCounts(counts); err != nil {
		return FixedN{}, err
	}
	if !(confidence > 0 && confidence < 1) {
		return FixedN{}, fmt.Errorf("%w: confidence is not in (0, 1)", ErrSPRT)
	}
	f := FixedN{}
	for _, n := range counts {
		f.N += n
	}
	o := newOutcomes(counts)
	mean, variance := moments(&o.p, o.k)
	f.Score = mean
	f.Error = math.Sqrt(variance / o.total)
	z := float64(twoSided(confidence) * f.Error)
	elo := func(s float64) float64 {
		return min(max(eloOf(min(max(s, 1e-9), 1-1e-9)), -maxElo), maxElo)
	}
	f.Elo = elo(mean)
	f.Interval = Interval{elo(mean - z), elo(mean + z)}
	game := o.perGame(variance)
	f.Normalized = float64((mean - 0.5) / game * normalizedScale)
	f.NormalizedInterval = Interval{float64((mean - z - 0.5) / game * normalizedScale), float64((mean + z - 0.5) / game * normalizedScale)}
	f.LOS = normCDF((mean - 0.5) / f.Error)
	return f, nil
}
