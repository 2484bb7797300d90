package rating

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// MaxResamples bounds a bootstrap.
const MaxResamples = 100000

// maxBootstrap is how many strengths are kept at most: 512 MiB of them.
const maxBootstrap = 1 << 26

// BootstrapOptions configure a bootstrap. The zero value draws 400 resamples with seed 0, which is a seed like any other.
type BootstrapOptions struct {
	Seed      uint64
	Resamples int // 0: 400; at most MaxResamples, and times the players 1 << 26
}

// Bootstrap has the fits to resamples of the games.
type Bootstrap struct {
	Resamples int // drawn
	// Degenerate is how many of them had no estimate: a player or a group came apart from the others. They are left out, and what is left
	// is no longer a sample of what could have happened: where they are many, intervals are too narrow. A prior (BTOptions.Ridge) has none.
	Degenerate int

	players   []string
	strengths [][]float64 // by resample that has them
}

// Unreliable reports whether more than one resample of a hundred is degenerate.
func (b *Bootstrap) Unreliable() bool { return 100*b.Degenerate > b.Resamples }

// Bootstrap draws as many clusters (pairs with swapped seats) as there are, with replacement, and fits again, so many times (Efron 1979). The
// same seed gives the same resamples, whatever the order of the games and the number of processors.
func (f *BTFit) Bootstrap(c BootstrapOptions) (*Bootstrap, error) {
	if c.Resamples == 0 {
		c.Resamples = 400
	}
	if c.Resamples < 0 || c.Resamples > MaxResamples {
		return nil, fmt.Errorf("%w: BootstrapOptions.Resamples is not in [0, %d]", ErrFit, MaxResamples)
	}
	if err := f.fitted(); err != nil {
		return nil, err
	}
	if c.Resamples*len(f.Players) > maxBootstrap {
		return nil, fmt.Errorf("%w: BootstrapOptions.Resamples: %d strengths to keep, %d at most", ErrFit, c.Resamples*len(f.Players), maxBootstrap)
	}
	b := &Bootstrap{Resamples: c.Resamples, players: f.Players}
	kinds := f.data.kinds()
	fits := make([][]float64, c.Resamples)
	parallel(c.Resamples, false, func(k int) {
		d := f.data.resample(rand.New(rand.NewPCG(c.Seed, uint64(k))), kinds)
		m, err := d.model(f.config)
		if err != nil || m.fit(f.Strengths) != nil {
			return
		}
		fits[k] = m.x[:m.n:m.n]
	})
	for _, x := range fits {
		if x == nil {
			b.Degenerate++
		} else {
			b.strengths = append(b.strengths, x)
		}
	}
	return b, nil
}

// kinds numbers each cluster's class, or the mixture after the classes.
func (d *btData) kinds() []int32 {
	kinds := make([]int32, 0, d.clusters)
	for k := range d.classes {
		for range d.classes[k].count {
			kinds = append(kinds, int32(k))
		}
	}
	for k := range d.mixed {
		for range d.mixed[k].count {
			kinds = append(kinds, int32(len(d.classes)+k))
		}
	}
	return kinds
}

// resample draws clusters with replacement.
func (d *btData) resample(r *rand.Rand, kinds []int32) *btData {
	out := *d
	out.classes, out.mixed = slices.Clone(d.classes), slices.Clone(d.mixed)
	for k := range out.classes {
		out.classes[k].count = 0
	}
	for k := range out.mixed {
		out.mixed[k].count = 0
	}
	for range kinds {
		k := int(kinds[r.IntN(len(kinds))])
		if k < len(out.classes) {
			out.classes[k].count++
		} else {
			out.mixed[k-len(out.classes)].count++
		}
	}
	out.join()
	return &out
}

// ErrDegenerate says that no resample has an estimate.
var ErrDegenerate = errors.New("rating: all resamples are degenerate")

// Difference gives the percentile interval of the Elo of one player less another's, by name, at a confidence in (0, 1). The error names an
// unknown player, or is ErrDegenerate.
func (b *Bootstrap) Difference(first, second string, confidence float64) (Interval, error) {
	i, err := indexOf(b.players, first)
	if err != nil {
		return Interval{}, err
	}
	k, err := indexOf(b.players, second)
	if err != nil {
		return Interval{}, err
	}
	return b.interval(confidence, func(x []float64) float64 { return x[i] - x[k] })
}

// Strength is Difference for one player against the mean of all.
func (b *Bootstrap) Strength(player string, confidence float64) (Interval, error) {
	i, err := indexOf(b.players, player)
	if err != nil {
		return Interval{}, err
	}
	return b.interval(confidence, func(x []float64) float64 { return x[i] })
}

func (b *Bootstrap) interval(confidence float64, of func(strengths []float64) float64) (Interval, error) {
	if !(confidence > 0 && confidence < 1) {
		return Interval{}, fmt.Errorf("%w: confidence is not in (0, 1)", ErrInterval)
	}
	n := len(b.strengths)
	if n == 0 {
		return Interval{}, ErrDegenerate
	}
	values := make([]float64, n)
	for k, x := range b.strengths {
		values[k] = float64(of(x) * eloScale)
	}
	slices.Sort(values)
	// The order statistics that leave as much of the probability outside on each side (Davison and Hinkley 1997, 5.3).
	k := int(math.Floor(float64(float64(n+1) * float64((1-confidence)/2))))
	k = min(max(k, 1), (n+1)/2)
	return Interval{values[k-1], values[n-k]}, nil
}
