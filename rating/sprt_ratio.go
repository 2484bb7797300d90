package rating

import (
	"math"
	"slices"
)

// ratio seeks the likeliest distribution among those whose mean exceeds 1/2 by t > 0 standard deviations.
//
// With d the score less 1/2 and c = 1 + 1/t^2 the constraint is E d^2 = c (E d)^2 with E d > 0. It is not linear. At the likeliest
// distribution it may be replaced by its tangent E (d^2 - 2 c h d + c h^2) = 0, where h is E d there: h is a root of E d - h, E d taken under
// the likeliest distribution on the tangent for h. At left, the least h at which a tangent meets the simplex, the difference is above 0; at
// right it is below, and no root is beyond, as no standard deviation is above 1/2.
type ratio struct {
	o           *outcomes
	c           float64
	g           [5]float64 // of the last tangent d - h/2 - d^2 / (2 c h), the form above over -2 c h
	left, right float64
}

func newRatio(o *outcomes, t float64) ratio {
	r := ratio{o: o, c: 1 + 1/float64(t*t)}
	root := math.Sqrt(float64(r.c * (r.c - 1)))
	r.left = score(1, o.k) / (r.c + root)                    // the least positive d is half of score 1 of 3 and all of score 1 of 5
	r.right = min(float64(0.5*(r.c+root))/r.c, float64(t/2)) // the first is where tangents cease to meet it
	return r
}

// tangent gives E d - h for the likeliest distribution on the tangent at h, with its factors (see outcomes.withMean).
func (r *ratio) tangent(h float64) (difference float64, factors [5]float64, ok bool) {
	o := r.o
	for i := range o.k {
		d := score(i, o.k) - 0.5
		r.g[i] = d - float64(h/2) - float64(d*d)/float64(2*r.c*h)
	}
	x, ok := tilt(&o.p, &r.g, o.k)
	mean := 0.0
	for i := range o.k {
		factors[i] = 1 + float64(x*r.g[i])
		mean += float64(o.p[i] / factors[i] * (score(i, o.k) - 0.5))
	}
	return mean - h, factors, ok
}

// root finds a root between left and right, starting at h: repeated substitution, which converges fast where t is small, then the method of
// false position with the Illinois rule once the root is enclosed, bisection where neither stays inside.
func (r *ratio) root(left, right, h float64) (factors [5]float64, ok bool) {
	var atLeft, atRight float64 // the differences there; 0 where unknown
	for range 200 {
		if !(h > left && h < right) {
			h = left + float64((right-left)/2)
		}
		e, f, ok := r.tangent(h)
		if !ok {
			return f, false
		}
		factors = f
		if math.Abs(e) <= 1e-13*h || right-left <= 1e-14*h {
			return factors, true
		}
		next := h + e
		if e > 0 {
			if atRight != 0 {
				next = h + float64((right-h)*e)/(e-atRight)
			}
			if atLeft != 0 {
				atRight /= 2 // an end that stays loses weight
			}
			left, atLeft = h, e
		} else {
			if atLeft != 0 {
				next = left + float64((h-left)*atLeft)/(atLeft-e)
			}
			if atRight != 0 {
				atLeft /= 2
			}
			right, atRight = h, e
		}
		h = next
	}
	return factors, true
}

// logLoss gives the logarithm of the likelihood ratio of the observed shares over a distribution with the factors: never below 0.
func (o *outcomes) logLoss(factors *[5]float64) float64 {
	s := 0.0
	for i := range o.k {
		s += float64(o.p[i] * log(factors[i]))
	}
	return float64(o.total * s)
}

// withRatio is withMean for the distributions whose mean exceeds 1/2 by t standard deviations.
func (o *outcomes) withRatio(t float64) (factors [5]float64, ok bool) {
	start, ok := o.withMean(0.5)
	if math.Abs(t) < 1e-9 || !ok { // a millionth of an Elo point
		return start, ok
	}
	if t < 0 {
		m := outcomes{k: o.k, total: o.total, p: mirror(&o.p, o.k)}
		f, ok := m.withRatio(-t)
		return mirror(&f, o.k), ok
	}
	var p [5]float64
	for i := range o.k {
		p[i] = o.p[i] / start[i]
	}
	_, variance := moments(&p, o.k) // a first guess of what it will be
	r := newRatio(o, t)
	factors, ok = r.root(r.left, r.right, float64(t*math.Sqrt(variance)))
	if !ok {
		return factors, false
	}
	// The distributions with a ratio of at most t are a convex set, and the likelihood is concave: where the observed shares lie outside, the
	// root is the only one. Where they lie inside, there can be several (rare wins and many draws: it may be likelier to have them all alike
	// or to have them more often). No search has found a better one where the loss is below 1, nor where t is small and no score prevails.
	mean, variance := moments(&o.p, o.k)
	if loss := o.logLoss(&factors); mean-0.5 < float64(t*math.Sqrt(variance)) && loss > 1 && (t > 0.2 || slices.Max(o.p[:o.k]) > 0.7) {
		r.scan(&factors, loss)
	}
	return factors, true
}

// scan looks for further roots on a grid of ratios and takes the one with the least loss.
func (r *ratio) scan(factors *[5]float64, loss float64) {
	const points = 24
	step := exp(log(r.right/r.left) / (points + 1))
	last, above := r.left, true
	for h := float64(r.left * step); h < r.right; h = float64(h * step) {
		e, _, ok := r.tangent(h)
		if ok && above && e <= 0 {
			f, ok := r.root(last, h, last+float64((h-last)/2))
			if l := r.o.logLoss(&f); ok && l < loss {
				*factors, loss = f, l
			}
		}
		last, above = h, ok && e > 0
	}
}

func mirror(p *[5]float64, k int) (m [5]float64) {
	for i := range k {
		m[i] = p[k-1-i]
	}
	return m
}
