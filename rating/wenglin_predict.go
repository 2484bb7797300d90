package rating

import (
	"fmt"
	"math"
	"slices"
)

// DrawMargin is the difference of performances within which so many of the
// games between equal teams are drawn; draws is that share, in [0, 1). players
// counts those of all teams, and beta is WengLinOptions.Beta. The error wraps
// ErrInput.
func DrawMargin(draws, beta float64, players int) (float64, error) {
	if !(draws >= 0 && draws < 1) || !(beta >= 0 && beta <= MaxSkill) || players < 2 || players > MaxSides*MaxSides {
		return 0, fmt.Errorf("%w: draws, beta or players", ErrInput)
	}
	return float64(float64(math.Sqrt(float64(players))*beta) * normQuantile((1+draws)/2)), nil
}

// PredictWin gives each team its chance of coming in first, if performances are
// normal around the skills with deviation Beta: for two teams in closed form,
// for more by quadrature, good to ten digits unless the deviation of one team's
// performance is more than twenty times that of another. The chances add up to
// 1; draws are left out of account, and so are weights. The error wraps ErrInput.
func (w *WengLin) PredictWin(l Lineup) ([]float64, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	mu, sigma := w.performances(&l)
	win := make([]float64, len(mu))
	if len(mu) == 2 {
		s := math.Sqrt(float64(sigma[0]*sigma[0]) + float64(sigma[1]*sigma[1]))
		win[0], win[1] = normCDF((mu[0]-mu[1])/s), normCDF((mu[1]-mu[0])/s)
		return win, nil
	}
	const steps, reach = 400, 8.0 // of the trapezoidal rule, and how many deviations it covers to each side
	for i := range mu {
		for k := range steps + 1 {
			z := float64(reach * (float64(2*k)/steps - 1))
			x := mu[i] + float64(sigma[i]*z)
			p := normPDF(z)
			for q := range mu {
				if q != i {
					p *= normCDF((x - mu[q]) / sigma[q])
				}
			}
			win[i] += p
		}
	}
	total := sum(win)
	for i := range win {
		win[i] /= total
	}
	return win, nil
}

// performances gives the mean and deviation of each team's performance, Tau
// left out.
func (w *WengLin) performances(l *Lineup) (mu, sigma []float64) {
	still := *w
	still.o.Tau = 0
	for i := range l.Teams {
		m, v := still.strength(l, i)
		mu = append(mu, m)
		sigma = append(sigma, math.Sqrt(v+float64(w.o.Beta*w.o.Beta)))
	}
	return mu, sigma
}

// PredictDraw gives the chance that two teams draw, or the mean over all pairs
// of more: that their performances lie within the margin at which as many of
// the games between equals are drawn as there are players, one over. Sides of
// several players draw the less often; it tells good matches from bad ones and
// is no frequency, after openskill. The error wraps ErrInput.
func (w *WengLin) PredictDraw(l Lineup) (float64, error) {
	if err := l.validate(); err != nil {
		return 0, err
	}
	players := 0
	for _, team := range l.Teams {
		players += len(team)
	}
	margin, err := DrawMargin(1/float64(players), w.o.Beta, players)
	if err != nil {
		return 0, err
	}
	mu, sigma := w.performances(&l)
	chance, pairs := 0.0, 0
	for i := range mu {
		for k := range i {
			s := math.Sqrt(float64(sigma[i]*sigma[i]) + float64(sigma[k]*sigma[k]))
			d := math.Abs(mu[i] - mu[k])
			chance += normCDF((margin-d)/s) - normCDF((-margin-d)/s)
			pairs++
		}
	}
	return chance / float64(pairs), nil
}

// RankChance is a team's place by its chance of winning: 1 is best, and equal
// chances share a place.
type RankChance struct {
	Rank   int
	Chance float64
}

// PredictRanks orders the teams by PredictWin.
func (w *WengLin) PredictRanks(l Lineup) ([]RankChance, error) {
	win, err := w.PredictWin(l)
	if err != nil {
		return nil, err
	}
	ranks := make([]RankChance, len(win))
	for i, p := range win {
		better := slices.DeleteFunc(slices.Clone(win), func(o float64) bool { return o <= p })
		ranks[i] = RankChance{Rank: 1 + len(better), Chance: p}
	}
	return ranks, nil
}
