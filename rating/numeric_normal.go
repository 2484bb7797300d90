package rating

import "math"

// erfcxSeries holds the Chebyshev coefficients of (1+2x) exp(x^2) erfc(x) in (x-3.75)/(x+3.75), for x from 0 on; the form is that of
// Shepherd and Laframboise (Mathematics of Computation 36, 1981), the coefficients are by interpolation at 80 nodes with 60 digits.
var erfcxSeries = [...]float64{
	2.35515786913480351,
	-0.00459005458064647733,
	-0.0842491333665179156,
	0.0592099399981918905,
	-0.0266586684353057523,
	0.00907499767070526509,
	-0.00241316354041760819,
	0.000490775836525808632,
	-0.0000691697330250120637,
	4.13902798607301017e-6,
	7.74038306619849067e-7,
	-2.18864010492343957e-7,
	1.07649994656709104e-8,
	4.5219598112182869e-9,
	-7.75440020883135111e-10,
	-6.31808834088668449e-11,
	2.8687950109306699e-11,
	1.94558685457773472e-13,
	-9.65469674843343891e-13,
	3.25254814814873984e-14,
	3.34781194828680539e-14,
	-1.86456288041931311e-15,
	-1.25079505306886471e-15,
	7.41823525662404282e-17,
	5.0681489047961106e-17,
}

const sqrt2Pi = 2.50662827463100050241576528481104525

// expSquare gives exp(-x^2) with the rounding error of the square made good.
func expSquare(x float64) float64 {
	if x > 28 {
		return 0
	}
	h := float64(math.Floor(float64(x*65536)) / 65536) // few enough bits for an exact square
	return float64(exp(-float64(h*h)) * exp(-float64((x-h)*(x+h))))
}

// erfc gives the complementary error function.
func erfc(x float64) float64 {
	if x < 0 {
		return 2 - erfc(-x)
	}
	if x < 0.5 {
		return 1 - erfSmall(x)
	}
	return float64(erfcx(x) * expSquare(x))
}

// erfcx gives exp(x^2) erfc(x) for x from 0 on.
func erfcx(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	y := (x - 3.75) / (x + 3.75)
	var b0, b1 float64
	for i := len(erfcxSeries) - 1; i > 0; i-- {
		b0, b1 = float64(2*y*b0)-b1+erfcxSeries[i], b0
	}
	s := float64(y*b0) - b1 + float64(erfcxSeries[0]/2)
	return s / (1 + float64(2*x))
}

// erfSmall gives the error function for |x| below 1, by its Taylor series.
func erfSmall(x float64) float64 {
	q := -float64(x * x)
	term, s := x, x
	for n := 1; n < 40; n++ {
		term = float64(term*q) / float64(n)
		d := term / float64(2*n+1)
		s += d
		if math.Abs(d) <= math.Abs(s)*0x1p-56 {
			break
		}
	}
	return float64(s * (2 / 1.77245385090551602729816748334114518))
}

// normCDF gives the standard normal distribution function.
func normCDF(x float64) float64 {
	return float64(0.5 * erfc(-x/math.Sqrt2))
}

// normPDF gives the standard normal density.
func normPDF(x float64) float64 {
	return expSquare(math.Abs(x)/math.Sqrt2) / sqrt2Pi
}

// twoSided gives the z within which a standard normal variable lies with a confidence in (0, 1). It is finite: of a confidence near 1 the
// small tail is what has digits.
func twoSided(confidence float64) float64 {
	return -normQuantile(float64((1 - confidence) / 2))
}

// normQuantile gives the x at which the standard normal distribution function is p: -Inf of 0, +Inf of 1, NaN outside. The start is
// formula 26.2.23 of Abramowitz and Stegun; three steps of Halley's method follow.
func normQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p > 0.5:
		return -normQuantile(1 - p)
	case p == 0.5:
		return 0
	}
	t := math.Sqrt(-2 * log(p))
	num := 2.515517 + float64(t*(0.802853+float64(t*0.010328)))
	den := 1 + float64(t*(1.432788+float64(t*(0.189269+float64(t*0.001308)))))
	x := num/den - t
	for range 3 {
		d := normPDF(x)
		if d == 0 {
			break
		}
		e := (normCDF(x) - p) / d
		x -= e / (1 + float64(0.5*float64(x*e)))
	}
	return x
}
