package rating

import (
	"errors"
	"fmt"
	"math"
)

// ErrInterval is what refusals of an interval's arguments wrap.
var ErrInterval = errors.New("rating: interval")

func checkBinomial(wins, n int, confidence float64) error {
	if n < 1 || wins < 0 || wins > n {
		return fmt.Errorf("%w: %d of %d", ErrInterval, wins, n)
	}
	if !(confidence > 0 && confidence < 1) {
		return fmt.Errorf("%w: confidence is not in (0, 1)", ErrInterval)
	}
	return nil
}

// Wilson gives the score interval of a share of wins among n independent games without draws (Wilson 1927): right on the average of shares,
// also for few games and shares near 0 and 1. The error wraps ErrInterval.
func Wilson(wins, n int, confidence float64) (Interval, error) {
	if err := checkBinomial(wins, n, confidence); err != nil {
		return Interval{}, err
	}
	z := twoSided(confidence)
	z2, m := float64(z*z), float64(n)
	p := float64(wins) / m
	centre := p + z2/float64(2*m)
	half := float64(z * math.Sqrt(float64(p*(1-p))/m+z2/float64(4*float64(m*m))))
	i := Interval{(centre - half) / (1 + z2/m), (centre + half) / (1 + z2/m)}
	if wins == 0 {
		i.Low = 0
	}
	if wins == n {
		i.High = 1
	}
	return i, nil
}

// ClopperPearson gives the exact interval of a share of wins among n independent games without draws (Clopper and Pearson 1934): it holds
// the share with at least the confidence, whatever the share is, and is wider for it. The error wraps ErrInterval.
func ClopperPearson(wins, n int, confidence float64) (Interval, error) {
	if err := checkBinomial(wins, n, confidence); err != nil {
		return Interval{}, err
	}
	tail := float64((1 - confidence) / 2)
	w, m := float64(wins), float64(n)
	i := Interval{0, 1}
	if wins > 0 {
		i.Low = betaQuantile(w, m-w+1, tail)
	}
	if wins < n {
		i.High = betaQuantile(w+1, m-w, 1-tail)
	}
	return i, nil
}
