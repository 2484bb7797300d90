package rating

import "math"

// brownian is a Brownian motion from 0 between two absorbing bounds: what the logarithm of a likelihood ratio is like after many results.
type brownian struct {
	lower, upper float64 // below and above 0
	drift        float64 // a result
	variance     float64 // a result, above 0
}

// logNormCDF gives the logarithm of the normal distribution function, exact far below 0 too.
func logNormCDF(x float64) float64 {
	if x > -5 {
		return log(normCDF(x))
	}
	z := -x / math.Sqrt2
	return log(erfcx(z)/2) - float64(z*z)
}

// weighted gives e^c Phi(x) without overflow where the product is a number.
func weighted(c, x float64) float64 {
	return exp(c + logNormCDF(x))
}

// between gives e^c (Phi(u) - Phi(v)), by the tails that keep the digits.
func between(c, u, v float64) float64 {
	if v > 0 {
		u, v = -v, -u
	}
	return weighted(c, u) - weighted(c, v)
}

// before gives the probability that the motion's outcome at the time t is below the point y: it has left through the lower bound before t,
// or it is still inside at t and below y. With y at a bound and t the time of leaving, that is the probability of an outcome further down
// than the one seen, where leaving upwards counts the more the earlier, and leaving downwards the less the earlier. The probabilities are
// sums over mirror images of the origin, which converge whatever the drift.
func (b brownian) before(t, y float64) float64 {
	if t <= 0 {
		return 0.5
	}
	width := b.upper - b.lower
	s := math.Sqrt(float64(b.variance * t))
	if s > 12*width { // nothing is left inside: 12 is as good as any larger number
		t = float64(t * float64(144*float64(width*width)) / float64(s*s))
		s = float64(12 * width)
	}
	m := float64(b.drift * t)
	g := b.drift / b.variance
	out, in := 0.0, 0.0
	for k := 0; k <= 60; k++ {
		a := b.image(g, m, s, y, k)
		c := [2]float64{}
		if k > 0 {
			c = b.image(g, m, s, y, -k)
		}
		out += a[0] + c[0]
		in += a[1] + c[1]
		if k > 1 && math.Abs(a[0])+math.Abs(c[0])+math.Abs(a[1])+math.Abs(c[1]) < 1e-18 {
			break
		}
	}
	return min(max(out+in, 0), 1)
}

// image gives what the k-th pair of images adds to the probabilities of having left through the lower bound and of being inside below y.
func (b brownian) image(g, m, s, y float64, k int) [2]float64 {
	shift := float64(float64(2*k) * (b.upper - b.lower))
	d := math.Abs(shift - b.lower) // the distance of the image from the lower bound
	out := weighted(float64(g*(b.lower-d)), (m-d)/s) + weighted(float64(g*(b.lower+d)), (-m-d)/s)
	if k < 0 {
		out = -out
	}
	mirrored := float64(2*b.upper) + shift
	return [2]float64{
		out,
		between(float64(g*shift), (y-shift-m)/s, (b.lower-shift-m)/s) -
			between(float64(g*mirrored), (y-mirrored-m)/s, (b.lower-mirrored-m)/s),
	}
}

// exit gives the probability of leaving through the upper bound and the mean time until the motion leaves.
func (b brownian) exit() (up, time float64) {
	g := float64(2 * b.drift / b.variance)
	if math.Abs(float64(g*(b.upper-b.lower))) < 1e-8 {
		up = -b.lower / (b.upper - b.lower)
		return up, -float64(b.lower*b.upper) / b.variance
	}
	if g > 0 {
		up = expm1(float64(g*b.lower)) / expm1(float64(g*(b.lower-b.upper)))
	} else {
		up = float64(exp(float64(g*b.upper))*expm1(-float64(g*b.lower))) / expm1(float64(g*(b.upper-b.lower)))
	}
	return up, (float64(up*b.upper) + float64((1-up)*b.lower)) / b.drift
}
