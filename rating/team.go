package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// TeamSkill says what the skill of a team is.
type TeamSkill uint8

const (
	// TeamMean is the mean of its players' log strengths: teams of equal players are equal, however many they are, and what the sizes give
	// is the roles'.
	TeamMean TeamSkill = iota
	// TeamSum is the sum. Where teams differ in size it needs roles to make up for that.
	TeamSum
)

// TeamOptions configure a team Bradley-Terry fit. The zero value is maximum likelihood with mean skills and an effect of each role.
type TeamOptions struct {
	Policy Policy // which games count
	Skill  TeamSkill
	NoRole bool // leave out the effects of roles
	// Ridge is the precision of a normal prior with mean 0 at each log strength and each role; see BTOptions.
	Ridge float64
}

func (c TeamOptions) validate() error {
	var errs []error
	if err := c.Policy.validate(); err != nil {
		errs = append(errs, err)
	}
	if c.Skill > TeamSum {
		errs = append(errs, fmt.Errorf("%w: TeamOptions.Skill %d is unknown", ErrFit, c.Skill))
	}
	if !(c.Ridge >= 0 && c.Ridge <= 1e6) {
		errs = append(errs, fmt.Errorf("%w: TeamOptions.Ridge is not in [0, 1e6]", ErrFit))
	}
	return errors.Join(errs...)
}

// TeamFit is what a team Bradley-Terry fit found.
type TeamFit struct {
	Estimates
	// Roles has the roles that sides had, sorted, where there are two or more; Effects what each adds to a side's log strength, their mean
	// being 0, with the errors that Errors and ModelErrors are to Strengths.
	Roles                                    []string
	Effects, EffectErrors, EffectModelErrors []float64
}

// RoleDifference gives the difference of two roles, by name, as between equal players.
func (f *TeamFit) RoleDifference(a, b string) (Difference, error) {
	i, err := indexOf(f.Roles, a)
	if err != nil {
		return Difference{}, fmt.Errorf("%w (as a role)", err)
	}
	k, err := indexOf(f.Roles, b)
	if err != nil {
		return Difference{}, fmt.Errorf("%w (as a role)", err)
	}
	if err := f.fitted(); err != nil {
		return Difference{}, err
	}
	n := len(f.Players)
	return f.contrast(n+i, n+k, f.Effects[i]-f.Effects[k]), nil
}

// TeamBradleyTerry fits strengths to games of two teams: a team wins with the probability logistic(role + skill - the other's role - the
// other's skill) (Huang, Weng and Lin 2006), a draw is half a point. A player that is now on one side and now on another, now in one role
// and now in another, is told from its sides' roles; two that always stand on one side are not told from each other. Errors are
// clustered by Game.Pair.
//
// The error wraps ErrDiverged where the results leave some strength or role without a bound or say nothing about it, and ErrFit or ErrGame
// for what cannot be fitted. The result does not depend on the order of the games.
func TeamBradleyTerry(games []Game, c TeamOptions) (*TeamFit, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	p := &teamProblem{config: c}
	f := &TeamFit{Estimates: Estimates{prior: c.Ridge > 0}}
	if err := p.load(games, &f.Report); err != nil {
		return nil, err
	}
	n := len(p.players)
	if n < 2 || n+len(p.roles) > MaxFitPlayers {
		return nil, fmt.Errorf("%w: %d players and %d roles, not 2 to %d", ErrFit, n, len(p.roles), MaxFitPlayers)
	}
	for _, cluster := range p.clusters {
		f.Clusters++
		f.Games += len(cluster)
	}
	x, factor, err := newton(p, n+len(p.roles))
	if err != nil {
		return nil, err
	}
	f.Players, f.Roles = p.players, p.roles
	inverse := factor.inverse()
	if c.Ridge == 0 {
		p.unpin(inverse)
	}
	model, sandwich, ok := f.setErrors(inverse, p.outer(x))
	if !ok {
		return nil, ErrDiverged
	}
	f.Strengths = x[:n:n]
	f.Effects, f.EffectErrors, f.EffectModelErrors = x[n:], sandwich[n:], model[n:]
	for _, cluster := range p.clusters {
		for i := range cluster {
			y := cluster[i].at(x)
			f.LogLikelihood -= float64(cluster[i].score*softplus(-y)) + float64((1-cluster[i].score)*softplus(y))
		}
	}
	return f, nil
}

// bout is a game of two teams: what its result depends on, by parameter.
type bout struct {
	index []int32
	value []float64
	score float64 // of the first side
}

func (b *bout) at(x []float64) float64 {
	s := 0.0
	for k, i := range b.index {
		s += float64(b.value[k] * x[i])
	}
	return s
}

func (b bout) compare(o bout) int {
	if c := slices.Compare(b.index, o.index); c != 0 {
		return c
	}
	if c := slices.Compare(b.value, o.value); c != 0 {
		return c
	}
	return cmp.Compare(b.score, o.score)
}

// teamProblem is the likelihood of games between teams. Clusters and the games in them are sorted by content.
type teamProblem struct {
	config   TeamOptions
	players  []string
	roles    []string
	clusters [][]bout
	free     bool  // nothing depends on the sum of the strengths
	sizes    []int // of the teams of each role, where skills are summed
}

func (p *teamProblem) load(games []Game, report *Report) error {
	var rated []*Game
	for i := range games {
		g := &games[i]
		ok, err := p.config.Policy.Admit(g, report)
		if err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		if !ok {
			continue
		}
		if len(g.Sides) != 2 {
			return fmt.Errorf("game %d: %w: takes games of two sides; see PlackettLuce", i, ErrFit)
		}
		rated = append(rated, g)
		for s := range g.Sides {
			p.players = append(p.players, g.Sides[s].Players...)
			p.roles = append(p.roles, g.Sides[s].Role)
		}
	}
	slices.Sort(p.players)
	p.players = slices.Compact(p.players)
	slices.Sort(p.roles)
	p.roles = slices.Compact(p.roles)
	if len(p.roles) < 2 || p.config.NoRole {
		p.roles = nil
	}
	p.free = p.config.Skill == TeamMean || p.sizesByRole(rated)
	pairs := map[string]int{}
	for _, g := range rated {
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
		p.clusters[k] = append(p.clusters[k], p.bout(g))
	}
	for _, cluster := range p.clusters {
		slices.SortFunc(cluster, bout.compare)
	}
	slices.SortFunc(p.clusters, func(a, b []bout) int { return slices.CompareFunc(a, b, bout.compare) })
	return nil
}

// sizesByRole reports whether roles make up for the sizes of teams: the sides of one role are all as large, or, without roles, all are.
func (p *teamProblem) sizesByRole(games []*Game) bool {
	p.sizes = make([]int, max(len(p.roles), 1))
	for _, g := range games {
		for s := range g.Sides {
			i, _ := slices.BinarySearch(p.roles, g.Sides[s].Role)
			if p.roles == nil {
				i = 0
			}
			n := len(g.Sides[s].Players)
			if p.sizes[i] != 0 && p.sizes[i] != n {
				return false
			}
			p.sizes[i] = n
		}
	}
	return true
}

// bout makes that of a game.
func (p *teamProblem) bout(g *Game) bout {
	type entry struct {
		index int32
		value float64
	}
	var entries []entry
	sign := 1.0
	for s := range g.Sides {
		side := &g.Sides[s]
		each := sign
		if p.config.Skill == TeamMean {
			each = sign / float64(len(side.Players))
		}
		for _, name := range side.Players {
			i, _ := slices.BinarySearch(p.players, name)
			entries = append(entries, entry{int32(i), each})
		}
		if p.roles != nil && g.Sides[0].Role != g.Sides[1].Role {
			i, _ := slices.BinarySearch(p.roles, side.Role)
			entries = append(entries, entry{int32(len(p.players) + i), sign})
		}
		sign = -1
	}
	slices.SortFunc(entries, func(a, b entry) int { return int(a.index - b.index) })
	b := bout{score: share2(g.Sides[0].Score, g.Sides[1].Score)}
	for _, e := range entries {
		b.index, b.value = append(b.index, e.index), append(b.value, e.value)
	}
	return b
}

func (p *teamProblem) evaluate(x, gradient []float64, h *matrix) {
	for _, cluster := range p.clusters {
		for k := range cluster {
			b := &cluster[k]
			q := logistic(b.at(x))
			w := float64(q * (1 - q))
			for a, i := range b.index {
				gradient[i] += float64((b.score - q) * b.value[a])
				row := h.row(int(i))
				for c, j := range b.index[:a+1] {
					row[j] += float64(w * float64(b.value[a]*b.value[c]))
				}
			}
		}
	}
	for i := range x {
		gradient[i] -= float64(p.config.Ridge * x[i])
		h.row(i)[i] += p.config.Ridge
	}
	if p.config.Ridge > 0 {
		return
	}
	n := len(p.players)
	if p.free {
		pin(h, 0, n)
	}
	if len(p.roles) > 0 {
		pin(h, n, len(x))
	}
}

// unpin takes from the inverse what the pins added: a multiple of each direction on which nothing depends. One is all roles together; the
// other all players together, against it each role by the size of its teams where skills are summed.
func (p *teamProblem) unpin(inverse *matrix) {
	n := len(p.players)
	direction := make([]float64, inverse.n)
	if len(p.roles) > 0 {
		for i := n; i < inverse.n; i++ {
			direction[i] = 1
		}
		takeOuter(inverse, direction, len(p.roles))
	}
	if !p.free {
		return
	}
	mean := 0.0
	for _, size := range p.sizes {
		mean += float64(size) / float64(len(p.sizes))
	}
	for i := range direction {
		direction[i] = 1
		if i >= n {
			direction[i] = 0
			if p.config.Skill == TeamSum {
				direction[i] = mean - float64(p.sizes[i-n])
			}
		}
	}
	takeOuter(inverse, direction, n)
}

func (p *teamProblem) reach(step []float64) float64 {
	r := 0.0
	for _, cluster := range p.clusters {
		for k := range cluster {
			r = max(r, math.Abs(cluster[k].at(step)))
		}
	}
	return r
}

// outer is the sum over clusters of the outer products of their scores.
func (p *teamProblem) outer(x []float64) *matrix {
	b := newMatrix(len(x))
	u := make([]float64, len(x))
	var touched []int
	for _, cluster := range p.clusters {
		touched = touched[:0]
		for k := range cluster {
			g := &cluster[k]
			r := g.score - logistic(g.at(x))
			for a, i := range g.index {
				touched = append(touched, int(i))
				u[i] += float64(r * g.value[a])
			}
		}
		addOuter(b, u, touched)
	}
	return b
}
