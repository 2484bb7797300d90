package rating

import (
	"fmt"
	"math"
)

// btModel is a fit under way: the parameters are the players' log strengths, then the effect of the first seat and the logarithm of nu
// where they are estimated.
type btModel struct {
	d        *btData
	n        int // players
	seat     int // the index of the effect, or -1
	nu       int // the index of log nu, or -1
	size     int // parameters
	ridge    float64
	x        []float64 // parameters
	first    float64   // exp of the effect of the first seat
	gradient []float64
	weight   []float64   // by edge: information on the difference
	cross    [][]float64 // by extra parameter: information shared with each player
	corner   [2][2]float64
	start    []int32 // adjacency: the edges of a player, and one more
	near     []int32 // the other player of each
	edge     []int32 // the number of the edge, or ^number where the player is the second
	partial  []btSums
	slope    [][2][2]float64 // by edge: score and information shared with the extra parameters
}

// btSums adds over a run of edges.
type btSums struct {
	gradient [2]float64
	corner   [2][2]float64
	loglik   float64
}

// run is how many edges are summed up at a time, whatever the number of processors.
const run = 2048

// model prepares a fit, after the conditions for it to exist have been checked.
func (d *btData) model(c BTOptions) (*btModel, error) {
	m := &btModel{d: d, n: len(d.players), seat: -1, nu: -1, ridge: c.Ridge}
	if c.Ridge == 0 {
		if err := connected(d.players, d.arcs()); err != nil {
			return nil, err
		}
	}
	m.size = m.n
	if !c.NoSeat {
		if c.Ridge == 0 && !d.seatBounded() {
			return nil, fmt.Errorf("%w: the effect of the first seat explains all results without a bound; leave it out (NoSeat)", ErrDiverged)
		}
		m.seat = m.size
		m.size++
	}
	if c.Draws == Davidson {
		drawn, decided := 0, 0
		for k := range d.edges {
			for s := range d.edges[k].seat {
				t := &d.edges[k].seat[s]
				drawn += int(t.draws)
				decided += int(t.games - t.draws)
			}
		}
		if decided == 0 {
			return nil, fmt.Errorf("%w: all games were drawn", ErrDiverged)
		}
		if drawn > 0 {
			m.nu = m.size
			m.size++
		}
	}
	m.x = make([]float64, m.size)
	m.gradient = make([]float64, m.size)
	m.cross = make([][]float64, m.size-m.n)
	for k := range m.cross {
		m.cross[k] = make([]float64, m.n)
	}
	m.adjacency()
	return m, nil
}

// adjacency lists the edges of each player.
func (m *btModel) adjacency() {
	edges := m.d.edges
	m.weight = make([]float64, len(edges))
	m.slope = make([][2][2]float64, len(edges))
	m.partial = make([]btSums, (len(edges)+run-1)/run)
	m.start = make([]int32, m.n+1)
	for k := range edges {
		m.start[edges[k].i+1]++
		m.start[edges[k].j+1]++
	}
	for i := 1; i <= m.n; i++ {
		m.start[i] += m.start[i-1]
	}
	at := make([]int32, m.n)
	copy(at, m.start)
	m.near = make([]int32, 2*len(edges))
	m.edge = make([]int32, 2*len(edges))
	for k := range edges {
		i, j := edges[k].i, edges[k].j
		m.near[at[i]], m.edge[at[i]] = j, int32(k)
		at[i]++
		m.near[at[j]], m.edge[at[j]] = i, int32(^k)
		at[j]++
	}
}

// moment has what a game is expected to bring where the first player is ahead by a difference of log strengths.
type moment struct {
	score, variance float64 // of the first player's score
	draw, drawVar   float64 // of the game being a draw
	shared          float64 // covariance of both
}

// expect gives the moments. Without draws of their own, nu is 0.
func (m *btModel) expect(difference float64) moment {
	if m.nu < 0 {
		p := logistic(difference)
		return moment{score: p, variance: float64(p * (1 - p))}
	}
	// Win, draw and loss are in proportion to e^(d/2), nu and e^(-d/2).
	h := float64(math.Abs(difference) / 2)
	w := 1.0
	l := exp(-2 * h)
	d := exp(m.x[m.nu] - h)
	total := w + d + l
	w, d, l = w/total, d/total, l/total
	if difference < 0 {
		w, l = l, w
	}
	s := w + float64(d/2)
	return moment{
		score:    s,
		variance: float64(w*l) + float64(float64(d*(1-d))/4),
		draw:     d,
		drawVar:  float64(d * (1 - d)),
		shared:   float64(d * (0.5 - s)),
	}
}

// residual is what two seatings of a cell brought beyond what was expected: on the difference i - j, on the seat effect, on log nu.
func (m *btModel) residual(c *cell, there, back *moment) (difference, seat, nu float64) {
	a, b := &c.seat[0], &c.seat[1]
	r := float64(float64(a.score)/scoreUnits) - float64(float64(a.games)*there.score)
	s := float64(float64(b.score)/scoreUnits) - float64(float64(b.games)*back.score)
	if m.nu >= 0 {
		nu = (float64(a.draws) - float64(float64(a.games)*there.draw)) + (float64(b.draws) - float64(float64(b.games)*back.draw))
	}
	return r - s, r + s, nu
}

// both gives the moments of the games with i first and of those with j first. Without draws of their own one exponential does for both.
func (m *btModel) both(c *cell) (there, back moment) {
	d := m.x[c.i] - m.x[c.j]
	e := m.seatEffect()
	if m.nu >= 0 || math.Abs(d) > 300 || math.Abs(e) > 300 {
		return m.expect(d + e), m.expect(e - d)
	}
	t := exp(d)
	u := 1 / (1 + float64(t*m.first))
	there.score = float64(float64(t*m.first) * u)
	there.variance = float64(there.score * u)
	u = 1 / (m.first + t)
	back.score = float64(m.first * u)
	back.variance = float64(back.score * float64(t*u))
	return there, back
}

func (m *btModel) seatEffect() float64 {
	if m.seat < 0 {
		return 0
	}
	return m.x[m.seat]
}

// evaluate computes gradient and information at x.
func (m *btModel) evaluate() {
	edges := m.d.edges
	little := len(edges) < 8*run
	parallel(len(m.partial), little, func(p int) {
		s := btSums{}
		for k := p * run; k < min((p+1)*run, len(edges)); k++ {
			m.evaluateEdge(k, &s)
		}
		m.partial[p] = s
	})
	var total btSums
	for p := range m.partial {
		for a := range 2 {
			total.gradient[a] += m.partial[p].gradient[a]
			for b := range 2 {
				total.corner[a][b] += m.partial[p].corner[a][b]
			}
		}
	}
	parallel((m.n+15)/16, little, func(t int) {
		for i := 16 * t; i < min(16*t+16, m.n); i++ {
			m.gather(i)
		}
	})
	m.corner = [2][2]float64{}
	for a := range m.extras() {
		m.gradient[m.n+a] = total.gradient[m.kind(a)]
		for b := range m.extras() {
			m.corner[a][b] = total.corner[m.kind(a)][m.kind(b)]
		}
	}
	if m.seat >= 0 {
		m.gradient[m.seat] -= float64(m.ridge * m.x[m.seat])
		m.corner[0][0] += m.ridge
	}
}

// extras is how many parameters are no player's; kind says which one it is: 0 the seat's, 1 log nu.
func (m *btModel) extras() int { return m.size - m.n }

func (m *btModel) kind(a int) int {
	if m.seat < 0 {
		return 1
	}
	return a
}

func (m *btModel) evaluateEdge(k int, s *btSums) {
	c := &m.d.edges[k]
	there, back := m.both(c)
	a, b := float64(c.seat[0].games), float64(c.seat[1].games)
	difference, seat, nu := m.residual(c, &there, &back)
	va, vb := float64(a*there.variance), float64(b*back.variance)
	m.weight[k] = va + vb
	// m.slope[k][0] is the score and the information shared with the seat; [1] the latter with log nu.
	m.slope[k][0] = [2]float64{difference, va - vb}
	ca, cb := float64(a*there.shared), float64(b*back.shared)
	m.slope[k][1] = [2]float64{0, ca - cb}
	s.gradient[0] += seat
	s.gradient[1] += nu
	s.corner[0][0] += va + vb
	s.corner[0][1] += ca + cb
	s.corner[1][0] += ca + cb
	s.corner[1][1] += float64(a*there.drawVar) + float64(b*back.drawVar)
}

// gather adds the edges of a player.
func (m *btModel) gather(i int) {
	var g float64
	var c [2]float64
	for _, k := range m.edge[m.start[i]:m.start[i+1]] {
		if k >= 0 {
			g += m.slope[k][0][0]
			c[0] += m.slope[k][0][1]
			c[1] += m.slope[k][1][1]
		} else {
			g -= m.slope[^k][0][0]
			c[0] -= m.slope[^k][0][1]
			c[1] -= m.slope[^k][1][1]
		}
	}
	m.gradient[i] = g - float64(m.ridge*m.x[i])
	for a := range m.cross {
		m.cross[a][i] = c[m.kind(a)]
	}
}

// multiply gives the product of the information with a vector.
func (m *btModel) multiply(y, x []float64) {
	parallel((m.n+31)/32, len(m.edge) < 1<<15, func(t int) {
		for i := 32 * t; i < min(32*t+32, m.n); i++ {
			s, xi := float64(m.ridge*x[i]), x[i]
			from, to := m.start[i], m.start[i+1]
			near := m.near[from:to]
			for n, k := range m.edge[from:to] {
				if k < 0 {
					k = ^k
				}
				s += float64(m.weight[k] * (xi - x[near[n]]))
			}
			for a := range m.cross {
				s += float64(m.cross[a][i] * x[m.n+a])
			}
			y[i] = s
		}
	})
	for a := range m.cross {
		s := dot(m.cross[a], x[:m.n])
		for b := range m.cross {
			s += float64(m.corner[a][b] * x[m.n+b])
		}
		y[m.n+a] = s
	}
}

// fit finds the parameters by Newton's method, the strengths from x or from 0 where it is nil. A step is shortened by log(1+r)/r, r being the largest
// change that it makes to a difference: information changes by e^r at most on the way, so that the likelihood cannot fall (Bach 2010).
func (m *btModel) fit(x []float64) error {
	if x != nil {
		copy(m.x, x)
	}
	m.settle()
	step := make([]float64, m.size)
	for range 100 {
		m.evaluate()
		if !m.direction(step) {
			return ErrDiverged
		}
		r := m.reach(step)
		if !finite(r) {
			return ErrDiverged
		}
		t := 1.0
		if r > 1e-7 {
			t = log1p(r) / r
		}
		for i := range m.x {
			m.x[i] += float64(t * step[i])
		}
		m.settle()
		if r <= 1e-7 {
			m.evaluate()
			return nil
		}
	}
	return ErrDiverged
}

// reach is the largest change that a step makes to what a game's result is expected to be.
func (m *btModel) reach(step []float64) float64 {
	r := 0.0
	for k := range m.d.edges {
		e := &m.d.edges[k]
		r = max(r, math.Abs(step[e.i]-step[e.j]))
	}
	for a := range m.extras() {
		r += math.Abs(step[m.n+a])
	}
	return r
}

// settle brings the mean of the strengths to 0, after a step.
func (m *btModel) settle() {
	centre(m.x[:m.n])
	m.first = exp(m.seatEffect())
}

// direction solves information times step = gradient by conjugate gradients with the diagonal as preconditioner: on graphs where most have
// met most that takes a few products, a thousand times fewer operations than a factorization.
func (m *btModel) direction(step []float64) bool {
	n := m.size
	diagonal := make([]float64, n)
	for i := range m.n {
		s := m.ridge
		for _, k := range m.edge[m.start[i]:m.start[i+1]] {
			if k < 0 {
				k = ^k
			}
			s += m.weight[k]
		}
		diagonal[i] = s
	}
	for a := range m.extras() {
		diagonal[m.n+a] = m.corner[a][a]
	}
	for i := range diagonal {
		if !(diagonal[i] > 0) {
			return false
		}
	}
	residual := append([]float64(nil), m.gradient...)
	if m.ridge == 0 { // rounding is all that the strengths' mean, on which nothing depends, has of a gradient
		mean := sum(residual[:m.n]) / float64(m.n)
		for i := range m.n {
			residual[i] -= mean
		}
	}
	z, p, q := make([]float64, n), make([]float64, n), make([]float64, n)
	clear(step)
	precondition := func() float64 {
		for i := range z {
			z[i] = residual[i] / diagonal[i]
		}
		return dot(z, residual)
	}
	rho := precondition()
	first := rho
	copy(p, z)
	for range 2*n + 50 {
		if rho <= first*1e-16 || rho == 0 {
			break
		}
		m.multiply(q, p)
		curve := dot(p, q)
		if !(curve > 0) {
			break
		}
		a := rho / curve
		for i := range step {
			step[i] += float64(a * p[i])
			residual[i] -= float64(a * q[i])
		}
		next := precondition()
		b := next / rho
		rho = next
		for i := range p {
			p[i] = z[i] + float64(b*p[i])
		}
	}
	return true
}
