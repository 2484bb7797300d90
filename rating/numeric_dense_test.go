package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// randomDefinite makes A A' + 1.
func randomDefinite(r *rand.Rand, n int) *matrix {
	a, m := newMatrix(n), newMatrix(n)
	for i := range a.a {
		a.a[i] = r.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				m.row(i)[j] += a.row(i)[k] * a.row(j)[k]
			}
		}
		m.row(i)[i]++
	}
	return m
}

func TestDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 12), rapid.SampledFrom([]int{63, 64, 65, 129, 150})).Draw(t, "n")
		r := rand.New(rand.NewPCG(uint64(n), rapid.Uint64().Draw(t, "seed")))
		m, b := randomDefinite(r, n), randomDefinite(r, n)
		l := newMatrix(n)
		copy(l.a, m.a)
		if !l.cholesky() {
			t.Fatal("not positive definite")
		}
		g := l.inverse()
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		y := append([]float64(nil), x...)
		l.solve(y)
		q := g.quadratic(b)
		for i := range n {
			s, p := 0.0, 0.0
			for j := range n {
				e := 0.0
				for k := range n {
					e += m.row(i)[k] * g.row(k)[j]
				}
				if i == j {
					e--
				}
				if math.Abs(e) > 1e-8 {
					t.Fatalf("entry %d, %d of the product with the inverse is off by %v", i, j, e)
				}
				s += m.row(i)[j] * y[j]
				for k := range n {
					p += g.row(i)[j] * b.row(j)[k] * g.row(i)[k]
				}
			}
			if !near(s, x[i], 1e-8) {
				t.Fatalf("row %d of the product with the solution is %v, want %v", i, s, x[i])
			}
			if math.Abs(q[i]-p) > 1e-8*(1+p) {
				t.Fatalf("quadratic form %d is %v, want %v", i, q[i], p)
			}
		}
	})
	if m := (&matrix{2, []float64{1, 2, 2, 1}}); m.cholesky() {
		t.Error("an indefinite matrix has a factor")
	}
	if m := (&matrix{2, []float64{1, 1, 1, 1}}); m.cholesky() {
		t.Error("a singular matrix has a factor")
	}
	for p, next := 0, [2]int{0, 0}; p < 5000; p++ {
		if a, b := triangle(p); [2]int{a, b} != next {
			t.Fatalf("pair %d is %d, %d, want %v", p, a, b, next)
		}
		if next[1]++; next[1] > next[0] {
			next = [2]int{next[0] + 1, 0}
		}
	}
}

func BenchmarkDense1000(b *testing.B) {
	n := 1000
	m, h := newMatrix(n), newMatrix(n)
	for i := range n {
		for j := range n {
			m.row(i)[j] = -1
		}
		m.row(i)[i] = float64(2 * n)
	}
	for b.Loop() {
		copy(h.a, m.a)
		if !h.cholesky() {
			b.Fatal("not positive definite")
		}
		h.inverse().quadratic(m)
	}
}
