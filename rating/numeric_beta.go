package rating

import "math"

const halfLog2Pi = 0.918938533204672741780329736405617639

// stirlingSeries holds the Bernoulli numbers B(2n) over 2n(2n-1).
var stirlingSeries = [...]float64{
	1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
}

// stirlingError gives log Gamma(x) - (x-1/2) log x + x - log(2 pi)/2 for x above 0: what Stirling's formula leaves.
func stirlingError(x float64) float64 {
	// Below 10 the recurrence of the gamma function lifts x, a step costing (x+1/2) log(1+1/x) - 1.
	s := 0.0
	for x < 10 {
		s += float64((x+0.5)*log1p(1/x)) - 1
		x++
	}
	q := 1 / float64(x*x)
	r := 0.0
	for i := len(stirlingSeries) - 1; i >= 0; i-- {
		r = float64(r*q) + stirlingSeries[i]
	}
	return s + r/x
}

// lgamma gives the logarithm of the gamma function for x above 0, to about 1e-15 of the larger of 1 and the value.
func lgamma(x float64) float64 {
	return float64((x-0.5)*log(x)) - x + halfLog2Pi + stirlingError(x)
}

// betaInc gives the regularized incomplete beta function I_x(a, b), for a and b above 0 and x in [0, 1]: the probability that a beta
// variable is at most x.
func betaInc(a, b, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	}
	y := 1 - x
	// x^a y^b / B(a, b) in the form of Loader (2000), which keeps its digits for large a and b.
	lx := log1p((float64(b*x) - float64(a*y)) / a)
	ly := log1p((float64(a*y) - float64(b*x)) / b)
	front := exp(float64(a*lx)+float64(b*ly)+stirlingError(a+b)-stirlingError(a)-stirlingError(b)) *
		math.Sqrt(a/(a+b)*b) / sqrt2Pi
	if x < (a+1)/(a+b+2) {
		return min(front*betaFraction(a, b, x)/a, 1)
	}
	return max(1-front*betaFraction(b, a, y)/b, 0)
}

// betaFraction evaluates the continued fraction 26.5.8 of Abramowitz and Stegun by the method of Lentz, which converges within a
// multiple of the square root of the larger of a and b.
func betaFraction(a, b, x float64) float64 {
	const tiny = 1e-300
	c := 1.0
	d := nonzero(1-float64((a+b)*x)/(a+1), tiny)
	d = 1 / d
	h := d
	for m := 1.0; m < 100000; m++ {
		e := float64(m*(b-m)*x) / float64((a+2*m-1)*(a+2*m))
		d = 1 / nonzero(1+float64(e*d), tiny)
		c = nonzero(1+e/c, tiny)
		h = float64(h * float64(d*c))
		e = -float64((a+m)*(a+b+m)*x) / float64((a+2*m)*(a+2*m+1))
		d = 1 / nonzero(1+float64(e*d), tiny)
		c = nonzero(1+e/c, tiny)
		t := float64(d * c)
		h = float64(h * t)
		if math.Abs(t-1) < 0x1p-51 {
			break
		}
	}
	return h
}

func nonzero(x, tiny float64) float64 {
	if math.Abs(x) < tiny {
		return tiny
	}
	return x
}

// betaQuantile gives the x at which betaInc(a, b, x) is p, by bisection to neighbouring numbers: it needs no derivative and cannot run
// away.
func betaQuantile(a, b, p float64) float64 {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return 1
	}
	lo, hi := 0.0, 1.0
	for range 200 {
		mid := lo + float64((hi-lo)/2)
		if mid <= lo || mid >= hi {
			break
		}
		if betaInc(a, b, mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + float64((hi-lo)/2)
}
