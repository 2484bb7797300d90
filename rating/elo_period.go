package rating

import (
	"fmt"
	"slices"
)

// Period changes a table of ratings by the games of one period, all of them
// judged by the ratings from before it; a period of one game is an update as
// Update makes it. Players who are not in the table enter it as by Start.
//
// A side has the mean rating of its players, and each of them moves by K times
// what the side scored above expectation; where there are more sides than two,
// the expected score is the mean over the others. The order of the games
// changes nothing, not a bit. On an error, which wraps ErrVoid, ErrGame or
// ErrInput, the table is as it was.
func (e *Elo) Period(table map[string]EloPlayer, games []Game) error {
	gains := make(map[string][]float64) // a player's scores above expectation
	before := func(name string) EloPlayer {
		if p, ok := table[name]; ok {
			return p
		}
		return e.Start()
	}
	for i := range games {
		g := &games[i]
		if err := g.Validate(); err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		means := make([]float64, len(g.Sides))
		for k := range g.Sides {
			for _, name := range g.Sides[k].Players {
				p := before(name)
				if err := p.validate(); err != nil {
					return fmt.Errorf("player %q: %w", name, err)
				}
				means[k] += p.Rating
			}
			means[k] /= float64(len(g.Sides[k].Players))
		}
		for k := range g.Sides {
			expected := 0.0
			for o := range g.Sides {
				if o != k {
					expected += e.Expected(means[k], means[o])
				}
			}
			gain := g.Sides[k].Score - expected/float64(len(g.Sides)-1)
			for _, name := range g.Sides[k].Players {
				gains[name] = append(gains[name], gain)
			}
		}
	}
	for name, gain := range gains {
		p := before(name)
		slices.Sort(gain)
		p.move(float64(e.k(&p, len(gain))*sum(gain)), len(gain))
		table[name] = p
	}
	return nil
}
