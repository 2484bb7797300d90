package rating

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f for 0 to n-1, on as many goroutines as there are processors. What f writes for one i it neither reads nor writes for
// another, so that results do not depend on how many there are. Where work is little it stays on one.
func parallel(n int, little bool, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if little || workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// matrix is a dense square matrix by rows.
type matrix struct {
	n int
	a []float64
}

func newMatrix(n int) *matrix { return &matrix{n: n, a: make([]float64, n*n)} }

func (m *matrix) row(i int) []float64 { return m.a[i*m.n : (i+1)*m.n : (i+1)*m.n] }

// tile is how many rows and columns the dense algorithms treat at once.
const tile = 64

// small says whether a matrix is not worth a second processor.
func (m *matrix) small() bool { return m.n <= 2*tile }

// dot gives the scalar product of two vectors of one length.
func dot(x, y []float64) float64 {
	y = y[:len(x)]
	s0, s1 := 0.0, 0.0
	k := 0
	for ; k+1 < len(x); k += 2 {
		s0 += float64(x[k] * y[k])
		s1 += float64(x[k+1] * y[k+1])
	}
	if k < len(x) {
		s0 += float64(x[k] * y[k])
	}
	return s0 + s1
}

// dots gives the scalar products of two vectors with four.
func dots(x0, x1, y0, y1, y2, y3 []float64) (a [8]float64) {
	x1, y0, y1, y2, y3 = x1[:len(x0)], y0[:len(x0)], y1[:len(x0)], y2[:len(x0)], y3[:len(x0)]
	var s00, s01, s02, s03, s10, s11, s12, s13 float64
	for k, u := range x0 {
		v := x1[k]
		p := y0[k]
		s00 += float64(u * p)
		s10 += float64(v * p)
		p = y1[k]
		s01 += float64(u * p)
		s11 += float64(v * p)
		p = y2[k]
		s02 += float64(u * p)
		s12 += float64(v * p)
		p = y3[k]
		s03 += float64(u * p)
		s13 += float64(v * p)
	}
	return [8]float64{s00, s01, s02, s03, s10, s11, s12, s13}
}

// addProducts adds, for rows i0 to i1 and columns j0 to j1, sign times the scalar products of the rows of x and y over k0 to k1 to z.
func addProducts(z, x, y *matrix, sign float64, i0, i1, j0, j1, k0, k1 int) {
	if k0 >= k1 {
		return
	}
	i := i0
	for ; i+1 < i1; i += 2 {
		x0, x1 := x.row(i)[k0:k1], x.row(i + 1)[k0:k1]
		z0, z1 := z.row(i), z.row(i+1)
		j := j0
		for ; j+3 < j1; j += 4 {
			a := dots(x0, x1, y.row(j)[k0:k1], y.row(j + 1)[k0:k1], y.row(j + 2)[k0:k1], y.row(j + 3)[k0:k1])
			for c := range 4 {
				z0[j+c] += float64(sign * a[c])
				z1[j+c] += float64(sign * a[4+c])
			}
		}
		for ; j < j1; j++ {
			z0[j] += float64(sign * dot(x0, y.row(j)[k0:k1]))
			z1[j] += float64(sign * dot(x1, y.row(j)[k0:k1]))
		}
	}
	for ; i < i1; i++ {
		x0, z0 := x.row(i)[k0:k1], z.row(i)
		for j := j0; j < j1; j++ {
			z0[j] += float64(sign * dot(x0, y.row(j)[k0:k1]))
		}
	}
}

// tiles is how many tiles a side has, and span the rows of one.
func (m *matrix) tiles() int { return (m.n + tile - 1) / tile }

func (m *matrix) span(t int) (from, to int) { return t * tile, min((t+1)*tile, m.n) }

// cholesky replaces the lower triangle of a symmetric matrix by L with L L' = m. It reports false where the matrix is not positive definite
// to working precision; then the matrix is spoilt.
func (m *matrix) cholesky() bool {
	least := 0.0
	for i := range m.n {
		least = max(least, m.row(i)[i])
	}
	least *= float64(m.n) * 0x1p-52
	for t := range m.tiles() {
		k0, k1 := m.span(t)
		for j := k0; j < k1; j++ {
			rj := m.row(j)
			d := rj[j] - dot(rj[k0:j], rj[k0:j])
			if !(d > least) {
				return false
			}
			d = math.Sqrt(d)
			rj[j] = d
			for i := j + 1; i < k1; i++ {
				ri := m.row(i)
				ri[j] = (ri[j] - dot(ri[k0:j], rj[k0:j])) / d
			}
		}
		below := m.tiles() - t - 1
		parallel(below, m.small(), func(i int) { // the panel below
			i0, i1 := m.span(t + 1 + i)
			for i := i0; i < i1; i++ {
				ri := m.row(i)
				for j := k0; j < k1; j++ {
					rj := m.row(j)
					ri[j] = (ri[j] - dot(ri[k0:j], rj[k0:j])) / rj[j]
				}
			}
		})
		parallel(below*(below+1)/2, m.small(), func(p int) { // what remains
			a, b := triangle(p)
			i0, i1 := m.span(t + 1 + a)
			j0, j1 := m.span(t + 1 + b)
			addProducts(m, m, m, -1, i0, i1, j0, j1, k0, k1)
		})
	}
	return true
}

// triangle numbers the pairs a >= b >= 0.
func triangle(p int) (a, b int) {
	a = int((math.Sqrt(float64(8*p+1)) - 1) / 2)
	for a*(a+1)/2 > p {
		a--
	}
	for (a+1)*(a+2)/2 <= p {
		a++
	}
	return a, p - a*(a+1)/2
}

// solve replaces x by the solution of L L' y = x, m holding L.
func (m *matrix) solve(x []float64) {
	for i := range m.n {
		r := m.row(i)
		x[i] = (x[i] - dot(r[:i], x[:i])) / r[i]
	}
	for i := m.n - 1; i >= 0; i-- {
		r := m.row(i)
		x[i] /= r[i]
		for j := range i {
			x[j] -= float64(r[j] * x[i])
		}
	}
}

// inverse gives the inverse of L L', m holding L: both triangles.
func (m *matrix) inverse() *matrix {
	u := newMatrix(m.n) // row i is column i of the inverse of L: 0 before i
	parallel(m.tiles(), m.small(), func(t int) {
		t = m.tiles() - 1 - t // short ones last
		i0, i1 := m.span(m.tiles() - 1 - t)
		for s := m.tiles() - 1 - t; s < m.tiles(); s++ {
			k0, k1 := m.span(s)
			addProducts(u, u, m, -1, i0, i1, k0, k1, i0, k0)
			for i := i0; i < i1; i++ {
				r := u.row(i)
				for k := max(k0, i); k < k1; k++ {
					l := m.row(k)
					x := r[k]
					if k == i {
						x = 1
					}
					from := max(k0, i)
					r[k] = (x - dot(r[from:k], l[from:k])) / l[k]
				}
			}
		}
	})
	g := newMatrix(m.n)
	n := m.tiles()
	parallel(n*(n+1)/2, m.small(), func(p int) {
		a, b := triangle(p)
		i0, i1 := m.span(a)
		j0, j1 := m.span(b)
		addProducts(g, u, u, 1, i0, i1, j0, j1, i0, m.n)
	})
	for i := range m.n {
		r := g.row(i)
		for j := range i {
			g.a[j*m.n+i] = r[j]
		}
	}
	return g
}

// quadratic gives g_i' b g_i for each row g_i of a matrix, b symmetric and given by its lower triangle.
func (m *matrix) quadratic(b *matrix) []float64 {
	half := newMatrix(m.n) // x' b x = 2 x' half x
	for i := range m.n {
		copy(half.row(i)[:i], b.row(i)[:i])
		half.row(i)[i] = float64(b.row(i)[i] / 2)
	}
	out := make([]float64, m.n)
	parallel(m.tiles(), m.small(), func(t int) {
		i0, i1 := m.span(t)
		c := &matrix{n: m.n, a: make([]float64, (i1-i0)*m.n)} // rows i0 to i1 of m half'
		x := &matrix{n: m.n, a: m.a[i0*m.n : i1*m.n]}
		for s := range m.tiles() {
			j0, j1 := m.span(s)
			for k0 := 0; k0 < j1; k0 += 4 * tile {
				addProducts(c, x, half, 1, 0, i1-i0, j0, j1, k0, min(k0+4*tile, j1))
			}
		}
		for i := i0; i < i1; i++ {
			out[i] = float64(2 * dot(c.row(i-i0), m.row(i)))
		}
	})
	return out
}
