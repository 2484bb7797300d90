package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func newSPRT(t interface{ Fatal(...any) }, c SPRTOptions) *SPRT {
	s, err := NewSPRT(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSPRTOptions(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		config SPRTOptions
		fields []string
	}{
		{SPRTOptions{}, nil},
		{SPRTOptions{Elo0: -3, Elo1: 1, Alpha: 0.01, Beta: 0.2, Sampling: Trinomial, Scale: LogisticElo, Max: 7}, nil},
		{SPRTOptions{Elo0: 5, Elo1: 5}, []string{"Elo1"}},
		{SPRTOptions{Elo0: nan, Elo1: nan, Alpha: nan, Beta: nan}, []string{"Elo0", "Elo1", "Elo1", "Alpha", "Beta"}},
		{SPRTOptions{Elo0: -401, Elo1: 401, Alpha: 0.5, Beta: -1, Sampling: 2, Scale: 2, Max: -1}, []string{"Elo0", "Elo1", "Alpha", "Beta", "Sampling", "Scale", "Max"}},
	} {
		_, err := NewSPRT(c.config)
		if len(c.fields) == 0 {
			if err != nil {
				t.Errorf("%+v: %v", c.config, err)
			}
			continue
		}
		if !errors.Is(err, ErrSPRT) {
			t.Errorf("%+v: %v", c.config, err)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.fields) {
			t.Errorf("%+v: %d errors, want %d: %v", c.config, len(lines), len(c.fields), err)
			continue
		}
		for i, f := range c.fields {
			if !strings.Contains(lines[i], f) {
				t.Errorf("error %q does not name %s", lines[i], f)
			}
		}
	}
}

func TestSPRTVerdicts(t *testing.T) {
	play := func(c SPRTOptions, results ...int) SPRTState {
		s := newSPRT(t, c)
		for i := range 100000 {
			state, err := s.Put(i, results[i%len(results)])
			if err != nil {
				t.Fatal(err)
			}
			if state.Verdict != Continue {
				return state
			}
		}
		return s.State()
	}
	for _, c := range []struct {
		name    string
		config  SPRTOptions
		results []int
		want    Verdict
	}{
		{"always won", SPRTOptions{}, []int{4}, AcceptH1},
		{"always lost", SPRTOptions{}, []int{0}, AcceptH0},
		{"mostly won", SPRTOptions{}, []int{2, 2, 3, 2, 3, 1}, AcceptH1},
		{"equal", SPRTOptions{Elo0: 0, Elo1: 20}, []int{2, 3, 1, 4, 0}, AcceptH0},
		{"between the hypotheses", SPRTOptions{Elo0: -10, Elo1: 10}, []int{2, 3, 1, 4, 0}, Continue},
		{"ended", SPRTOptions{Elo0: -10, Elo1: 10, Max: 40}, []int{2, 3, 1, 4, 0, Unusable}, Exhausted},
		{"games won", SPRTOptions{Sampling: Trinomial, Scale: LogisticElo, Elo1: 100}, []int{2, 1, 2}, AcceptH1},
	} {
		state := play(c.config, c.results...)
		if state.Verdict != c.want {
			t.Errorf("%s: %v, want %v: %+v", c.name, state.Verdict, c.want, state)
		}
		if up, down := state.LLR >= state.Upper, state.LLR <= state.Lower; up != (c.want == AcceptH1) || down != (c.want == AcceptH0) {
			t.Errorf("%s: %v with %v between %v and %v", c.name, state.Verdict, state.LLR, state.Lower, state.Upper)
		}
		if c.want == Exhausted && (state.N != 40 || state.Unusable != 7) {
			t.Errorf("%s: %+v", c.name, state)
		}
	}
}

func TestVerdictString(t *testing.T) {
	for v, want := range map[Verdict]string{Continue: "continue", AcceptH0: "H0", AcceptH1: "H1", Exhausted: "exhausted", 9: "verdict 9"} {
		if got := v.String(); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}

// TestSPRTOrder puts the same results in any order: what counts is the schedule.
func TestSPRTOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := SPRTOptions{Elo0: 0, Elo1: rapid.Float64Range(1, 200).Draw(t, "elo")}
		results := rapid.SliceOfN(rapid.IntRange(Unusable, 4), 1, 200).Draw(t, "results")
		ordered, shuffled := newSPRT(t, c), newSPRT(t, c)
		for i, r := range results {
			if _, err := ordered.Put(i, r); err != nil {
				t.Fatal(err)
			}
		}
		order := make([]int, len(results))
		for i := range order {
			order[i] = i
		}
		seen := map[int]bool{}
		for _, i := range rapid.Permutation(order).Draw(t, "order") {
			before := shuffled.State()
			state, err := shuffled.Put(i, results[i])
			if err != nil {
				t.Fatal(err)
			}
			if state.Verdict == Continue && state.N+state.Unusable+state.Held != before.N+before.Unusable+before.Held+1 {
				t.Fatalf("a result went missing: %+v, then %+v", before, state)
			}
			if seen[i] = true; before.Verdict != Continue && state.Late != before.Late+1 {
				t.Fatalf("a late result is not counted: %+v", state)
			}
		}
		if d := cmp.Diff(ordered.State(), shuffled.State()); d != "" {
			t.Fatal(d)
		}
		if s := shuffled.State(); s.N+s.Unusable+s.Held+s.Late != len(results) {
			t.Fatalf("of %d results: %+v", len(results), s)
		}
	})
}

// TestSPRTZeroValue: a test without bounds would accept H1 at once.
func TestSPRTZeroValue(t *testing.T) {
	var s SPRT
	if state, err := s.Put(0, 2); !errors.Is(err, ErrSPRT) || state.Verdict != Continue || state.N != 0 {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestSPRTHeldIsLate: what was held when the verdict fell came too late.
func TestSPRTHeldIsLate(t *testing.T) {
	s := newSPRT(t, SPRTOptions{Elo1: 100})
	const n = 200
	for i := n - 1; i > 0; i-- {
		if state, err := s.Put(i, 4); err != nil || state.Held != n-i || state.N != 0 {
			t.Fatalf("%+v, %v", state, err)
		}
	}
	state, err := s.Put(0, 4)
	if err != nil || state.Verdict != AcceptH1 || state.N >= n || state.Held != 0 || state.Late != n-state.N || state.Counts[4] != state.N {
		t.Errorf("%+v, %v", state, err)
	}
}

func TestSPRTRefusals(t *testing.T) {
	s := newSPRT(t, SPRTOptions{})
	for _, put := range [][2]int{{0, 2}, {2, 3}} {
		if _, err := s.Put(put[0], put[1]); err != nil {
			t.Fatal(err)
		}
	}
	before := s.State()
	for name, put := range map[string][2]int{
		"counted before": {0, 2}, "held before": {2, 3}, "half points": {1, 5}, "negative": {1, -2}, "before the schedule": {-1, 2},
		"ahead": {1 + MaxSPRTAhead, 2}, "beyond": {MaxSPRTCount, 2},
	} {
		state, err := s.Put(put[0], put[1])
		if !errors.Is(err, ErrSPRT) {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(before, state); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for name, counts := range map[string][]int{"three": {1, 2, 3}, "negative": {1, 2, 3, 4, -1}, "none": {0, 0, 0, 0, 0}, "many": {MaxSPRTCount, 1, 0, 0, 0}} {
		if _, err := (SPRTOptions{}).LLR(counts); !errors.Is(err, ErrSPRT) {
			t.Errorf("LLR of %s: %v", name, err)
		}
	}
	for _, counts := range [][]int{{1, 2}, {0, 0, 0}, {1, -1, 1}, {1, 2, 3, 4}} {
		if _, err := FixedLength(counts, 0.95); !errors.Is(err, ErrSPRT) {
			t.Errorf("fixed length of %v: %v", counts, err)
		}
	}
	if _, err := FixedLength([]int{1, 2}, 0.95); err == nil || !strings.Contains(err.Error(), "2 counts, neither 3 nor 5") {
		t.Errorf("two counts: %v", err)
	}
	if _, err := FixedLength([]int{1, 2, 3}, 0); !errors.Is(err, ErrSPRT) {
		t.Errorf("confidence 0: %v", err)
	}
	if _, err := s.Estimate(1); !errors.Is(err, ErrSPRT) {
		t.Errorf("confidence 1: %v", err)
	}
	if _, err := newSPRT(t, SPRTOptions{}).Estimate(0.95); !errors.Is(err, ErrSPRT) {
		t.Errorf("estimate of nothing: %v", err)
	}
	for _, shares := range [][]float64{{1, 2, 1}, {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {1, -1, 0, 0, 1}, {math.NaN(), 1, 1, 1, 1}} {
		if _, err := (SPRTOptions{}).Plan(0, shares); !errors.Is(err, ErrSPRT) {
			t.Errorf("plan with shares %v: %v", shares, err)
		}
		if _, err := (SPRTOptions{}).FixedPlan(5, shares); !errors.Is(err, ErrSPRT) {
			t.Errorf("fixed plan with shares %v: %v", shares, err)
		}
	}
}

// TestSPRTExactMLE compares with a search that knows nothing of tangents: among all distributions over three scores with the ratio, or over
// five with the ratio and a given mean by a dual of two multipliers, the likeliest.
func TestSPRTExactMLE(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 3000), 3, 3).Draw(t, "counts")
		elo := rapid.Float64Range(-400, 400).Draw(t, "elo")
		o := newOutcomes(counts)
		x := elo / normalizedScale
		factors, ok := o.withRatio(x)
		if !ok {
			t.Fatal("no distribution")
		}
		if x == 0 {
			return
		}
		// With the mean 1/2 + h the ratio fixes the second moment h^2 (1 + 1/x^2), and so all three shares.
		best := math.Inf(1)
		for i := 1; i < 20000; i++ {
			h := math.Copysign(float64(i)/40000, x)
			second := h * h * (1 + 1/(x*x))
			p := [3]float64{2*second - h, 1 - 4*second, 2*second + h}
			if min(p[0], p[1], p[2]) <= 0 {
				continue
			}
			loss := 0.0
			for k := range p {
				loss += o.total * o.p[k] * math.Log(o.p[k]/p[k])
			}
			best = min(best, loss)
		}
		if got := o.logLoss(&factors); got > best+1e-9*(1+best) {
			t.Fatalf("a likelier distribution exists: loss %v, not %v", best, got)
		}
	})
}

func TestSPRTExactMLEPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{3, 50, 3000}).Draw(t, "size")
		counts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int {
			return rapid.IntRange(0, size).Draw(t, "n") * rapid.IntRange(0, 1).Draw(t, "some")
		}), 5, 5).Draw(t, "counts")
		o := newOutcomes(counts)
		x := rapid.Float64Range(-200, 200).Draw(t, "elo") * math.Sqrt2 / normalizedScale
		factors, ok := o.withRatio(x)
		if !ok {
			t.Fatal("no distribution")
		}
		var p [5]float64
		for i := range p {
			p[i] = o.p[i] / factors[i]
		}
		mean, variance := moments(&p, 5)
		if total := sum(p[:]); !near(total, 1, 1e-7) || !near((mean-0.5)/math.Sqrt(variance), x, 1e-7) {
			t.Fatalf("the distribution %v of sum %v has the ratio %v, want %v", p, total, (mean-0.5)/math.Sqrt(variance), x)
		}
		// No distribution with the ratio that is made by moving a little from three scores to the others is likelier.
		loss := o.logLoss(&factors)
		r := rand.New(rand.NewPCG(1, uint64(size)))
		for range 200 {
			q := p
			for i := range q {
				q[i] *= math.Exp(r.NormFloat64() * 0.3)
			}
			if !onRatio(&q, x) {
				continue
			}
			other := 0.0
			for i := range q {
				other += o.total * o.p[i] * math.Log(o.p[i]/q[i])
			}
			if other < loss-1e-4*(1+loss) {
				t.Fatalf("%v is likelier than %v: loss %v, not %v", q, p, other, loss)
			}
		}
	})
}

// TestSPRTAllRoots looks for the likeliest distribution at every root of a fine grid, in data as lopsided and as full of draws as can be.
func TestSPRTAllRoots(t *testing.T) {
	// In these the first root is not the best one.
	for _, c := range []struct {
		counts []int
		elo    float64
	}{
		{[]int{1, 13, 213, 0, 0}, 166}, {[]int{0, 0, 8026, 11, 0}, 46}, {[]int{0, 156, 1959, 0, 0}, 273}, {[]int{2028, 3, 29395, 186, 0}, 277},
	} {
		compareRoots(t, c.counts, c.elo)
	}
	rapid.Check(t, func(t *rapid.T) {
		counts := make([]int, rapid.SampledFrom([]int{3, 5, 5}).Draw(t, "scores"))
		for i := range counts {
			if rapid.IntRange(0, 2).Draw(t, "some") > 0 {
				counts[i] = int(math.Exp(rapid.Float64Range(0, 12).Draw(t, "log count")))
			}
		}
		compareRoots(t, counts, rapid.Float64Range(0.5, 300).Draw(t, "elo"))
	})
}

// compareRoots looks for a better root than the one that withRatio finds.
func compareRoots(t interface{ Fatalf(string, ...any) }, counts []int, elo float64) {
	o := newOutcomes(counts)
	x := elo * math.Sqrt2 / normalizedScale
	factors, ok := o.withRatio(x)
	if !ok {
		t.Fatalf("%v at ratio %v: no distribution", counts, x)
	}
	loss := o.logLoss(&factors)
	r := newRatio(&o, x)
	const points = 3000
	last, above := r.left, true
	for k := 1; k <= points; k++ {
		h := r.left * math.Exp(math.Log(r.right/r.left)*float64(k)/(points+1))
		e, _, ok := r.tangent(h)
		if !ok {
			t.Fatalf("no distribution on the tangent at %v", h)
		}
		if above && e <= 0 {
			f, ok := r.root(last, h, (last+h)/2)
			if other := o.logLoss(&f); ok && other < loss-1e-5*(1+loss) {
				t.Fatalf("%v at ratio %v: the root at %v has the loss %v, not %v", counts, x, h, other, loss)
			}
		}
		last, above = h, e > 0
	}
}

// onRatio tilts q by exp(y d) until it has the ratio.
func onRatio(q *[5]float64, x float64) bool {
	at := func(y float64) ([5]float64, float64) {
		var p [5]float64
		total := 0.0
		for i := range p {
			p[i] = q[i] * math.Exp(y*(score(i, 5)-0.5))
			total += p[i]
		}
		for i := range p {
			p[i] /= total
		}
		m, v := moments(&p, 5)
		return p, (m-0.5)/math.Sqrt(v) - x
	}
	lo, hi := -60.0, 60.0
	if _, e := at(lo); e > 0 {
		return false
	}
	if _, e := at(hi); e < 0 {
		return false
	}
	for range 200 {
		mid := (lo + hi) / 2
		if _, e := at(mid); e < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	p, e := at(lo)
	*q = p
	return math.Abs(e) < 1e-9
}

// TestSPRTSymmetry exchanges the contestants.
func TestSPRTSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{3, 5}).Draw(t, "scores")
		counts := rapid.SliceOfN(rapid.IntRange(0, 1000), n, n).Draw(t, "counts")
		if counts[0] == 0 {
			counts[0] = 1
		}
		elo := [2]float64{rapid.Float64Range(-50, 0).Draw(t, "elo0"), rapid.Float64Range(1, 50).Draw(t, "elo1")}
		model := rapid.SampledFrom([]string{"normalized", "logistic"}).Draw(t, "model")
		back := make([]int, n)
		for i := range counts {
			back[n-1-i] = counts[i]
		}
		there := sprtConfig(model, elo, [2]float64{0.05, 0.05}, n)
		here := sprtConfig(model, [2]float64{-elo[1], -elo[0]}, [2]float64{0.05, 0.05}, n)
		a, err := there.LLR(counts)
		if err != nil {
			t.Fatal(err)
		}
		b, err := here.LLR(back)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a+b) > 1e-7*(1+math.Abs(a)) {
			t.Fatalf("%v one way, %v the other", a, b)
		}
		e, err := there.estimate(counts, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{a, e.Elo, e.Interval.Low, e.Interval.High, e.Normalized, e.NormalizedInterval.Low, e.NormalizedInterval.High, e.LOS} {
			if !finite(x) {
				t.Fatalf("%v, %+v", a, e)
			}
		}
		if !(e.Interval.Low <= e.Elo && e.Elo <= e.Interval.High && e.LOS >= 0 && e.LOS <= 1) {
			t.Fatalf("%+v", e)
		}
	})
}

// TestBrownianAgainstWalk compares the outcome's distribution with that of a simple random walk with small steps.
func TestBrownianAgainstWalk(t *testing.T) {
	for _, c := range []struct{ lower, upper, drift, y, time float64 }{
		{-2, 3, 0, 1, 5}, {-2, 3, 0.4, 3, 4}, {-2, 3, -0.7, -2, 2}, {-3, 3, 0.2, 0, 1}, {-1, 4, 1, 4, 3},
	} {
		const n = 40 // steps a unit; a step each 1/n^2 of time
		lower, upper, y := int(c.lower*n), int(c.upper*n), int(c.y*n)
		up := 0.5 + c.drift/n/2
		at := make([]float64, upper-lower+1)
		at[-lower] = 1
		below := 0.0
		for range int(c.time * n * n) {
			next := make([]float64, len(at))
			for i := 1; i < len(at)-1; i++ {
				next[i+1] += at[i] * up
				next[i-1] += at[i] * (1 - up)
			}
			below += next[0]
			next[0], next[len(next)-1] = 0, 0
			at = next
		}
		for i := range at {
			if i+lower < y {
				below += at[i]
			}
			if i+lower == y {
				below += at[i] / 2
			}
		}
		b := brownian{c.lower, c.upper, c.drift, 1}
		if got := b.before(c.time, c.y); math.Abs(got-below) > 2e-3 {
			t.Errorf("%+v: %v, by the walk %v", c, got, below)
		}
	}
}

func TestFixedLength(t *testing.T) {
	// 10 of 10 lost has no infinite Elo and no undefined error.
	for _, counts := range [][]int{{10, 0, 0}, {0, 0, 10}, {0, 10, 0}, {0, 0, 0, 0, 5}, {1, 0, 0, 0, 0}} {
		f, err := FixedLength(counts, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{f.Score, f.Error, f.Elo, f.Interval.Low, f.Interval.High, f.Normalized, f.NormalizedInterval.Low, f.NormalizedInterval.High, f.LOS} {
			if !finite(x) {
				t.Errorf("%v: %+v", counts, f)
			}
		}
		if !(f.Error > 0) || !f.Interval.Contains(f.Elo) {
			t.Errorf("%v: %+v", counts, f)
		}
	}
	f, err := FixedLength([]int{20, 40, 40}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// Mean 0.6, variance 0.2 0.36 + 0.4 0.01 + 0.4 0.16 = 0.14, error 0.0374; Elo 400 log10(1.5).
	if !near(f.Score, 0.6, 1e-12) || !near(f.Error, math.Sqrt(0.0014), 1e-12) || !near(f.Elo, 400*math.Log10(1.5), 1e-9) {
		t.Errorf("%+v", f)
	}
	if want := 0.5 * math.Erfc(-0.1/math.Sqrt(0.0014)/math.Sqrt2); !near(f.LOS, want, 1e-12) {
		t.Errorf("LOS %v, want %v", f.LOS, want)
	}
	// Pairs that the first seat always wins are no evidence of a difference, and no noise either.
	pairs, err := FixedLength([]int{0, 0, 100, 0, 0}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	games, err := FixedLength([]int{100, 0, 100}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if pairs.Error > games.Error/100 {
		t.Errorf("error of pairs %v, of the same games %v", pairs.Error, games.Error)
	}
}

func BenchmarkGSPRT(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	results := make([]int, 1<<14)
	for i := range results {
		results[i] = [...]int{0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4}[r.IntN(17)]
	}
	s := newSPRT(b, SPRTOptions{Elo0: -2, Elo1: 2})
	i := 0
	for b.Loop() {
		state, err := s.Put(i, results[i%len(results)])
		if err != nil {
			b.Fatal(err)
		}
		if i++; state.Verdict != Continue || i == len(results) {
			s, i = newSPRT(b, SPRTOptions{Elo0: -2, Elo1: 2}), 0
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N), "us/update")
}
