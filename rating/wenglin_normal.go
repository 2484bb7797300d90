package rating

import "math"

// truncatedAbove gives, for a standard normal variable known to lie above -x,
// how far its mean has moved up, and by how much its variance has shrunk: the v
// and w of the TrueSkill paper (Herbrich, Minka, Graepel 2007) for a win. Far
// below 0, where density and tail vanish together, it is the tail's asymptotic
// series.
func truncatedAbove(x float64) (v, w float64) {
	if x > -30 {
		v = normPDF(x) / normCDF(x)
		return v, float64(v * (v + x))
	}
	y := -x
	z := 1 / y
	z2 := float64(z * z)
	over := float64(z * (1 - float64(z2*(2-float64(10*z2))))) // v - y
	return y + over, float64((y + over) * over)
}

// truncatedWithin is the same for a variable known to lie within t of -x: a
// draw. t is above 0. Where the interval is too narrow or too far out for the
// difference of two tails, the variable is as good as known: it is at the
// interval's nearer end.
func truncatedWithin(x, t float64) (v, w float64) {
	if t < 1e-6 {
		return -x, 1
	}
	a := math.Abs(x)
	if a-t > 30 {
		return math.Copysign(a-t, -x), 1
	}
	high, low := t-a, -t-a
	p := normCDF(high) - normCDF(low)
	ph, pl := normPDF(high), normPDF(low)
	v = (pl - ph) / p
	w = float64(v*v) + (float64(high*ph)-float64(low*pl))/p
	if x < 0 {
		v = -v
	}
	return v, min(1, max(0, w))
}
