package rating

import (
	"fmt"
	"math"
)

// Update changes the skills of a lineup, and its offsets, by the result of a
// game: ranks are the teams', lower is better, equal is a draw, and 0 is a rank
// like any other. On an error, which wraps ErrInput, nothing has changed.
// Nothing is allocated.
func (w *WengLin) Update(l Lineup, ranks []int) error {
	n := len(l.Teams)
	if !l.ok() {
		if err := l.validate(); err != nil {
			return err
		}
	}
	if len(ranks) != n {
		return fmt.Errorf("%w: %d ranks for %d teams", ErrInput, len(ranks), n)
	}
	if n <= 4 {
		var s [4]step
		w.apply(&l, ranks, s[:n])
	} else {
		var s [MaxSides]step
		w.apply(&l, ranks, s[:n])
	}
	return nil
}

// Duel gives the skills of two players after a game between them, just as
// Update does: rank 0 and 0 is a draw. Skills out of range are an error, which
// wraps ErrInput.
func (w *WengLin) Duel(a, b Skill, rankA, rankB int) (Skill, Skill, error) {
	skills, ranks := [2]Skill{a, b}, [2]int{rankA, rankB}
	teams := [2][]Skill{skills[:1], skills[1:]}
	if err := w.Update(Lineup{Teams: teams[:]}, ranks[:]); err != nil {
		return a, b, err
	}
	return skills[0], skills[1], nil
}

// step is what a game says about one team.
type step struct {
	mu, variance float64 // before it
	omega, delta float64 // the changes of mean and variance, each over the variance
	e            float64 // scratch
	place        int     // in the order of the ranks; partial pairings only
}

func (w *WengLin) apply(l *Lineup, ranks []int, s []step) {
	for i := range s {
		s[i].mu, s[i].variance = w.strength(l, i)
	}
	switch w.o.Model {
	case ModelPlackettLuce:
		w.plackettLuce(ranks, s)
	default:
		w.pairs(ranks, s)
	}
	for i := range s {
		for k := range l.Teams[i] {
			weight := 1.0
			if l.Weights != nil {
				weight = relativeWeight(l.Weights[i], k)
			}
			w.move(&l.Teams[i][k], &s[i], weight)
		}
		if l.Offsets != nil {
			w.move(&l.Offsets[i], &s[i], 1)
		}
	}
}

// move changes one member of a team. Who moves down moves less for a larger
// weight, as in openskill.
func (w *WengLin) move(p *Skill, s *step, weight float64) {
	if s.omega < 0 {
		weight = 1 / weight
	}
	variance := w.widened(p.Sigma)
	p.Mu = max(-MaxSkill, min(MaxSkill, p.Mu+float64(float64(variance*s.omega)*weight)))
	left := 1 - float64(float64(variance*s.delta)*weight)
	sigma := math.Sqrt(float64(variance * max(left, w.o.Kappa)))
	if w.o.LimitSigma {
		sigma = min(sigma, p.Sigma)
	}
	p.Sigma = max(MinSigma, min(MaxSkill, sigma))
}

// relativeWeight puts a team's weights between 1 and 2.
func relativeWeight(weights []float64, k int) float64 {
	low, high := weights[0], weights[0]
	for _, x := range weights {
		low, high = min(low, x), max(high, x)
	}
	if low == high {
		return 1
	}
	return (weights[k]-low)/(high-low) + 1
}

// gamma is the factor on delta, for a team of that variance.
func (w *WengLin) gamma(variance, c float64, teams int) float64 {
	switch w.o.Gamma {
	case GammaOne:
		return 1
	case GammaTeams:
		return 1 / float64(teams)
	}
	return math.Sqrt(variance) / c
}

// plackettLuce goes through the ranks: among the teams that no better rank has
// taken, each team of a rank is the first with equal chance.
func (w *WengLin) plackettLuce(ranks []int, s []step) {
	c2 := 0.0
	for i := range s {
		c2 += s[i].variance
	}
	c2 += float64(float64(len(s)) * float64(w.o.Beta*w.o.Beta))
	c := math.Sqrt(c2)
	for q := range s {
		tied, left, done := 0, 0, false
		top := s[q].mu
		for k := range s {
			switch {
			case ranks[k] == ranks[q]:
				tied++
				done = done || k < q
			case ranks[k] < ranks[q]:
				continue
			}
			left++
			top = max(top, s[k].mu)
		}
		if done || left == 1 {
			continue // the rank's first team has done it, or nobody is left to be compared with
		}
		total := 0.0
		for k := range s {
			if ranks[k] >= ranks[q] {
				s[k].e = 1
				if s[k].mu != top {
					s[k].e = exp((s[k].mu - top) / c)
				}
				total += s[k].e
			}
		}
		for k := range s {
			if ranks[k] < ranks[q] {
				continue
			}
			p := s[k].e / total
			gain := -p
			if ranks[k] == ranks[q] {
				gain += 1 / float64(tied)
			}
			s[k].omega += gain
			s[k].delta += float64(p * (1 - p))
		}
	}
	for i := range s {
		s[i].omega /= c
		s[i].delta = float64(s[i].delta*w.gamma(s[i].variance, c, len(s))) / c2
	}
}

// pairs judges pairs of teams: all of them, or those near each other, of which
// it takes the mean.
func (w *WengLin) pairs(ranks []int, s []step) {
	part := w.o.Model == ModelBradleyTerryPart || w.o.Model == ModelThurstoneMostellerPart
	normal := w.o.Model == ModelThurstoneMostellerFull || w.o.Model == ModelThurstoneMostellerPart
	for i := range s {
		for q := range s {
			if ranks[q] < ranks[i] || (ranks[q] == ranks[i] && q < i) {
				s[i].place++
			}
		}
	}
	for i := range s {
		met := 0
		for q := range s {
			if apart := s[i].place - s[q].place; q == i || (part && (apart > partWindow || apart < -partWindow)) {
				continue
			}
			met++
			c := math.Sqrt(s[i].variance + s[q].variance + float64(2*float64(w.o.Beta*w.o.Beta)))
			if w.o.Model == ModelThurstoneMostellerPart {
				c *= 2
			}
			x := (s[i].mu - s[q].mu) / c
			var v, u float64
			if normal {
				v, u = w.normalPair(x, w.o.DrawMargin/c, ranks[i], ranks[q])
			} else {
				p := logistic(x)
				u = float64(p * (1 - p))
				switch {
				case ranks[i] < ranks[q]:
					v = 1 - p
				case ranks[i] == ranks[q]:
					v = 0.5 - p
				default:
					v = -p
				}
			}
			s[i].omega += v / c
			s[i].delta += float64(w.gamma(s[i].variance, c, len(s))*u) / float64(c*c)
		}
		if part {
			s[i].omega /= float64(met)
			s[i].delta /= float64(met)
		}
	}
}

// normalPair gives the correction of a mean and of a variance when two normal
// performances, x apart in units of their deviation, come out in that order,
// with t the margin of draws in the same units.
func (w *WengLin) normalPair(x, t float64, rank, other int) (v, u float64) {
	switch {
	case rank < other:
		return truncatedAbove(x - t)
	case rank > other:
		v, u = truncatedAbove(-x - t)
		return -v, u
	}
	return truncatedWithin(x, t)
}
