package rating

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"
)

// simGame is a game whose first seat has an advantage, in the BayesElo model: a draw is as wide as drawElo.
type simGame struct{ advantage, difference float64 }

const simDrawElo = 200

// outcome gives the probabilities of loss, draw and win of the first contestant in each seat.
func (g simGame) outcome(seat int) [3]float64 {
	d := g.difference + g.advantage
	if seat == 1 {
		d = g.difference - g.advantage
	}
	w, l := logistic((d-simDrawElo)/eloScale), logistic((-d-simDrawElo)/eloScale)
	return [3]float64{l, 1 - w - l, w}
}

// normalized is the difference on the normalized scale: of pairs, in which the seat's part is taken out.
func (g simGame) normalized() float64 {
	var p [5]float64
	a, b := g.outcome(0), g.outcome(1)
	for i := range a {
		for j := range b {
			p[i+j] += a[i] * b[j]
		}
	}
	m, v := moments(&p, 5)
	return (m - 0.5) / math.Sqrt(2*v) * normalizedScale
}

// withNormalized sets the difference to what is elo on the normalized scale.
func (g simGame) withNormalized(elo float64) simGame {
	lo, hi := -400.0, 400.0
	for range 60 {
		g.difference = (lo + hi) / 2
		if g.normalized() < elo {
			lo = g.difference
		} else {
			hi = g.difference
		}
	}
	return g
}

func (g simGame) play(r *rand.Rand, seat int) int {
	p := g.outcome(seat)
	switch u := r.Float64(); {
	case u < p[0]:
		return 0
	case u < p[0]+p[1]:
		return 1
	}
	return 2
}

// simRates runs tests of a game and gives how often H1 and H0 were accepted, and the mean number of games.
func simRates(t *testing.T, g simGame, s Sampling, runs int, seed uint64) (h1, h0 int, games float64) {
	verdicts, lengths := make([]Verdict, runs), make([]int, runs)
	parallel(runs, false, func(k int) {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		test := newSPRT(t, SPRTOptions{Sampling: s, Max: 60000})
		for i := 0; test.State().Verdict == Continue; i++ {
			a, b := g.play(r, 0), g.play(r, 1)
			if s == Pentanomial {
				if _, err := test.Put(i, a+b); err != nil {
					t.Error(err)
					return
				}
				continue
			}
			for j, x := range [2]int{a, b} {
				if _, err := test.Put(2*i+j, x); err != nil {
					t.Error(err)
					return
				}
			}
		}
		state := test.State()
		verdicts[k], lengths[k] = state.Verdict, state.N
		if s == Pentanomial {
			lengths[k] *= 2
		}
	})
	for k, v := range verdicts {
		switch v {
		case AcceptH1:
			h1++
		case AcceptH0:
			h0++
		}
		games += float64(lengths[k]) / float64(runs)
	}
	return h1, h0, games
}

// TestSPRTErrorRates plays tests with the promised errors of 5%, under both hypotheses, of games with and without an advantage of the
// first seat. By pairs the errors are those promised; by games they are not where there is an advantage, and the tests take longer.
func TestSPRTErrorRates(t *testing.T) {
	if testing.Short() {
		t.Skip("plays thousands of tests")
	}
	v := vectors[struct {
		Rows []struct {
			Advantage, Elo float64
			Sampling       string
			Accept, Games  float64
			Runs           int
		}
	}](t, "sprt_montecarlo.json")
	if len(v.Rows) != 12 {
		t.Fatalf("%d rows", len(v.Rows))
	}
	type key struct {
		advantage float64
		h1        bool
	}
	pairs := map[key]float64{} // mean number of games
	for n, row := range v.Rows {
		g, h1 := simGame{advantage: row.Advantage}, row.Elo > 0
		if h1 {
			g = g.withNormalized(10)
		}
		s, runs := Pentanomial, 400
		if row.Sampling == "tri" {
			s, runs = Trinomial, 150
		}
		up, down, games := simRates(t, g, s, runs, uint64(n))
		wrong := up
		if h1 {
			wrong = down
		}
		interval, err := ClopperPearson(wrong, runs, 0.999)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("advantage %v, H1 %v, %s: %d of %d wrong, %v games; the vector: accepted %v, %v games", row.Advantage, h1, row.Sampling, wrong, runs, math.Round(games), row.Accept, math.Round(row.Games))
		if s == Pentanomial || row.Advantage == 0 {
			if !interval.Contains(0.05) {
				t.Errorf("advantage %v, H1 %v, %s: %d of %d verdicts are wrong, %v", row.Advantage, h1, row.Sampling, wrong, runs, interval)
			}
			theirs := row.Accept
			if h1 {
				theirs = 1 - theirs
			}
			share := (float64(wrong) + theirs*float64(row.Runs)) / float64(runs+row.Runs)
			if sd := math.Sqrt(share * (1 - share) * (1/float64(runs) + 1/float64(row.Runs))); math.Abs(float64(wrong)/float64(runs)-theirs) > 4*sd {
				t.Errorf("advantage %v, H1 %v, %s: %d of %d verdicts are wrong, %v; the vector has %v", row.Advantage, h1, row.Sampling, wrong, runs, interval, theirs)
			}
		}
		// The length is a matter of the scale, not of the game.
		if row.Advantage == 0 && math.Abs(games/row.Games-1) > 0.15 {
			t.Errorf("H1 %v, %s: %v games, the vector %v", h1, row.Sampling, games, row.Games)
		}
		switch k := (key{row.Advantage, h1}); {
		case s == Pentanomial:
			pairs[k] = games
		case row.Advantage > 0 && !h1 && float64(wrong)/float64(runs) > 0.03:
			t.Errorf("advantage %v, by games: %d of %d verdicts are wrong; where the bias passes for noise they are fewer", row.Advantage, wrong, runs)
		case row.Advantage == 400 && h1 && games < 1.5*pairs[k]:
			t.Errorf("advantage %v, by games: %v games, by pairs %v", row.Advantage, games, pairs[k])
		}
	}
}

// running is a pair under way.
type running struct{ number, score, end int }

type byEnd []running

func (b byEnd) Len() int           { return len(b) }
func (b byEnd) Less(i, j int) bool { return b[i].end < b[j].end }
func (b byEnd) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *byEnd) Push(x any)        { *b = append(*b, x.(running)) }
func (b *byEnd) Pop() any {
	x := (*b)[len(*b)-1]
	*b = (*b)[:len(*b)-1]
	return x
}

// TestSPRTScheduleOrder plays equals, many pairs at once, where lost pairs take longer than won ones. Results that count as they arrive
// make tests accept H1 far more often than promised; by the schedule they do not.
func TestSPRTScheduleOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("plays thousands of tests")
	}
	v := vectors[struct {
		Order []struct {
			At_Once              int
			Completion, Schedule float64
		}
	}](t, "sprt_montecarlo.json")
	const runs = 200
	for _, row := range v.Order {
		if row.At_Once > 128 {
			continue
		}
		var wrong [2]int
		verdicts := make([][2]Verdict, runs)
		parallel(runs, false, func(k int) {
			r := rand.New(rand.NewPCG(77, uint64(k)))
			tests := [2]*SPRT{newSPRT(t, SPRTOptions{Max: 40000}), newSPRT(t, SPRTOptions{Max: 40000})}
			var active byEnd
			next, arrived := 0, 0
			start := func(now int) {
				score := simGame{}.play(r, 0) + simGame{}.play(r, 1)
				heap.Push(&active, running{next, score, now + 60 + r.IntN(40) + 150*(4-score)})
				next++
			}
			for range row.At_Once {
				start(0)
			}
			for tests[0].State().Verdict == Continue || tests[1].State().Verdict == Continue {
				p := heap.Pop(&active).(running)
				if _, err := tests[0].Put(p.number, p.score); err != nil {
					t.Error(err)
					return
				}
				if _, err := tests[1].Put(arrived, p.score); err != nil {
					t.Error(err)
					return
				}
				arrived++
				start(p.end)
			}
			verdicts[k] = [2]Verdict{tests[0].State().Verdict, tests[1].State().Verdict}
		})
		for _, pair := range verdicts {
			for i, verdict := range pair {
				if verdict == AcceptH1 {
					wrong[i]++
				}
			}
		}
		t.Logf("%d at once: by schedule %d, by arrival %d of %d are wrong; the vector has %v and %v", row.At_Once, wrong[0], wrong[1], runs, row.Schedule, row.Completion)
		interval, err := ClopperPearson(wrong[0], runs, 0.999)
		if err != nil {
			t.Fatal(err)
		}
		if !interval.Contains(0.05) || !interval.Contains(row.Schedule) {
			t.Errorf("%d at once, by the schedule: %d of %d wrong", row.At_Once, wrong[0], runs)
		}
		if row.At_Once == 128 && wrong[1] < runs/4 {
			t.Errorf("%d at once, as they arrive: %d of %d wrong, the vector has %v", row.At_Once, wrong[1], runs, row.Completion)
		}
		if row.At_Once == 1 && wrong[0] != wrong[1] {
			t.Errorf("one at a time: %d and %d", wrong[0], wrong[1])
		}
	}
}
