package rating

import (
	"errors"
	"fmt"
	"math"
)

// ErrFit is what refusals of a fit to all games wrap.
var ErrFit = errors.New("rating: fit")

// ErrDiverged says that a fit found no estimate: the results leave some direction without a bound, or say nothing about it.
var ErrDiverged = fmt.Errorf("%w: no finite estimate; a prior (Ridge) gives one", ErrFit)

// Estimates holds strengths estimated from all games at once. It is safe for concurrent use. Its slices are its own: not to be changed.
type Estimates struct {
	// Players has all that played, sorted by name.
	Players []string
	// Strengths are natural logarithms, in the order of Players; their mean is 0. A difference of 1 is 173.7 Elo.
	Strengths []float64
	// Errors are the standard errors of Strengths: sandwich errors clustered by pair, which hold whether or not games of a pair depend on each
	// other and draws are rarer or more frequent than the model has it (Liang and Zeger 1986, with the factor C/(C-1) for C clusters). That
	// of a difference is not made of two of them; see Difference. With fewer than 2 clusters they are the ModelErrors.
	Errors []float64
	// ModelErrors are from the inverse of the information matrix: right if games are independent and the model holds.
	ModelErrors []float64
	// LogLikelihood is at the estimate, without prior and without binomial coefficients.
	LogLikelihood float64
	Games         int // that count
	Clusters      int // independent pieces of evidence they form
	Report        Report

	inverse *matrix // of the information, on differences
	meat    *matrix // sum over clusters of the outer products of their scores
	factor  float64
	prior   bool // fitted with one
}

// setErrors takes the covariances over: with gauge removed from the inverse, and the errors of all parameters.
func (f *Estimates) setErrors(inverse, meat *matrix) (model, sandwich []float64, ok bool) {
	f.inverse, f.meat = inverse, meat
	if f.Clusters > 1 {
		f.factor = float64(f.Clusters) / float64(f.Clusters-1)
	}
	variance := inverse.quadratic(meat)
	model, sandwich = make([]float64, inverse.n), make([]float64, inverse.n)
	ok = true
	for i := range inverse.n {
		model[i] = math.Sqrt(max(inverse.row(i)[i], 0))
		sandwich[i] = model[i]
		if f.Clusters > 1 {
			sandwich[i] = math.Sqrt(float64(f.factor * max(variance[i], 0)))
		}
		ok = ok && finite(model[i]) && finite(sandwich[i])
	}
	n := len(f.Players)
	f.Errors, f.ModelErrors = sandwich[:n:n], model[:n:n]
	return model, sandwich, ok
}

// Difference is what a fit says about two players.
type Difference struct {
	Elo float64 // of the first less the second
	// Error is its standard error, from the sandwich; ModelError is that of the model.
	Error, ModelError float64
	// Prior says that the strengths were fitted with a prior. The sandwich then says how far the mode moves from sample to sample, which is
	// next to nothing where it is the prior that holds it; the model's error is what is known.
	Prior bool
}

// Interval gives the Elo plus and minus the normal quantile of a confidence in (0, 1) times Error, or, with a prior, times the larger one of
// both errors; the point alone outside of that.
func (d Difference) Interval(confidence float64) Interval {
	if !(confidence > 0 && confidence < 1) {
		return Interval{d.Elo, d.Elo}
	}
	e := d.Error
	if d.Prior {
		e = max(e, d.ModelError)
	}
	z := float64(twoSided(confidence) * e)
	return Interval{d.Elo - z, d.Elo + z}
}

// Difference gives the difference of two players, by name, with the error of the difference itself: from games against the same opponents
// two strengths share part of their errors. An unknown name is an error, and so is any where the estimates come not from a fit but from
// storage: they have no covariances there.
func (f *Estimates) Difference(a, b string) (Difference, error) {
	i, err := indexOf(f.Players, a)
	if err != nil {
		return Difference{}, err
	}
	k, err := indexOf(f.Players, b)
	if err != nil {
		return Difference{}, err
	}
	if err := f.fitted(); err != nil {
		return Difference{}, err
	}
	return f.contrast(i, k, f.Strengths[i]-f.Strengths[k]), nil
}

// fitted gives an error where the covariances are missing.
func (f *Estimates) fitted() error {
	if f.inverse == nil {
		return fmt.Errorf("%w: these estimates do not come from a fit", ErrFit)
	}
	return nil
}

// contrast is the difference of two parameters.
func (f *Estimates) contrast(i, k int, value float64) Difference {
	n := f.inverse.n
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		x[j] = f.inverse.row(i)[j] - f.inverse.row(k)[j]
	}
	model := max(x[i]-x[k], 0)
	sandwich := model
	if f.Clusters > 1 {
		for j := range n {
			y[j] = float64(x[j] * dot(f.meat.row(j), x))
		}
		sandwich = float64(f.factor * max(sum(y), 0))
	}
	return Difference{
		Elo:        float64(value * eloScale),
		Error:      float64(math.Sqrt(sandwich) * eloScale),
		ModelError: float64(math.Sqrt(model) * eloScale),
		Prior:      f.prior,
	}
}
