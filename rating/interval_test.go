package rating

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestBinomialVectors(t *testing.T) {
	v := vectors[struct {
		Cases []struct {
			Wins, N          int
			Clopper_Pearson  [2]float64
			Wilson, Jeffreys [2]float64
			P                float64
		}
	}](t, "binomial_ci.json")
	if len(v.Cases) < 6 {
		t.Fatalf("%d cases", len(v.Cases))
	}
	for _, c := range v.Cases {
		exact, err := ClopperPearson(c.Wins, c.N, 0.95)
		if err != nil || !near(exact.Low, c.Clopper_Pearson[0], 1e-12) || !near(exact.High, c.Clopper_Pearson[1], 1e-12) {
			t.Errorf("%d of %d: Clopper-Pearson %v, %v, want %v", c.Wins, c.N, exact, err, c.Clopper_Pearson)
		}
		wilson, err := Wilson(c.Wins, c.N, 0.95)
		if err != nil || !near(wilson.Low, c.Wilson[0], 1e-13) || !near(wilson.High, c.Wilson[1], 1e-13) {
			t.Errorf("%d of %d: Wilson %v, %v, want %v", c.Wins, c.N, wilson, err, c.Wilson)
		}
		w, n := float64(c.Wins), float64(c.N)
		for k, p := range [2]float64{0.025, 0.975} { // the same quantiles elsewhere
			if got := betaQuantile(w+0.5, n-w+0.5, p); !near(got, c.Jeffreys[k], 1e-12) {
				t.Errorf("%d of %d: beta quantile %v, want %v", c.Wins, c.N, got, c.Jeffreys[k])
			}
		}
		if got := signTest(c.Wins, c.N-c.Wins); !near(got, c.P, 1e-12) {
			t.Errorf("%d of %d: p %v, want %v", c.Wins, c.N, got, c.P)
		}
	}
}

// TestClopperPearsonCovers sums the binomial distribution: the interval holds the share at least as often as it says.
func TestClopperPearsonCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		p := rapid.Float64Range(0.001, 0.999).Draw(t, "p")
		confidence := rapid.Float64Range(0.5, 0.99).Draw(t, "confidence")
		covered := 0.0
		for k := range n + 1 {
			i, err := ClopperPearson(k, n, confidence)
			if err != nil {
				t.Fatal(err)
			}
			w, err := Wilson(k, n, confidence)
			if err != nil {
				t.Fatal(err)
			}
			if share := float64(k) / float64(n); !i.Contains(share) || !(w.Low >= 0 && w.Low <= share+1e-12 && w.High >= share-1e-12 && w.High <= 1) {
				t.Fatalf("%d of %d: %v, %v", k, n, i, w)
			}
			if i.Contains(p) {
				choose, _ := math.Lgamma(float64(n + 1))
				a, _ := math.Lgamma(float64(k + 1))
				b, _ := math.Lgamma(float64(n - k + 1))
				covered += math.Exp(choose - a - b + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
			}
		}
		if covered < confidence-1e-9 {
			t.Fatalf("covered with probability %v, not %v", covered, confidence)
		}
	})
}

// TestConfidenceNearOne: the largest confidence below 1 has finite intervals, and so has the smallest.
func TestConfidenceNearOne(t *testing.T) {
	for _, confidence := range []float64{math.Nextafter(1, 0), 1 - 1e-15, math.SmallestNonzeroFloat64} {
		wilson, err1 := Wilson(3, 10, confidence)
		exact, err2 := ClopperPearson(3, 10, confidence)
		fixed, err3 := FixedLength([]int{3, 2, 5}, confidence)
		s := newSPRT(t, SPRTOptions{})
		if _, err := s.Put(0, 3); err != nil {
			t.Fatal(err)
		}
		estimate, err4 := s.Estimate(confidence)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		difference := Difference{Elo: 10, Error: 20}.Interval(confidence)
		for name, i := range map[string]Interval{
			"Wilson": wilson, "Clopper-Pearson": exact, "fixed": fixed.Interval, "fixed, normalized": fixed.NormalizedInterval, "difference": difference,
			"estimate": estimate.Interval, "estimate, normalized": estimate.NormalizedInterval,
		} {
			if !finite(i.Low) || !finite(i.High) || i.Low > i.High {
				t.Errorf("%v: %s %v", confidence, name, i)
			}
		}
		if confidence > 0.5 && !(difference.Low < -120 && difference.High > 140 && wilson.Low < 0.02 && wilson.High > 0.9) {
			t.Errorf("%v: %v and %v are narrow", confidence, difference, wilson)
		}
	}
}

func TestBinomialRefusals(t *testing.T) {
	for _, c := range []struct {
		wins, n    int
		confidence float64
	}{{0, 0, 0.95}, {-1, 3, 0.95}, {4, 3, 0.95}, {1, 3, 0}, {1, 3, 1}, {1, 3, math.NaN()}} {
		if _, err := Wilson(c.wins, c.n, c.confidence); !errors.Is(err, ErrInterval) {
			t.Errorf("Wilson of %+v: %v", c, err)
		}
		if _, err := ClopperPearson(c.wins, c.n, c.confidence); !errors.Is(err, ErrInterval) {
			t.Errorf("Clopper-Pearson of %+v: %v", c, err)
		}
	}
}

// TestPriorInterval: what a prior holds in its place is as uncertain as the prior is, whatever the sandwich says.
func TestPriorInterval(t *testing.T) {
	games := []Game{Duel("a", "b", 1), Duel("a", "b", 1), Duel("c", "a", 0)}
	fit, err := BradleyTerry(games, BTOptions{NoSeat: true, Ridge: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	d, err := fit.Difference("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	i := d.Interval(0.95)
	if !d.Prior || d.Error >= d.ModelError/4 || i.High-i.Low < 3.9*d.ModelError {
		t.Errorf("%+v: %+v", d, i)
	}
	teams := []Game{Duel("a", "b", 1), Duel("b", "a", 1), Duel("a", "b", 0)}
	if fit, err = BradleyTerry(teams, BTOptions{NoSeat: true}); err != nil {
		t.Fatal(err)
	}
	if d, err = fit.Difference("a", "b"); err != nil || d.Prior {
		t.Errorf("%+v %v", d, err)
	}
}
