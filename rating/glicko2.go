package rating

import (
	"errors"
	"fmt"
	"math"
)

// GlickoScale is the rating points to a unit of Glicko-2's own scale, as the
// paper prints it.
const GlickoScale = 173.7178

// Bounds of Glicko-2's volatility.
const (
	MinVolatility = 1e-6
	MaxVolatility = 1
)

// Glicko2Options choose the constants of Glicko-2.
type Glicko2Options struct {
	Start      float64 // the rating of a player not seen before. 0: 1500
	Deviation  float64 // that player's deviation, beyond which idle time and games let none grow. 0: 350
	Volatility float64 // that player's volatility. 0: 0.06
	// Tau keeps the volatility from changing fast, from 0.2 to 1.2 as a rule; at
	// most 2. 0: 0.5.
	Tau float64
	// Tolerance is how near the volatility's logarithm has to come. 0: 1e-6, as
	// in the paper; at most 0.1.
	Tolerance float64
	// MaxIterations ends the search for the volatility whatever the tolerance.
	// 0: 100.
	MaxIterations int
}

// Glicko2Rating is a player's rating with its standard deviation, both in
// rating points, and its volatility: how much the rating is expected to move
// between periods, on Glicko-2's own scale.
type Glicko2Rating struct {
	Rating     float64 `json:"rating"`
	Deviation  float64 `json:"deviation"`
	Volatility float64 `json:"volatility"`
}

func (p *Glicko2Rating) validate() error {
	err := checkGlicko("player", p.Rating, p.Deviation)
	if !(p.Volatility >= MinVolatility && p.Volatility <= MaxVolatility) {
		err = errors.Join(err, fmt.Errorf("%w: player's Volatility", ErrInput))
	}
	return err
}

// Glicko2 keeps ratings after M. E. Glickman, "Example of the Glicko-2 system"
// (2013). It holds no state and is safe for concurrent use.
type Glicko2 struct{ o Glicko2Options }

// NewGlicko2 gives one error for each option that is out of range, joined.
func NewGlicko2(o Glicko2Options) (*Glicko2, error) {
	var errs []error
	bad := func(name string) { errs = append(errs, fmt.Errorf("%w: Glicko2Options.%s", ErrInput, name)) }
	number := func(name string, x *float64, usual, low, high float64) {
		if *x == 0 {
			*x = usual
		}
		if !(*x >= low && *x <= high) {
			bad(name)
		}
	}
	number("Start", &o.Start, 1500, -MaxRating, MaxRating)
	number("Deviation", &o.Deviation, 350, MinDeviation, MaxDeviation)
	number("Volatility", &o.Volatility, 0.06, MinVolatility, MaxVolatility)
	number("Tau", &o.Tau, 0.5, 0.01, 2)
	number("Tolerance", &o.Tolerance, 1e-6, 0x1p-1000, 0.1)
	if o.MaxIterations == 0 {
		o.MaxIterations = 100
	}
	if o.MaxIterations < 1 || o.MaxIterations > 10_000 {
		bad("MaxIterations")
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return &Glicko2{o}, nil
}

// Start is a player without games.
func (g *Glicko2) Start() Glicko2Rating {
	return Glicko2Rating{g.o.Start, g.o.Deviation, g.o.Volatility}
}

// Idle gives a rating after a number of periods, at least 0, without games: the
// deviation grows by the volatility. The error wraps ErrInput.
func (g *Glicko2) Idle(p Glicko2Rating, periods int) (Glicko2Rating, error) {
	if err := errors.Join(p.validate(), checkPeriods(periods)); err != nil {
		return p, err
	}
	return g.idle(p, periods), nil
}

func (g *Glicko2) idle(p Glicko2Rating, periods int) Glicko2Rating {
	phi := p.Deviation / GlickoScale
	grown := float64(phi*phi) + float64(float64(p.Volatility*p.Volatility)*float64(periods))
	p.Deviation = max(p.Deviation, min(float64(math.Sqrt(grown)*GlickoScale), g.o.Deviation))
	return p
}

// Rate gives a rating after one period's results, steps 2 to 8 of the paper,
// the period's growth included: Idle is for periods without games alone, and
// what Rate does without results. The order of the results does not matter. The
// error wraps ErrInput.
func (g *Glicko2) Rate(p Glicko2Rating, results []GlickoResult) (Glicko2Rating, error) {
	if err := p.validate(); err != nil {
		return p, err
	}
	if err := checkResults(results); err != nil {
		return p, err
	}
	if len(results) == 0 {
		return g.idle(p, 1), nil
	}
	gain, info := 0.0, 0.0
	for _, r := range order(results) {
		w := glicko2Weight(r.Deviation / GlickoScale)
		e := boundedLogistic(w * ((p.Rating - r.Rating) / GlickoScale))
		gain += float64(w * (r.Score - e))
		info += float64(float64(w*w) * float64(e*(1-e)))
	}
	phi, v := p.Deviation/GlickoScale, 1/info
	delta := float64(v * gain)
	vol, _ := g.volatility(p.Volatility, delta, float64(phi*phi), v)
	grown := float64(phi*phi) + float64(vol*vol)
	variance := 1 / (1/grown + info)
	p.Rating = bounded(p.Rating + float64(GlickoScale*float64(variance*gain)))
	p.Deviation = min(max(float64(math.Sqrt(variance)*GlickoScale), MinDeviation), max(p.Deviation, g.o.Deviation))
	p.Volatility = vol
	return p, nil
}

// glicko2Weight is g(phi).
func glicko2Weight(phi float64) float64 {
	x := phi / math.Pi
	return 1 / math.Sqrt(1+float64(3*float64(x*x)))
}

// volatility is step 5 of the paper: it finds the root of f by the Illinois
// way of regula falsi, and says in how many iterations. Those are bounded, and
// they end too where the next point would be the last one again, which is what
// happens when the tolerance is finer than a float64.
func (g *Glicko2) volatility(vol, delta, phi2, v float64) (sigma float64, iterations int) {
	variance := float64(vol * vol)
	a := log(variance)
	tau2 := float64(g.o.Tau * g.o.Tau)
	excess, base := float64(delta*delta)-phi2-v, phi2+v
	f := func(x, ex float64) float64 { // ex is exp(x)
		sum := base + ex
		return float64(ex*(excess-ex))/float64(2*float64(sum*sum)) - (x-a)/tau2
	}
	low, high := a, 0.0
	fl, fh := f(a, variance), 0.0
	if excess > 0 {
		high = log(excess)
		fh = f(high, excess)
	} else {
		// At most Tau/2 + 1 steps, for f is above -1/2 - (x-a)/Tau^2.
		for high = a - g.o.Tau; ; high -= g.o.Tau {
			if fh = f(high, exp(high)); fh >= 0 {
				break
			}
		}
	}
	for math.Abs(high-low) > g.o.Tolerance {
		c := low + float64((low-high)*fl)/(fh-fl)
		if iterations == g.o.MaxIterations || c == high || fh == fl {
			low = high // the last point is the best one
			break
		}
		iterations++
		fc := f(c, exp(c))
		if float64(fc*fh) <= 0 {
			low, fl = high, fh
		} else {
			fl /= 2
		}
		high, fh = c, fc
	}
	return max(MinVolatility, min(MaxVolatility, exp(low/2))), iterations
}

// Expected is the share of the points that a is expected to take from b, both
// deviations considered as Glicko-1 does, in [0, 1]. The error wraps ErrInput.
func (g *Glicko2) Expected(a, b Glicko2Rating) (float64, error) {
	if err := errors.Join(checkGlicko("a", a.Rating, a.Deviation), checkGlicko("b", b.Rating, b.Deviation)); err != nil {
		return 0, err
	}
	w := glicko2Weight(math.Sqrt(float64(a.Deviation*a.Deviation)+float64(b.Deviation*b.Deviation)) / GlickoScale)
	return boundedLogistic(w * ((a.Rating - b.Rating) / GlickoScale)), nil
}

// Period changes a table of ratings by one rating period: Rate for who played,
// Idle for who did not; players who are not in the table enter as by Start.
// Games must be between two players, and their order does not matter. On an
// error, which wraps ErrVoid, ErrGame or ErrInput, the table is as it was.
func (g *Glicko2) Period(table map[string]Glicko2Rating, games []Game) error {
	return glickoPeriod(table, games, glickoSteps[Glicko2Rating]{
		start: g.Start(),
		check: func(p Glicko2Rating) error { return p.validate() },
		seen:  func(p Glicko2Rating) GlickoResult { return GlickoResult{Rating: p.Rating, Deviation: p.Deviation} },
		idle:  func(p Glicko2Rating) Glicko2Rating { return g.idle(p, 1) },
		rate:  g.Rate,
	})
}
