package rating

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

func TestReportsPerformance(t *testing.T) {
	t.Run("B99", func(t *testing.T) {
		tally := Tally{Wins: 3, Draws: 2, Losses: 1}
		if got := tally.Score(); got != 4.0/6 {
			t.Errorf("score %v, not 4/6", got)
		}
		opponents := []float64{1850, 1850, 1850, 1850, 1850, 1850}
		for method, want := range map[PerformanceMethod]float64{
			PerformanceLogistic: 1850 + 400*math.Log10(2), PerformanceFIDE: 1975, PerformanceLinear: 1850 + 400.0/3,
		} {
			p, err := PerformanceOf(method, opponents, tally.Points())
			if err != nil || !near(p.Rating, want, 1e-12) || p.Capped || p.Score != 4.0/6 || p.Games != 6 {
				t.Errorf("method %d: %+v, %v, not %v", method, p, err, want)
			}
		}
	})
	t.Run("B101", func(t *testing.T) {
		opponents := []float64{1900, 1800, 1850, 1850, 1850, 1850, 1850, 1850, 1850, 1850}
		for method, want := range map[PerformanceMethod]float64{PerformanceLogistic: 1000, PerformanceFIDE: 1050, PerformanceLinear: 1450} {
			p, err := PerformanceOf(method, opponents, Tally{Losses: 10}.Points())
			if err != nil || p.Rating != want || !p.Capped || p.Score != 0 {
				t.Errorf("method %d: %+v, %v, not %v and capped", method, p, err, want)
			}
			if b, err := json.Marshal(p); err != nil {
				t.Errorf("method %d: %s, %v", method, b, err)
			}
		}
	})
}

// TestPerformanceCapped: what the table cannot tell from a score of 1 is a bound
// too.
func TestPerformanceCapped(t *testing.T) {
	for _, c := range []struct {
		method PerformanceMethod
		points float64
		capped bool
	}{
		{PerformanceFIDE, 199.5, true}, {PerformanceFIDE, 199, true}, {PerformanceFIDE, 198.5, false}, {PerformanceFIDE, 0.5, true}, {PerformanceFIDE, 1, false},
		{PerformanceLogistic, 199.5, true}, {PerformanceLogistic, 198, false}, {PerformanceLinear, 199.5, false}, {PerformanceLinear, 200, true},
	} {
		p, err := PerformanceOf(c.method, make([]float64, 200), c.points)
		if err != nil || p.Capped != c.capped || math.Abs(p.Rating) > MaxPerformance || (p.Rating > 0) != (c.points > 100) {
			t.Errorf("method %d, %v of 200: %+v, %v", c.method, c.points, p, err)
		}
	}
}

func TestTallyWithoutGames(t *testing.T) {
	if got := (Tally{}).Score(); got != 0 {
		t.Error(got)
	}
}

func TestTallies(t *testing.T) {
	three := Game{Sides: []Side{{Players: []string{"a", "d"}, Score: 0.75}, {Players: []string{"b"}, Score: 0.75}, {Players: []string{"c"}, Rank: 2}}}
	games := []Game{Duel("a", "b", 1), Duel("b", "a", 0.5), three}
	got, err := Tallies(games)
	want := map[string]Tally{"a": {Wins: 2, Draws: 1}, "b": {Wins: 1, Draws: 1, Losses: 1}, "c": {Losses: 1}, "d": {Wins: 1}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%s, %v", diff, err)
	}
	if _, err := Tallies(append(games, Game{Cause: referee.CauseVoid})); !errors.Is(err, ErrVoid) || !strings.Contains(err.Error(), "game 3") {
		t.Errorf("a void: %v", err)
	}
}

func TestPerformanceRefuses(t *testing.T) {
	for name, f := range map[string]func() (Performance, error){
		"no opponents": func() (Performance, error) { return PerformanceOf(PerformanceLogistic, nil, 0) },
		"points":       func() (Performance, error) { return PerformanceOf(PerformanceFIDE, []float64{1500}, 1.5) },
		"NaN":          func() (Performance, error) { return PerformanceOf(PerformanceFIDE, []float64{1500}, math.NaN()) },
		"opponents[1]": func() (Performance, error) {
			return PerformanceOf(PerformanceLinear, []float64{1500, math.Inf(1)}, 1)
		},
		"method": func() (Performance, error) { return PerformanceOf(9, []float64{1500}, 1) },
	} {
		if p, err := f(); !errors.Is(err, ErrInput) || p != (Performance{}) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
}

// TestPerformance: the logistic performance is where expectation and points
// meet, it rises with the points, and the order of the opponents is no matter.
func TestPerformance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opponents := rapid.SliceOfN(rapid.Float64Range(500, 3000), 1, 20).Draw(t, "opponents")
		halves := rapid.IntRange(0, 2*len(opponents)).Draw(t, "halves")
		p, err := PerformanceOf(PerformanceLogistic, opponents, float64(halves)/2)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Capped {
			e := 0.0
			for _, o := range opponents {
				e += 1 / (1 + math.Pow(10, (o-p.Rating)/400))
			}
			if !near(e, float64(halves)/2, 1e-10) {
				t.Fatalf("at %v %v points are expected, not %v", p.Rating, e, float64(halves)/2)
			}
		}
		if halves > 0 {
			less, err := PerformanceOf(PerformanceLogistic, opponents, float64(halves-1)/2)
			if err != nil || less.Rating > p.Rating || (less.Rating == p.Rating && !(p.Capped && less.Capped)) {
				t.Fatalf("half a point less is %v, not less than %v (%v)", less.Rating, p.Rating, err)
			}
		}
		again, err := PerformanceOf(PerformanceLogistic, rapid.Permutation(opponents).Draw(t, "order"), float64(halves)/2)
		if err != nil || again != p {
			t.Fatalf("in another order %+v, not %+v (%v)", again, p, err)
		}
	})
}
