package rating

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

type glickoPlayer struct{ R, RD, Vol, Score float64 }

func toResults(players []glickoPlayer) (rs []GlickoResult) {
	for _, p := range players {
		rs = append(rs, GlickoResult{p.R, p.RD, p.Score})
	}
	return rs
}

func newGlicko1(t interface{ Fatal(...any) }, o Glicko1Options) *Glicko1 {
	g, err := NewGlicko1(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newGlicko2(t interface{ Fatal(...any) }, o Glicko2Options) *Glicko2 {
	g, err := NewGlicko2(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGlicko1Vectors(t *testing.T) {
	v := vectors[struct {
		Example struct {
			Player              glickoPlayer
			Opponents           []glickoPlayer
			Published, Computed struct {
				G, E  []float64
				R, RD float64
			}
		}
		Idle       []struct{ RD0, T, C, RD float64 }
		Prediction struct {
			A, B              [2]float64
			Printed, Computed float64
		}
		Games []struct {
			Player, Opponent [2]float64
			Score            float64
			Computed         struct{ R, RD float64 }
		}
		Q float64
	}](t, "glicko1.json")
	g := newGlicko1(t, Glicko1Options{})
	x := v.Example
	p, err := g.Rate(Glicko1Rating{x.Player.R, x.Player.RD}, toResults(x.Opponents))
	if err != nil || !near(p.Rating, x.Computed.R, 1e-13) || !near(p.Deviation, x.Computed.RD, 1e-13) {
		t.Errorf("%+v, %v, not %+v", p, err, x.Computed)
	}
	if math.Floor(p.Rating+0.5) != x.Published.R || math.Abs(p.Deviation-x.Published.RD) > 0.05 {
		t.Errorf("%+v is not what is printed: %+v", p, x.Published)
	}
	for i, o := range x.Opponents {
		w := glicko1Weight(o.RD)
		e := boundedLogistic(w * v.Q * (x.Player.R - o.R))
		if !near(w, x.Computed.G[i], 1e-14) || !near(e, x.Computed.E[i], 1e-14) || !near(w, x.Published.G[i], 5e-5) || !near(e, x.Published.E[i], 5e-4) {
			t.Errorf("opponent %d: g %v and E %v, not %v and %v", i, w, e, x.Computed.G[i], x.Computed.E[i])
		}
	}
	if len(v.Idle) == 0 || len(v.Games) == 0 {
		t.Fatal("cases are missing")
	}
	for _, c := range v.Idle {
		got, err := newGlicko1(t, Glicko1Options{Growth: c.C}).Idle(Glicko1Rating{1500, c.RD0}, int(c.T))
		if err != nil || got.Rating != 1500 || !near(got.Deviation, c.RD, 1e-13) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	e, err := g.Expected(Glicko1Rating{v.Prediction.A[0], v.Prediction.A[1]}, Glicko1Rating{v.Prediction.B[0], v.Prediction.B[1]})
	if err != nil || !near(e, v.Prediction.Computed, 1e-13) || !near(e, v.Prediction.Printed, 5e-4) {
		t.Errorf("prediction: %v, %v", e, err)
	}
	for _, c := range v.Games {
		got, err := g.Rate(Glicko1Rating{c.Player[0], c.Player[1]}, []GlickoResult{{c.Opponent[0], c.Opponent[1], c.Score}})
		if err != nil || !near(got.Rating, c.Computed.R, 1e-13) || !near(got.Deviation, c.Computed.RD, 1e-13) {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}

type glicko2Vectors struct {
	Tau, Scale float64
	Example    struct {
		Player    glickoPlayer
		Opponents []glickoPlayer
		Published struct {
			G, E          []float64
			Vol           float64
			PhiStar       float64 `json:"phi_star"`
			R, RD         float64
			V, Delta      float64
			MuJ           []float64 `json:"mu_j"`
			PhiJ          []float64 `json:"phi_j"`
			A             float64
			AFinal        float64 `json:"A_final"`
			PhiNew, MuNew float64
		}
		Coarse glickoPlayer `json:"computed_eps1e-6"`
		Fine   glickoPlayer `json:"computed_eps1e-14"`
		Trace  struct {
			Mu, Phi, V, Delta float64
			G, E              []float64
			Iterations        []struct{ A, B float64 }
		}
	}
	Idle struct{ Player, Computed glickoPlayer }
	More []struct {
		Player    [3]float64
		Opponents [][3]float64
		Tau       float64
		Result    glickoPlayer
	}
}

func sameGlicko2(p Glicko2Rating, want glickoPlayer, tolerance float64) bool {
	return near(p.Rating, want.R, tolerance) && near(p.Deviation, want.RD, tolerance) && math.Abs(p.Volatility-want.Vol) <= tolerance*want.Vol
}

func TestGlicko2Vectors(t *testing.T) {
	v := vectors[glicko2Vectors](t, "glicko2.json")
	x := v.Example
	if v.Scale != GlickoScale {
		t.Errorf("scale %v, not %v", GlickoScale, v.Scale)
	}
	player := Glicko2Rating{x.Player.R, x.Player.RD, x.Player.Vol}
	for _, c := range []struct {
		tolerance float64
		want      glickoPlayer
	}{{0, x.Coarse}, {1e-14, x.Fine}} {
		p, err := newGlicko2(t, Glicko2Options{Tau: v.Tau, Tolerance: c.tolerance}).Rate(player, toResults(x.Opponents))
		if err != nil || !sameGlicko2(p, c.want, 1e-13) {
			t.Errorf("tolerance %v: %+v, %v, not %+v", c.tolerance, p, err, c.want)
		}
		if math.Abs(p.Rating-x.Published.R) > 0.011 || math.Abs(p.Deviation-x.Published.RD) > 0.005 || math.Abs(p.Volatility-x.Published.Vol) > 0.5e-5+1e-6 {
			t.Errorf("tolerance %v: %+v is not what is printed: %+v", c.tolerance, p, x.Published)
		}
	}
	for i, o := range x.Opponents {
		w := glicko2Weight(o.RD / GlickoScale)
		e := boundedLogistic(w * (x.Player.R - o.R) / GlickoScale)
		if !near(w, x.Trace.G[i], 1e-14) || !near(e, x.Trace.E[i], 1e-14) || !near(w, x.Published.G[i], 5e-5) || !near(e, x.Published.E[i], 5e-4) {
			t.Errorf("opponent %d: g %v and E %v, not %v and %v", i, w, e, x.Trace.G[i], x.Trace.E[i])
		}
	}
	g := newGlicko2(t, Glicko2Options{})
	if _, n := g.volatility(x.Player.Vol, x.Trace.Delta, x.Trace.Phi*x.Trace.Phi, x.Trace.V); n != len(x.Trace.Iterations)-1 {
		t.Errorf("%d iterations, not %d", n, len(x.Trace.Iterations)-1)
	}
	idle := v.Idle
	if p, err := g.Idle(Glicko2Rating{idle.Player.R, idle.Player.RD, idle.Player.Vol}, 1); err != nil || !sameGlicko2(p, idle.Computed, 1e-14) {
		t.Errorf("idle: %+v, not %+v", p, idle.Computed)
	}
	if len(v.More) == 0 {
		t.Fatal("no further cases")
	}
	for i, c := range v.More {
		var rs []GlickoResult
		for _, o := range c.Opponents {
			rs = append(rs, GlickoResult{o[0], o[1], o[2]})
		}
		p, err := newGlicko2(t, Glicko2Options{Tau: c.Tau, Tolerance: 1e-14}).Rate(Glicko2Rating{c.Player[0], c.Player[1], c.Player[2]}, rs)
		// These were found to the finer tolerance.
		if err != nil || !sameGlicko2(p, c.Result, 1e-12) {
			t.Errorf("case %d: %+v, %v, not %+v", i, p, err, c.Result)
		}
	}
}

// TestReportsGlicko2 holds the row on the search that spins.
func TestReportsGlicko2(t *testing.T) {
	t.Run("B97", func(t *testing.T) {
		usual := newGlicko2(t, Glicko2Options{})
		for _, tolerance := range []float64{1e-15, 1e-300} {
			fine := newGlicko2(t, Glicko2Options{Tolerance: tolerance})
			for vol := 0.01; vol < 0.3; vol *= 1.1 {
				for delta := 0.0; delta < 50; delta = 1.5*delta + 0.1 {
					got, n := fine.volatility(vol, delta, 1.3, 1.7)
					want, _ := usual.volatility(vol, delta, 1.3, 1.7)
					if n > 40 || math.Abs(got/want-1) > 1e-6 {
						t.Fatalf("volatility %v, delta %v: %v after %d iterations, not %v", vol, delta, got, n, want)
					}
				}
			}
		}
		capped := newGlicko2(t, Glicko2Options{Tolerance: 1e-15, MaxIterations: 3})
		if got, n := capped.volatility(0.06, 40, 1.3, 1.7); n != 3 || !finite(got) {
			t.Errorf("%v after %d iterations, where 3 are allowed", got, n)
		}
	})
}

// naiveGlicko2 follows the paper's steps with functions of package math, but
// finds the volatility by halving.
func naiveGlicko2(p Glicko2Rating, results []GlickoResult, tau float64) Glicko2Rating {
	const scale = 173.7178
	mu, phi := (p.Rating-1500)/scale, p.Deviation/scale
	info, gain := 0.0, 0.0
	for _, r := range results {
		muj, phij := (r.Rating-1500)/scale, r.Deviation/scale
		g := 1 / math.Sqrt(1+3*phij*phij/math.Pi/math.Pi)
		e := 1 / (1 + math.Exp(-g*(mu-muj)))
		info += g * g * e * (1 - e)
		gain += g * (r.Score - e)
	}
	v := 1 / info
	delta := v * gain
	a := math.Log(p.Volatility * p.Volatility)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		return ex*(delta*delta-phi*phi-v-ex)/2/math.Pow(phi*phi+v+ex, 2) - (x-a)/tau/tau
	}
	low, high := a-100, a+100 // f falls from above 0 to below it
	for range 200 {
		if mid := (low + high) / 2; f(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	sigma := math.Exp(low / 2)
	star := math.Sqrt(phi*phi + sigma*sigma)
	phi = 1 / math.Sqrt(1/star/star+1/v)
	return Glicko2Rating{scale*(mu+phi*phi*gain) + 1500, scale * phi, sigma}
}

func drawResults(t *rapid.T, low, high float64) []GlickoResult {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) GlickoResult {
		return GlickoResult{rapid.Float64Range(low, high).Draw(t, "rating"), rapid.Float64Range(20, 350).Draw(t, "deviation"), rapid.SampledFrom([]float64{0, 0.5, 1, 0.3}).Draw(t, "score")}
	}), 1, 10).Draw(t, "results")
}

func TestGlicko2AgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tau := rapid.Float64Range(0.2, 1.2).Draw(t, "tau")
		g := newGlicko2(t, Glicko2Options{Tau: tau, Tolerance: 1e-12, Deviation: MaxDeviation})
		p := Glicko2Rating{rapid.Float64Range(800, 2500).Draw(t, "rating"), rapid.Float64Range(25, 350).Draw(t, "deviation"), rapid.Float64Range(0.02, 0.2).Draw(t, "volatility")}
		rs := drawResults(t, 800, 2500)
		got, err := g.Rate(p, rs)
		want := naiveGlicko2(p, rs, tau)
		if err != nil || !sameGlicko2(got, glickoPlayer{R: want.Rating, RD: want.Deviation, Vol: min(1, want.Volatility)}, 1e-9) && want.Volatility < 1 {
			t.Fatalf("%+v, %v, not %+v", got, err, want)
		}
		again, err := g.Rate(p, rapid.Permutation(rs).Draw(t, "order"))
		if err != nil || again != got {
			t.Fatalf("in another order %+v, not %+v (%v)", again, got, err)
		}
	})
}

// TestGlickoOrderOfResults holds bit for bit, also where results differ in
// nothing but the deviation or the score.
func TestGlickoOrderOfResults(t *testing.T) {
	one, two := newGlicko1(t, Glicko1Options{}), newGlicko2(t, Glicko2Options{})
	few := rapid.Custom(func(t *rapid.T) GlickoResult {
		return GlickoResult{
			rapid.SampledFrom([]float64{1400.1, 1500.3}).Draw(t, "rating"), rapid.SampledFrom([]float64{30.7, 55.5, 120.9, 349}).Draw(t, "deviation"),
			rapid.SampledFrom([]float64{0, 0.3, 0.5, 0.9, 1}).Draw(t, "score"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		rs := rapid.SliceOfN(few, 3, 12).Draw(t, "results")
		shuffled := rapid.Permutation(rs).Draw(t, "order")
		a1, err1 := one.Rate(Glicko1Rating{1450, 200}, rs)
		b1, err2 := one.Rate(Glicko1Rating{1450, 200}, shuffled)
		a2, err3 := two.Rate(Glicko2Rating{1450, 200, 0.06}, rs)
		b2, err4 := two.Rate(Glicko2Rating{1450, 200, 0.06}, shuffled)
		if err := errors.Join(err1, err2, err3, err4); err != nil || a1 != b1 || a2 != b2 {
			t.Fatalf("%v and %v, %v and %v, %v", a1, b1, a2, b2, err)
		}
	})
}

// TestGlickoShift: only differences of ratings count.
func TestGlickoShift(t *testing.T) {
	one, two := newGlicko1(t, Glicko1Options{}), newGlicko2(t, Glicko2Options{})
	rapid.Check(t, func(t *rapid.T) {
		rs := drawResults(t, 1000, 2000)
		p1 := Glicko1Rating{1500, rapid.Float64Range(30, 350).Draw(t, "deviation")}
		p2 := Glicko2Rating{1500, p1.Deviation, 0.06}
		a1, err1 := one.Rate(p1, rs)
		a2, err2 := two.Rate(p2, rs)
		d := float64(rapid.IntRange(-5000, 5000).Draw(t, "shift"))
		for i := range rs {
			rs[i].Rating += d
		}
		p1.Rating, p2.Rating = p1.Rating+d, p2.Rating+d
		b1, err3 := one.Rate(p1, rs)
		b2, err4 := two.Rate(p2, rs)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		if math.Abs(b1.Rating-d-a1.Rating) > 1e-9 || math.Abs(b1.Deviation-a1.Deviation) > 1e-9 {
			t.Fatalf("Glicko-1 by %v: %+v, then %+v", d, a1, b1)
		}
		if math.Abs(b2.Rating-d-a2.Rating) > 1e-8 || math.Abs(b2.Deviation-a2.Deviation) > 1e-8 {
			t.Fatalf("Glicko-2 by %v: %+v, then %+v", d, a2, b2)
		}
	})
}

// TestGlickoStaysInRange: whatever is allowed in comes out as something that is
// allowed in again.
func TestGlickoStaysInRange(t *testing.T) {
	one, two := newGlicko1(t, Glicko1Options{Deviation: MaxDeviation}), newGlicko2(t, Glicko2Options{Deviation: MaxDeviation, Tau: 2})
	deviation := rapid.OneOf(rapid.Float64Range(MinDeviation, MaxDeviation), rapid.SampledFrom([]float64{MinDeviation, MaxDeviation}))
	number := rapid.OneOf(rapid.Float64Range(-MaxRating, MaxRating), rapid.SampledFrom([]float64{-MaxRating, MaxRating, 1500}))
	rapid.Check(t, func(t *rapid.T) {
		p := Glicko2Rating{number.Draw(t, "rating"), deviation.Draw(t, "deviation"), rapid.SampledFrom([]float64{MinVolatility, 0.06, MaxVolatility}).Draw(t, "volatility")}
		rs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) GlickoResult {
			return GlickoResult{number.Draw(t, "opponent"), deviation.Draw(t, "its deviation"), rapid.Float64Range(0, 1).Draw(t, "score")}
		}), 0, 20).Draw(t, "results")
		for range 3 {
			a, err := one.Rate(Glicko1Rating{p.Rating, p.Deviation}, rs)
			if err != nil || checkGlicko("", a.Rating, a.Deviation) != nil {
				t.Fatalf("Glicko-1: %+v, %v", a, err)
			}
			if p, err = two.Rate(p, rs); err != nil || p.validate() != nil {
				t.Fatalf("Glicko-2: %+v, %v", p, err)
			}
		}
	})
}

// TestGlickoExpected: both systems expect the same, but for the printed scale,
// and 1 from both sides together.
func TestGlickoExpected(t *testing.T) {
	one, two := newGlicko1(t, Glicko1Options{}), newGlicko2(t, Glicko2Options{})
	for _, c := range []struct{ r, rd, r2, rd2 float64 }{{1400, 80, 1500, 150}, {2000, 30, 1200, 350}, {1500, 50, 1500, 50}, {0, 30, 9000, 30}} {
		e1, err1 := one.Expected(Glicko1Rating{c.r, c.rd}, Glicko1Rating{c.r2, c.rd2})
		e2, err2 := two.Expected(Glicko2Rating{c.r, c.rd, 0.06}, Glicko2Rating{c.r2, c.rd2, 0.06})
		back, err3 := two.Expected(Glicko2Rating{c.r2, c.rd2, 0.06}, Glicko2Rating{c.r, c.rd, 0.06})
		if err := errors.Join(err1, err2, err3); err != nil || math.Abs(e1-e2) > 1e-6 || math.Abs(e2+back-1) > 1e-15 || !(e1 > 0 && e1 < 1) {
			t.Errorf("%+v: %v, %v and %v, %v", c, e1, e2, back, err)
		}
	}
}

// TestGlickoBounds: deviations stay above the least and below the greatest that
// the options name, and a rating that comes from outside these bounds is moved
// no further out.
func TestGlickoBounds(t *testing.T) {
	one := newGlicko1(t, Glicko1Options{Least: 50})
	for _, c := range []struct{ before, after float64 }{{51, 50}, {50, 50}, {40, 40}} {
		p := Glicko1Rating{1500, c.before}
		for range 3 {
			var err error
			if p, err = one.Rate(p, []GlickoResult{{1500, 30, 1}, {1500, 30, 0}}); err != nil {
				t.Fatal(err)
			}
		}
		if p.Deviation != c.after {
			t.Errorf("from %v to %v, not %v", c.before, p.Deviation, c.after)
		}
	}
	two := newGlicko2(t, Glicko2Options{Deviation: 100})
	for _, c := range []struct{ before, after float64 }{{99, 100}, {120, 120}} {
		p, err := two.Rate(Glicko2Rating{1500, c.before, 0.5}, []GlickoResult{{9000, 30, 0}})
		if idle := two.idle(Glicko2Rating{1500, c.before, 0.5}, 9); err != nil || p.Deviation != c.after || idle.Deviation != c.after {
			t.Errorf("from %v to %v, or idle to %v, not %v (%v)", c.before, p.Deviation, idle.Deviation, c.after, err)
		}
	}
}

func TestGlickoPeriod(t *testing.T) {
	g1 := newGlicko1(t, Glicko1Options{})
	t1 := map[string]Glicko1Rating{"a": {1500, 200}, "idle": {1700, 50}, "b": {1400, 30}}
	games := []Game{Duel("a", "b", 1), Duel("new", "a", 0.5)}
	if err := g1.Period(t1, games); err != nil {
		t.Fatal(err)
	}
	grown := func(p Glicko1Rating) Glicko1Rating { return g1.idle(p, 1) }
	b := grown(Glicko1Rating{1400, 30})
	a, err := g1.Rate(grown(Glicko1Rating{1500, 200}), []GlickoResult{{b.Rating, b.Deviation, 1}, {1500, 350, 0.5}})
	if err != nil || t1["a"] != a {
		t.Errorf("a: %+v, not %+v (%v)", t1["a"], a, err)
	}
	if got := t1["idle"]; got != grown(Glicko1Rating{1700, 50}) || len(t1) != 4 {
		t.Errorf("idle: %+v of %d", got, len(t1))
	}

	g2 := newGlicko2(t, Glicko2Options{})
	t2 := map[string]Glicko2Rating{"a": {1500, 200, 0.06}, "idle": {1700, 50, 0.05}, "b": {1400, 30, 0.06}}
	if err := g2.Period(t2, games); err != nil {
		t.Fatal(err)
	}
	a2, err := g2.Rate(Glicko2Rating{1500, 200, 0.06}, []GlickoResult{{1400, 30, 1}, {1500, 350, 0.5}})
	if err != nil || t2["a"] != a2 {
		t.Errorf("a: %+v, not %+v (%v)", t2["a"], a2, err)
	}
	if got := t2["idle"]; got != g2.idle(Glicko2Rating{1700, 50, 0.05}, 1) || len(t2) != 4 {
		t.Errorf("idle: %+v of %d", got, len(t2))
	}
}

func TestGlickoPeriodOrder(t *testing.T) {
	g1, g2 := newGlicko1(t, Glicko1Options{}), newGlicko2(t, Glicko2Options{})
	rapid.Check(t, func(t *rapid.T) {
		games := drawGames(t, 2)
		one, again := map[string]Glicko2Rating{}, map[string]Glicko2Rating{}
		one1, again1 := map[string]Glicko1Rating{}, map[string]Glicko1Rating{}
		shuffled := rapid.Permutation(games).Draw(t, "order")
		err := errors.Join(g2.Period(one, games), g2.Period(again, shuffled), g1.Period(one1, games), g1.Period(again1, shuffled))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(one, again); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(one1, again1); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestGlickoRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		err  func() error
	}{
		{"Glicko1Options.Start", func() error { _, err := NewGlicko1(Glicko1Options{Start: nan}); return err }},
		{"Glicko1Options.Deviation", func() error { _, err := NewGlicko1(Glicko1Options{Deviation: -1}); return err }},
		{"Glicko1Options.Growth", func() error { _, err := NewGlicko1(Glicko1Options{Growth: nan}); return err }},
		{"Glicko1Options.Least", func() error { _, err := NewGlicko1(Glicko1Options{Least: 351}); return err }},
		{"Glicko2Options.Start", func() error { _, err := NewGlicko2(Glicko2Options{Start: inf}); return err }},
		{"Glicko2Options.Deviation", func() error { _, err := NewGlicko2(Glicko2Options{Deviation: nan}); return err }},
		{"Glicko2Options.Volatility", func() error { _, err := NewGlicko2(Glicko2Options{Volatility: 2}); return err }},
		{"Glicko2Options.Tau", func() error { _, err := NewGlicko2(Glicko2Options{Tau: -0.5}); return err }},
		{"Glicko2Options.Tolerance", func() error { _, err := NewGlicko2(Glicko2Options{Tolerance: nan}); return err }},
		{"Glicko2Options.MaxIterations", func() error { _, err := NewGlicko2(Glicko2Options{MaxIterations: -1}); return err }},
		{"player's Rating", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Rate(Glicko2Rating{nan, 50, 0.06}, nil)
			return err
		}},
		{"player's Volatility", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Rate(Glicko2Rating{1500, 50, inf}, nil)
			return err
		}},
		{"player's Deviation", func() error {
			_, err := newGlicko1(t, Glicko1Options{}).Rate(Glicko1Rating{1500, 0}, nil)
			return err
		}},
		{"results[1]: rating: input out of range: opponent's Deviation", func() error {
			_, err := newGlicko1(t, Glicko1Options{}).Rate(Glicko1Rating{1500, 50}, []GlickoResult{{1500, 50, 1}, {1500, nan, 1}})
			return err
		}},
		{"results[0]: rating: input out of range: score", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Rate(Glicko2Rating{1500, 50, 0.06}, []GlickoResult{{1500, 50, 1.5}})
			return err
		}},
		{"b's Deviation", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Expected(Glicko2Rating{1500, 50, 0.06}, Glicko2Rating{1500, -1, 0.06})
			return err
		}},
		{"a's Rating", func() error {
			_, err := newGlicko1(t, Glicko1Options{}).Expected(Glicko1Rating{inf, 50}, Glicko1Rating{1500, 1})
			return err
		}},
		{"player's Rating", func() error { _, err := newGlicko1(t, Glicko1Options{}).Idle(Glicko1Rating{nan, 50}, 1); return err }},
		{"player's Volatility", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Idle(Glicko2Rating{1500, 50, inf}, 1)
			return err
		}},
		{"periods", func() error { _, err := newGlicko1(t, Glicko1Options{}).Idle(Glicko1Rating{1500, 50}, -1); return err }},
		{"periods", func() error {
			_, err := newGlicko2(t, Glicko2Options{}).Idle(Glicko2Rating{1500, 50, 0.06}, -1)
			return err
		}},
		{`player "b"`, func() error {
			return newGlicko1(t, Glicko1Options{}).Period(map[string]Glicko1Rating{"a": {1500, 50}, "b": {1500, nan}, "c": {}}, nil)
		}},
	} {
		if err := c.err(); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	void := Duel("a", "b", 1)
	void.Cause = referee.CauseExpiry
	team := Game{Sides: []Side{{Players: []string{"a", "b"}, Score: 1}, {Players: []string{"c"}, Rank: 1}}}
	for _, c := range []struct {
		g  Game
		is error
	}{{void, ErrVoid}, {team, ErrGame}, {Game{}, ErrGame}} {
		table := map[string]Glicko2Rating{"z": {1500, 50, 0.06}}
		if err := newGlicko2(t, Glicko2Options{}).Period(table, []Game{Duel("a", "b", 1), c.g}); !errors.Is(err, c.is) || len(table) != 1 || table["z"].Deviation != 50 {
			t.Errorf("%v: %v, %v", c.is, err, table)
		}
	}
}

func BenchmarkGlicko2(b *testing.B) {
	g := newGlicko2(b, Glicko2Options{})
	players := []Glicko2Rating{{1500, 200, 0.06}, {1400, 30, 0.06}, {1550, 100, 0.05}, {1700, 300, 0.06}}
	results := make([]GlickoResult, 1)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p, o := players[i%4], players[(i+1+i/4%3)%4]
		results[0] = GlickoResult{o.Rating, o.Deviation, float64(i%3) / 2}
		if _, err := g.Rate(p, results); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}
