package rating

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ulps gives how many units in the last place of want lie between the two.
func ulps(got, want float64) float64 {
	if got == want {
		return 0
	}
	_, e := math.Frexp(want)
	return math.Abs(got-want) / math.Ldexp(1, max(e-53, -1074))
}

func TestNumericGolden(t *testing.T) {
	one := func(f func(float64) float64) func([]float64) float64 {
		return func(x []float64) float64 { return f(x[0]) }
	}
	functions := map[string]struct {
		f    func([]float64) float64
		ulps float64
		abs  float64
	}{
		"exp":      {one(exp), 1, 0},
		"expm1":    {one(expm1), 2, 0},
		"log":      {one(log), 1, 0},
		"log1p":    {one(log1p), 2, 0},
		"erfc":     {one(erfc), 6, 0},
		"quantile": {one(normQuantile), 6, 1e-16},
		"lgamma":   {one(lgamma), 2, 1e-14},
		"beta":     {func(x []float64) float64 { return betaInc(x[0], x[1], x[2]) }, 2000, 0},
	}
	file, err := os.Open("testdata/numeric.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := map[string]int{}
	worst := map[string]float64{}
	for scan := bufio.NewScanner(file); scan.Scan(); {
		words := strings.Fields(scan.Text())
		if words[0] == "#" {
			continue
		}
		var x []float64
		for _, w := range words[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		fn, ok := functions[words[0]]
		if !ok {
			t.Fatalf("unknown function %q", words[0])
		}
		want := x[len(x)-1]
		got := fn.f(x[:len(x)-1])
		count[words[0]]++
		if math.Abs(got-want) <= fn.abs {
			continue
		}
		u := ulps(got, want)
		worst[words[0]] = max(worst[words[0]], u)
		if !(u <= fn.ulps) {
			t.Errorf("%s%v = %v, want %v: %v ulp", words[0], x[:len(x)-1], got, want, u)
		}
	}
	for name := range functions {
		if count[name] < 9 {
			t.Errorf("%d values for %s", count[name], name)
		}
	}
	t.Log(worst)
}

func TestNumericAgainstMath(t *testing.T) {
	check := func(t *rapid.T, name string, got, want, tolerance float64) {
		if u := ulps(got, want); !(u <= tolerance) && got != want {
			t.Fatalf("%s = %v, package math says %v: %v ulp", name, got, want, u)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 700).Draw(t, "x")
		check(t, "exp", exp(x), math.Exp(x), 2)
		check(t, "expm1", expm1(x), math.Expm1(x), 2)
		y := rapid.Float64Range(0x1p-1022, math.MaxFloat64).Draw(t, "y") // below, package math is wrong on amd64
		check(t, "log", log(y), math.Log(y), 2)
		z := rapid.Float64Range(-0.999, 10).Draw(t, "z")
		check(t, "log1p", log1p(z), math.Log1p(z), 2)
		w := rapid.Float64Range(-5, 20).Draw(t, "w")
		check(t, "erfc", erfc(w), math.Erfc(w), 8)
		p := rapid.Float64Range(1e-300, 1-1e-9).Draw(t, "p")
		x = normQuantile(p)
		if got := normCDF(x); math.Abs(got-p) > 1e-15*p*(1+x*x) { // an ulp of x is that much
			t.Fatalf("the distribution at the quantile of %v is %v", p, got)
		}
		if got := logistic(logit(p)); math.Abs(got-p) > 1e-12*p {
			t.Fatalf("the logistic of the logit of %v is %v", p, got)
		}
		v := rapid.Float64Range(-30, 30).Draw(t, "v")
		check(t, "softplus", softplus(v), math.Log1p(math.Exp(v)), 4)
		a := rapid.Float64Range(0.5, 500).Draw(t, "a")
		b := rapid.Float64Range(0.5, 500).Draw(t, "b")
		q := rapid.Float64Range(0.001, 0.999).Draw(t, "q")
		if got := betaInc(a, b, betaQuantile(a, b, q)); math.Abs(got-q) > 1e-10 {
			t.Fatalf("I(%v, %v) at the quantile of %v is %v", a, b, q, got)
		}
	})
}

func TestNumericEdges(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string][2]float64{
		"exp of much":             {exp(800), inf},
		"exp of little":           {exp(-800), 0},
		"exp of -Inf":             {exp(-inf), 0},
		"expm1 of -Inf":           {expm1(-inf), -1},
		"expm1 of much":           {expm1(800), inf},
		"log of 0":                {log(0), -inf},
		"log of Inf":              {log(inf), inf},
		"log1p of -1":             {log1p(-1), -inf},
		"logistic of -Inf":        {logistic(-inf), 0},
		"logistic of Inf":         {logistic(inf), 1},
		"erfc of Inf":             {erfc(inf), 0},
		"erfc of -Inf":            {erfc(-inf), 2},
		"quantile of 0":           {normQuantile(0), -inf},
		"quantile of 1":           {normQuantile(1), inf},
		"beta at 0":               {betaInc(2, 3, 0), 0},
		"beta at 1":               {betaInc(2, 3, 1), 1},
		"quantile of beta at 0":   {betaQuantile(2, 3, 0), 0},
		"quantile of beta at 1":   {betaQuantile(2, 3, 1), 1},
		"sum of halves, thousand": {sum(make([]float64, 1000)), 0},
	} {
		if c[0] != c[1] {
			t.Errorf("%s is %v, want %v", name, c[0], c[1])
		}
	}
	for name, x := range map[string]float64{"exp": exp(math.NaN()), "expm1": expm1(math.NaN()), "log of -1": log(-1), "log1p of -2": log1p(-2), "quantile of 2": normQuantile(2)} {
		if !math.IsNaN(x) {
			t.Errorf("%s is %v, want NaN", name, x)
		}
		if finite(x) {
			t.Errorf("%v counts as finite", x)
		}
	}
}

func BenchmarkNumericExp(b *testing.B) {
	s := 0.0
	for b.Loop() {
		s += exp(-s)
	}
}
