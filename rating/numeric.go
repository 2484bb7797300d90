package rating

import "math"

// The functions of this file and of the other numeric files give the same bits on every architecture. Those of package math do not: some
// are assembly on some architectures, and compilers fuse products with sums on others. Here each product is converted to float64 before
// it meets a sum, also one that is returned (the function may be inlined into a sum) and a quotient by a power of two (it is a product).

const (
	ln2High = 0x1.62e42fecp-01      // the leading bits of ln 2: k times it is exact for the exponents k of a float64
	ln2Low  = 0x1.d1cf79abc9e3bp-32 // what is left of ln 2
	log2e   = 1.44269504088896340735992468100189214
)

// reduce gives x = k ln 2 + r + c with |r| at most about ln 2 / 2 and c the rounding error of r.
func reduce(x float64) (k int, r, c float64) {
	f := math.Floor(float64(x*log2e) + 0.5)
	hi := x - float64(f*ln2High)
	lo := float64(f * ln2Low)
	r = hi - lo
	return int(f), r, (hi - r) - lo
}

// expTail gives exp(r) - 1 - r for |r| at most about ln 2 / 2, by the Taylor series.
func expTail(r float64) float64 {
	q := float64(r * r)
	even := 1.0/2 + float64(q*(1.0/24+float64(q*(1.0/720+float64(q*(1.0/40320+float64(q*(1.0/3628800+float64(q*(1.0/479001600))))))))))
	odd := 1.0/6 + float64(q*(1.0/120+float64(q*(1.0/5040+float64(q*(1.0/362880+float64(q*(1.0/39916800+float64(q*(1.0/6227020800))))))))))
	return float64(q * (even + float64(r*odd)))
}

// scale gives x times 2 to the k.
func scale(x float64, k int) float64 {
	if k > -1000 && k < 1000 {
		return float64(x * math.Float64frombits(uint64(k+1023)<<52))
	}
	return math.Ldexp(x, k)
}

// exp gives e to the x: +Inf above about 709.78, 0 below about -745.13.
func exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k, r, c := reduce(x)
	return scale(1+(r+(c+expTail(r))), k)
}

// expm1 gives exp(x) - 1 without the loss of digits near 0.
func expm1(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -40:
		return -1
	case math.Abs(x) < 0.34:
		return x + expTail(x)
	}
	k, r, c := reduce(x)
	t := r + (c + expTail(r))
	if k > 60 {
		return scale(1+t, k)
	}
	p := scale(1, k)
	return (p - 1) + float64(p*t)
}

// logTail gives log(1+f) - f for f in about [-0.3, 0.42], by the series of the inverse hyperbolic tangent: with s = f/(2+f),
// log(1+f) = 2s + 2s^3/3 + 2s^5/5 + ..., and 2s = f - s f.
func logTail(f float64) float64 {
	s := f / (2 + f)
	z := float64(s * s)
	w := float64(z * z)
	a := 2.0/3 + float64(w*(2.0/7+float64(w*(2.0/11+float64(w*(2.0/15+float64(w*(2.0/19+float64(w*(2.0/23))))))))))
	b := 2.0/5 + float64(w*(2.0/9+float64(w*(2.0/13+float64(w*(2.0/17+float64(w*(2.0/21+float64(w*(2.0/25))))))))))
	t := float64(z * (a + float64(z*b)))
	half := float64(0.5 * float64(f*f))
	return float64(s*(half+t)) - half
}

// log gives the natural logarithm: -Inf of 0, NaN of what is below.
func log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	f := m - 1
	e := float64(k)
	return float64(e*ln2High) + (f + (logTail(f) + float64(e*ln2Low)))
}

// log1p gives log(1+x) without the loss of digits near 0.
func log1p(x float64) float64 {
	if x > -0.29 && x < 0.41 {
		return x + logTail(x)
	}
	u := 1 + x
	if !(u > 0) || math.IsInf(u, 1) {
		return log(u)
	}
	c := x - (u - 1) // what the sum lost
	if u > 2 {
		c = 1 - (u - x)
	}
	return log(u) + c/u
}

// logistic gives 1 / (1 + exp(-x)), the expected score at a difference x of log strengths.
func logistic(x float64) float64 {
	e := exp(-math.Abs(x))
	if x < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

// logit gives log(p / (1-p)), for p strictly between 0 and 1.
func logit(p float64) float64 {
	if p > 0.25 && p < 0.75 {
		d := p - 0.5
		return log1p(d/0.5) - log1p(-d/0.5)
	}
	return log(p) - log1p(-p)
}

// softplus gives log(1 + exp(x)): minus the logarithm of logistic(-x).
func softplus(x float64) float64 {
	return max(x, 0) + log1p(exp(-math.Abs(x)))
}

// sum adds in pairs of halves, so that the error grows with the logarithm of the length.
func sum(x []float64) float64 {
	if len(x) > 16 {
		h := len(x) / 2
		return sum(x[:h]) + sum(x[h:])
	}
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// finite says whether x is a number.
func finite(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}
