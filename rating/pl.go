package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Bounds of Plackett-Luce and team fits, which hold dense matrices at each step.
const (
	MaxFitPlayers = 2048
	MaxTied       = 8 // sides that share a rank of a game, in PlackettLuce
)

// PLOptions configure a Plackett-Luce fit. The zero value is maximum likelihood over whole rankings of all games that a referee rates.
type PLOptions struct {
	Policy Policy // which games count
	// Places counts only who took the first so many places, 1 for winners alone. 0: all.
	Places int
	// Ridge is the precision of a normal prior with mean 0 at each log strength; see BTOptions.
	Ridge float64
}

func (c PLOptions) validate() error {
	var errs []error
	if err := c.Policy.validate(); err != nil {
		errs = append(errs, err)
	}
	if c.Places < 0 || c.Places > MaxSides {
		errs = append(errs, fmt.Errorf("%w: PLOptions.Places is not in [0, %d]", ErrFit, MaxSides))
	}
	if !(c.Ridge >= 0 && c.Ridge <= 1e6) {
		errs = append(errs, fmt.Errorf("%w: PLOptions.Ridge is not in [0, 1e6]", ErrFit))
	}
	return errors.Join(errs...)
}

// PLFit is what a Plackett-Luce fit found.
type PLFit struct{ Estimates }

// PlackettLuce fits strengths to games of two or more sides of one player each: places are drawn one after the other, each in proportion to
// the strengths of those who are left. Sides that share a rank count as the mean of the log-likelihoods of all their orders: of two, that is
// half a win and half a loss. Errors are clustered by Game.Pair.
//
// The error is a *NotConnectedError where the results leave differences between groups of players without a bound (Hunter 2004); it
// wraps ErrFit or ErrGame for what cannot be fitted. The result does not depend on the order of the games.
func PlackettLuce(games []Game, c PLOptions) (*PLFit, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &plProblem{ridge: c.Ridge}
	f := &PLFit{Estimates{prior: c.Ridge > 0}}
	if err := p.load(games, c, &f.Report); err != nil {
		return nil, err
	}
	f.Players = p.players
	for _, cluster := range p.clusters {
		f.Clusters++
		f.Games += len(cluster)
	}
	if n := len(p.players); n < 2 || n > MaxFitPlayers {
		return nil, fmt.Errorf("%w: %d players, not 2 to %d", ErrFit, n, MaxFitPlayers)
	}
	if c.Ridge == 0 {
		if err := connected(p.players, p.arcs()); err != nil {
			return nil, err
		}
	}
	x, factor, err := newton(p, len(p.players))
	if err != nil {
		return nil, err
	}
	f.Strengths = x
	centre(f.Strengths)
	inverse := factor.inverse()
	if c.Ridge == 0 {
		ones := make([]float64, len(x))
		for i := range ones {
			ones[i] = 1
		}
		takeOuter(inverse, ones, len(x))
	}
	if _, _, ok := f.setErrors(inverse, p.outer(x)); !ok {
		return nil, ErrDiverged
	}
	f.LogLikelihood = p.logLikelihood(x)
	return f, nil
}

// centre brings the mean to 0.
func centre(x []float64) {
	mean := sum(x) / float64(len(x))
	for i := range x {
		x[i] -= mean
	}
}

// pin adds 1 1' / (to - from) to an information matrix in which nothing depends on the sum of those parameters, so that it has an inverse.
func pin(h *matrix, from, to int) {
	for i := from; i < to; i++ {
		for j := from; j <= i; j++ {
			h.row(i)[j] += 1 / float64(to-from)
		}
	}
}

// takeOuter takes v v' / n from the inverse: what a pin on n parameters put there, v being the direction on which nothing depends.
func takeOuter(inverse *matrix, v []float64, n int) {
	for i := range v {
		for j := range v {
			inverse.row(i)[j] -= float64(v[i]*v[j]) / float64(n)
		}
	}
}

// ranking has the players of a game by rank: groups of equal ones, the best first, each sorted.
type ranking [][]int32

func (r ranking) compare(o ranking) int {
	return slices.CompareFunc(r, o, func(a, b []int32) int { return slices.Compare(a, b) })
}

// plProblem is a Plackett-Luce likelihood. Clusters and the rankings in them are sorted by content.
type plProblem struct {
	players  []string
	clusters [][]ranking
	places   int
	ridge    float64
}

func (p *plProblem) load(games []Game, c PLOptions, report *Report) error {
	numbers := map[string]int32{}
	var rated []*Game
	for i := range games {
		g := &games[i]
		ok, err := c.Policy.Admit(g, report)
		if err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		if !ok {
			continue
		}
		for s := range g.Sides {
			if len(g.Sides[s].Players) != 1 {
				return fmt.Errorf("game %d: %w: takes sides of one player; see TeamBradleyTerry", i, ErrFit)
			}
			numbers[g.Sides[s].Players[0]] = 0
		}
		rated = append(rated, g)
	}
	for name := range numbers {
		p.players = append(p.players, name)
	}
	slices.Sort(p.players)
	for i, name := range p.players {
		numbers[name] = int32(i)
	}
	p.places = cmp.Or(c.Places, MaxSides)
	pairs := map[string]int{}
	for _, g := range rated {
		r, err := p.rank(g, numbers)
		if err != nil {
			return err
		}
		k := len(p.clusters)
		if g.Pair != "" {
			if n, ok := pairs[g.Pair]; ok {
				k = n
			} else {
				pairs[g.Pair] = k
			}
		}
		if k == len(p.clusters) {
			p.clusters = append(p.clusters, nil)
		}
		p.clusters[k] = append(p.clusters[k], r)
	}
	for _, cluster := range p.clusters {
		slices.SortFunc(cluster, ranking.compare)
	}
	slices.SortFunc(p.clusters, func(a, b []ranking) int { return slices.CompareFunc(a, b, ranking.compare) })
	return nil
}

// rank makes the ranking of a game.
func (p *plProblem) rank(g *Game, numbers map[string]int32) (ranking, error) {
	sides := make([]int, len(g.Sides))
	for i := range sides {
		sides[i] = i
	}
	slices.SortStableFunc(sides, func(a, b int) int { return cmp.Compare(g.Sides[a].Rank, g.Sides[b].Rank) })
	var r ranking
	placed := 0
	for n, s := range sides {
		if n == 0 || g.Sides[s].Rank != g.Sides[sides[n-1]].Rank {
			r = append(r, nil)
		}
		last := &r[len(r)-1]
		*last = append(*last, numbers[g.Sides[s].Players[0]])
	}
	for _, group := range r {
		slices.Sort(group)
		if len(group) > MaxTied && placed < p.places {
			return nil, fmt.Errorf("%w: %d sides share a rank, %d at most", ErrFit, len(group), MaxTied)
		}
		placed += len(group)
	}
	return r, nil
}

// arcs gives an arc from each player to those that it was placed before, or drew with, in what counts.
func (p *plProblem) arcs() [][2]int32 {
	seen := map[[2]int32]bool{}
	var arcs [][2]int32
	add := func(a, b int32) {
		if arc := [2]int32{a, b}; a != b && !seen[arc] {
			seen[arc] = true
			arcs = append(arcs, arc)
		}
	}
	for _, cluster := range p.clusters {
		for _, r := range cluster {
			placed := 0
			for k, group := range r {
				if placed >= p.places {
					break
				}
				placed += len(group)
				for _, a := range group {
					for _, rest := range r[k:] {
						for _, b := range rest {
							add(a, b)
						}
					}
				}
			}
		}
	}
	return arcs
}

// draws calls visit for each drawing of a place: the sets it may be drawn from, each with its weight, and the players among whom one is
// drawn, with the weight of each.
func (p *plProblem) draws(r ranking, chosen func(player int32), from func(set []int32, weight float64)) {
	var rest []int32
	for _, group := range r {
		rest = append(rest, group...)
	}
	placed := 0
	set := make([]int32, 0, len(rest))
	for _, group := range r {
		if placed >= p.places {
			return
		}
		placed += len(group)
		rest = rest[len(group):]
		for _, player := range group {
			chosen(player)
		}
		// When m - n of the group have been drawn, the n that are left are any of them alike.
		for left := 1; left < 1<<len(group); left++ {
			set = set[:0]
			for k, player := range group {
				if left>>k&1 == 1 {
					set = append(set, player)
				}
			}
			weight := 1 / binomial(len(group), len(set))
			from(append(set, rest...), weight)
		}
	}
}

// binomial gives the number of ways to choose k of n, for few.
func binomial(n, k int) float64 {
	c := 1
	for i := range k {
		c = c * (n - i) / (i + 1)
	}
	return float64(c)
}

// shares gives the probability of each of a set to be drawn, and the logarithm of the sum of strengths.
func shares(x []float64, set []int32, out []float64) (logTotal float64) {
	top := math.Inf(-1)
	for _, i := range set {
		top = max(top, x[i])
	}
	total := 0.0
	for k, i := range set {
		out[k] = exp(x[i] - top)
		total += out[k]
	}
	for k := range set {
		out[k] /= total
	}
	return top + log(total)
}

func (p *plProblem) evaluate(x, gradient []float64, h *matrix) {
	q := make([]float64, MaxSides)
	for _, cluster := range p.clusters {
		for _, r := range cluster {
			p.draws(r, func(i int32) { gradient[i]++ }, func(set []int32, weight float64) {
				shares(x, set, q)
				for a, i := range set {
					w := float64(weight * q[a])
					gradient[i] -= w
					row := h.row(int(i))
					row[i] += w
					for b, j := range set {
						if j <= i {
							row[j] -= float64(w * q[b])
						}
					}
				}
			})
		}
	}
	for i := range x {
		gradient[i] -= float64(p.ridge * x[i])
		h.row(i)[i] += p.ridge
	}
	if p.ridge == 0 {
		pin(h, 0, len(x))
	}
}

func (p *plProblem) reach(step []float64) float64 {
	return slices.Max(step) - slices.Min(step)
}

func (p *plProblem) logLikelihood(x []float64) float64 {
	s := 0.0
	q := make([]float64, MaxSides)
	for _, cluster := range p.clusters {
		for _, r := range cluster {
			p.draws(r, func(i int32) { s += x[i] }, func(set []int32, weight float64) { s -= float64(weight * shares(x, set, q)) })
		}
	}
	return s
}

// outer is the sum over clusters of the outer products of their scores.
func (p *plProblem) outer(x []float64) *matrix {
	b := newMatrix(len(x))
	u, q := make([]float64, len(x)), make([]float64, MaxSides)
	var touched []int
	for _, cluster := range p.clusters {
		touched = touched[:0]
		for _, r := range cluster {
			for _, group := range r {
				for _, i := range group {
					touched = append(touched, int(i))
				}
			}
			p.draws(r, func(i int32) { u[i]++ }, func(set []int32, weight float64) {
				shares(x, set, q)
				for a, i := range set {
					u[i] -= float64(weight * q[a])
				}
			})
		}
		addOuter(b, u, touched)
	}
	return b
}

// addOuter adds the outer product of a sparse vector with itself, and empties the vector.
func addOuter(b *matrix, u []float64, touched []int) {
	slices.Sort(touched)
	touched = slices.Compact(touched)
	for _, i := range touched {
		for _, j := range touched {
			b.a[i*b.n+j] += float64(u[i] * u[j])
		}
	}
	for _, i := range touched {
		u[i] = 0
	}
}
