package rating

import (
	"math"
	"slices"
)

// logLikelihood sums over the edges at x.
func (m *btModel) logLikelihood() float64 {
	edges := m.d.edges
	parallel(len(m.partial), len(edges) < 8*run, func(p int) {
		s := 0.0
		for k := p * run; k < min((p+1)*run, len(edges)); k++ {
			c := &edges[k]
			d, e := m.x[c.i]-m.x[c.j], m.seatEffect()
			s += m.logLikelihoodOf(&c.seat[0], d+e) + m.logLikelihoodOf(&c.seat[1], e-d)
		}
		m.partial[p].loglik = s
	})
	s := 0.0
	for p := range m.partial {
		s += m.partial[p].loglik
	}
	return s
}

func (m *btModel) logLikelihoodOf(s *seating, difference float64) float64 {
	if s.games == 0 {
		return 0
	}
	n, score := float64(s.games), float64(float64(s.score)/scoreUnits)
	if m.nu < 0 {
		return -float64(score*softplus(-difference)) - float64((n-score)*softplus(difference))
	}
	// log of e^(d/2), nu, e^(-d/2) over their sum; score - n/2 is half of wins less losses.
	h := float64(math.Abs(difference) / 2)
	logTotal := h + log(1+exp(m.x[m.nu]-h)+exp(-2*h))
	return float64((score-float64(n/2))*difference) + float64(float64(s.draws)*m.x[m.nu]) - float64(n*logTotal)
}

// information is the dense matrix, with a constant added so that it has an inverse: 1 1' over the players times constant / n.
func (m *btModel) information() (h *matrix, constant float64) {
	h = newMatrix(m.size)
	for k := range m.d.edges {
		e := &m.d.edges[k]
		w := m.weight[k]
		h.a[int(e.i)*h.n+int(e.i)] += w
		h.a[int(e.j)*h.n+int(e.j)] += w
		h.a[int(e.j)*h.n+int(e.i)] -= w
	}
	for i := range m.n {
		constant += h.row(i)[i]
	}
	constant /= float64(m.n)
	for i := range m.n {
		r := h.row(i)
		for j := range i + 1 {
			r[j] += constant / float64(m.n)
		}
		r[i] += m.ridge
	}
	for a := range m.extras() {
		r := h.row(m.n + a)
		copy(r, m.cross[a])
		for b := range m.extras() {
			r[m.n+b] = m.corner[a][b]
		}
	}
	return h, constant
}

// polish takes a Newton step with a factor of the information, which is exact where conjugate gradients are not. It is so short that
// information stays as it is.
func (m *btModel) polish(factor *matrix) {
	step := append([]float64(nil), m.gradient...)
	factor.solve(step)
	if !(m.reach(step) < 1e-6) {
		return
	}
	for i := range m.x {
		m.x[i] += step[i]
	}
	m.settle()
}

// outer is the sum over clusters of the outer products of their scores, the lower triangle and the diagonal.
func (m *btModel) outer() *matrix {
	b := newMatrix(m.size)
	var seat, nu []float64
	extra := make([][]float64, m.extras())
	for a := range extra {
		extra[a] = b.row(m.n + a)
	}
	if m.seat >= 0 {
		seat = b.row(m.seat)
	}
	if m.nu >= 0 {
		nu = b.row(m.nu)
	}
	for k := range m.d.classes {
		c := &m.d.classes[k]
		if c.count == 0 {
			continue
		}
		there, back := m.both(&c.cell)
		d, s, v := m.residual(&c.cell, &there, &back)
		n := float64(c.count)
		i, j := int(c.i), int(c.j)
		w := float64(n * float64(d*d))
		b.a[i*b.n+i] += w
		b.a[j*b.n+j] += w
		b.a[j*b.n+i] -= w
		if seat != nil {
			x := float64(n * float64(s*d))
			seat[i] += x
			seat[j] -= x
			seat[m.seat] += float64(n * float64(s*s))
		}
		if nu != nil {
			x := float64(n * float64(v*d))
			nu[i] += x
			nu[j] -= x
			nu[m.nu] += float64(n * float64(v*v))
			if seat != nil {
				nu[m.seat] += float64(n * float64(v*s))
			}
		}
	}
	u := make([]float64, m.size)
	for k := range m.d.mixed {
		m.outerMixed(b, &m.d.mixed[k], u)
	}
	for i := range b.n {
		for j := range i {
			b.a[j*b.n+i] = b.a[i*b.n+j]
		}
	}
	return b
}

// outerMixed adds the clusters of a mixture. u is all 0, before and after.
func (m *btModel) outerMixed(b *matrix, c *mixture, u []float64) {
	var touched []int
	add := func(i int, v float64) {
		if u[i] == 0 {
			touched = append(touched, i)
		}
		u[i] += v
	}
	for k := range c.cells {
		there, back := m.both(&c.cells[k])
		d, s, v := m.residual(&c.cells[k], &there, &back)
		add(int(c.cells[k].i), d)
		add(int(c.cells[k].j), -d)
		if m.seat >= 0 {
			add(m.seat, s)
		}
		if m.nu >= 0 {
			add(m.nu, v)
		}
	}
	slices.Sort(touched)
	touched = slices.Compact(touched)
	for p, i := range touched {
		for _, j := range touched[:p+1] {
			b.a[i*b.n+j] += float64(float64(c.count) * float64(u[i]*u[j]))
		}
	}
	for _, i := range touched {
		u[i] = 0
	}
}

// finish computes the errors and takes over the estimate.
func (f *BTFit) finish(m *btModel) error {
	h, constant := m.information()
	if !h.cholesky() {
		return ErrDiverged
	}
	m.polish(h)
	inverse := h.inverse()
	for i := range m.n { // what the constant added
		r := inverse.row(i)
		for j := range m.n {
			r[j] -= 1 / float64(float64(m.n)*(constant+m.ridge))
		}
	}
	model, sandwich, ok := f.setErrors(inverse, m.outer())
	for _, x := range m.x {
		ok = ok && finite(x)
	}
	if !ok {
		return ErrDiverged
	}
	f.Strengths = m.x[:m.n:m.n]
	if m.seat >= 0 {
		f.Seat, f.SeatError, f.SeatModelError = m.x[m.seat], sandwich[m.seat], model[m.seat]
	}
	if m.nu >= 0 {
		f.Nu, f.LogNuError = exp(m.x[m.nu]), sandwich[m.nu]
	}
	f.LogLikelihood = m.logLikelihood()
	return nil
}
