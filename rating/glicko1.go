package rating

import (
	"errors"
	"fmt"
	"math"
)

// Glicko1Options choose the constants of Glicko-1. The zero value has those of
// Glickman's paper.
type Glicko1Options struct {
	Start     float64 // the rating of a player not seen before. 0: 1500
	Deviation float64 // that player's deviation, which none exceeds. 0: 350
	// Growth is Glickman's c: how fast the deviation grows, in rating points per
	// square root of a period. 0: 34.6, from 50 to 350 in a hundred periods;
	// negative: it does not grow.
	Growth float64
	// Least is what no deviation falls below, so that ratings stay mobile;
	// Glickman suggests 30. 0: no such bound.
	Least float64
}

// Glicko1Rating is a player's rating with its standard deviation, both in
// rating points.
type Glicko1Rating struct {
	Rating    float64 `json:"rating"`
	Deviation float64 `json:"deviation"`
}

// Glicko1 keeps ratings after M. E. Glickman, "The Glicko system". It holds no
// state and is safe for concurrent use.
type Glicko1 struct{ o Glicko1Options }

// NewGlicko1 gives one error for each option that is out of range, joined.
func NewGlicko1(o Glicko1Options) (*Glicko1, error) {
	var errs []error
	bad := func(name string) { errs = append(errs, fmt.Errorf("%w: Glicko1Options.%s", ErrInput, name)) }
	if !(math.Abs(o.Start) <= MaxRating) {
		bad("Start")
	}
	if o.Deviation != 0 && !(o.Deviation >= MinDeviation && o.Deviation <= MaxDeviation) {
		bad("Deviation")
	}
	if !(o.Growth <= MaxDeviation) || math.IsInf(o.Growth, -1) {
		bad("Growth")
	}
	if o.Start == 0 {
		o.Start = 1500
	}
	if o.Deviation == 0 {
		o.Deviation = 350
	}
	if !(o.Least >= 0 && o.Least <= o.Deviation) {
		bad("Least")
	}
	switch {
	case o.Growth == 0:
		o.Growth = 34.6
	case o.Growth < 0:
		o.Growth = 0
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return &Glicko1{o}, nil
}

// Start is a player without games.
func (g *Glicko1) Start() Glicko1Rating {
	return Glicko1Rating{g.o.Start, g.o.Deviation}
}

// Idle gives a rating after a number of periods, at least 0, in which the
// player was not rated: step 1 of the paper, which is due before each period,
// played or not. The error wraps ErrInput.
func (g *Glicko1) Idle(p Glicko1Rating, periods int) (Glicko1Rating, error) {
	if err := errors.Join(checkGlicko("player", p.Rating, p.Deviation), checkPeriods(periods)); err != nil {
		return p, err
	}
	return g.idle(p, periods), nil
}

func (g *Glicko1) idle(p Glicko1Rating, periods int) Glicko1Rating {
	grown := float64(p.Deviation*p.Deviation) + float64(float64(g.o.Growth*g.o.Growth)*float64(periods))
	p.Deviation = max(p.Deviation, min(math.Sqrt(grown), g.o.Deviation))
	return p
}

// Rate gives a rating after one period's results, step 2 of the paper. p and
// the opponents are as they stand at the period's beginning, Idle done. Without
// results nothing changes. The order of the results does not matter. The error
// wraps ErrInput.
func (g *Glicko1) Rate(p Glicko1Rating, results []GlickoResult) (Glicko1Rating, error) {
	if err := errors.Join(checkGlicko("player", p.Rating, p.Deviation), checkResults(results)); err != nil {
		return p, err
	}
	if len(results) == 0 {
		return p, nil
	}
	const q = ln10 / 400
	gain, info := 0.0, 0.0
	for _, r := range order(results) {
		w := glicko1Weight(r.Deviation)
		e := boundedLogistic(float64(q*w) * (p.Rating - r.Rating))
		gain += float64(w * (r.Score - e))
		info += float64(float64(w*w) * float64(e*(1-e)))
	}
	precision := 1/float64(p.Deviation*p.Deviation) + float64(float64(q*q)*info)
	p.Rating = bounded(p.Rating + float64(q/precision*gain))
	p.Deviation = max(math.Sqrt(1/precision), min(g.o.Least, p.Deviation), MinDeviation)
	return p, nil
}

// glicko1Weight is g(RD): how much a result counts against an opponent of that
// deviation.
func glicko1Weight(deviation float64) float64 {
	const q = ln10 / 400
	x := float64(q*deviation) / math.Pi
	return 1 / math.Sqrt(1+float64(3*float64(x*x)))
}

// Expected is the share of the points that a is expected to take from b, both
// deviations considered, in [0, 1]. The error wraps ErrInput.
func (g *Glicko1) Expected(a, b Glicko1Rating) (float64, error) {
	if err := errors.Join(checkGlicko("a", a.Rating, a.Deviation), checkGlicko("b", b.Rating, b.Deviation)); err != nil {
		return 0, err
	}
	w := glicko1Weight(math.Sqrt(float64(a.Deviation*a.Deviation) + float64(b.Deviation*b.Deviation)))
	return boundedLogistic(float64(ln10/400*w) * (a.Rating - b.Rating)), nil
}

// Period changes a table of ratings by one rating period. Everybody in it
// grows by Idle first, whether they played or not; players who are not in it
// enter as by Start. Games must be between two players; their order does not
// matter. On an error, which wraps ErrVoid, ErrGame or ErrInput, the table is
// as it was.
func (g *Glicko1) Period(table map[string]Glicko1Rating, games []Game) error {
	return glickoPeriod(table, games, glickoSteps[Glicko1Rating]{
		start: g.Start(),
		check: func(p Glicko1Rating) error { return checkGlicko("player", p.Rating, p.Deviation) },
		seen: func(p Glicko1Rating) GlickoResult {
			p = g.idle(p, 1)
			return GlickoResult{Rating: p.Rating, Deviation: p.Deviation}
		},
		idle: func(p Glicko1Rating) Glicko1Rating { return g.idle(p, 1) },
		rate: func(p Glicko1Rating, results []GlickoResult) (Glicko1Rating, error) {
			return g.Rate(g.idle(p, 1), results)
		},
	})
}
