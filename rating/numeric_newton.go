package rating

// problem is a concave function to be maximized.
type problem interface {
	// evaluate sets the gradient and the lower triangle of the information (the negative second derivatives) at x, both 0 before.
	evaluate(x, gradient []float64, information *matrix)
	// reach gives the largest change that a step makes to the logarithm of a ratio of probabilities that the function is made of.
	reach(step []float64) float64
}

// newton maximizes from 0. A step is shortened by log(1+r)/r, r being its reach: information changes by e^r at most on the way, so that the
// function cannot fall (Bach 2010). It gives the place, and the factor of the information there. Where there is no maximum, or none that is
// unique, it gives ErrDiverged.
func newton(p problem, n int) (x []float64, factor *matrix, err error) {
	x = make([]float64, n)
	gradient := make([]float64, n)
	for range 100 {
		clear(gradient)
		h := newMatrix(n)
		p.evaluate(x, gradient, h)
		if !h.cholesky() {
			return nil, nil, ErrDiverged
		}
		h.solve(gradient)
		r := p.reach(gradient)
		if !finite(r) {
			return nil, nil, ErrDiverged
		}
		t := 1.0
		if r > 1e-8 {
			t = log1p(r) / r
		}
		for i := range x {
			x[i] += float64(t * gradient[i])
		}
		if r <= 1e-8 {
			return x, h, nil
		}
	}
	return nil, nil, ErrDiverged
}
