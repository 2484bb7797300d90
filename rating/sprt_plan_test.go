package rating

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// pairShares is how pairs of equals are spread where games are independent, with a share of draws.
func pairShares(draws float64) []float64 {
	game := [3]float64{(1 - draws) / 2, draws, (1 - draws) / 2}
	p := make([]float64, 5)
	for i := range game {
		for j := range game {
			p[i+j] += game[i] * game[j]
		}
	}
	return p
}

// TestSPRTPlanTable holds the table of docs/statistics.md: pairs by Elo for no draws and 30, 60 and 80%.
func TestSPRTPlanTable(t *testing.T) {
	draws := [4]float64{0, 0.3, 0.6, 0.8}
	for _, row := range []struct {
		elo               float64
		fixed, sequential [4]float64
	}{
		{2, [4]float64{163299, 114310, 65320, 32660}, [4]float64{79973, 55981, 31989, 15995}},
		{5, [4]float64{26131, 18292, 10453, 5227}, [4]float64{12797, 8958, 5119, 2559}},
		{10, [4]float64{6536, 4575, 2615, 1308}, [4]float64{3201, 2240, 1280, 640}},
		{20, [4]float64{1637, 1146, 655, 328}, [4]float64{801, 561, 321, 160}},
		{50, [4]float64{265, 186, 106, 53}, [4]float64{130, 91, 52, 26}},
		{100, [4]float64{69, 49, 28, 14}, [4]float64{34, 24, 14, 7}},
	} {
		c := SPRTOptions{Elo1: row.elo, Scale: LogisticElo}
		for k, d := range draws {
			fixed, err := c.FixedPlan(row.elo, pairShares(d))
			if err != nil {
				t.Fatal(err)
			}
			if fixed.Results != row.fixed[k] || fixed.Games != 2*row.fixed[k] || fixed.AcceptH1 != 0.95 {
				t.Errorf("%v Elo, %v drawn, fixed length: %+v, want %v pairs", row.elo, d, fixed, row.fixed[k])
			}
			for _, truth := range [2]float64{0, row.elo} {
				p, err := c.Plan(truth, pairShares(d))
				if err != nil {
					t.Fatal(err)
				}
				if math.Round(p.Results) != row.sequential[k] {
					t.Errorf("%v Elo, %v drawn, at %v: %+v, want %v pairs", row.elo, d, truth, p, row.sequential[k])
				}
			}
		}
		// On the normalized scale it takes the same whatever the draws.
		normalized := SPRTOptions{Elo1: row.elo}
		few, err := normalized.FixedPlan(row.elo, pairShares(0))
		if err != nil {
			t.Fatal(err)
		}
		many, err := normalized.FixedPlan(row.elo, pairShares(0.8))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(few.Results-many.Results) > 1 {
			t.Errorf("%v normalized: %v pairs without draws, %v with many", row.elo, few.Results, many.Results)
		}
	}
}

// TestBrownianExit solves the equations of a random walk with small steps instead.
func TestBrownianExit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lower, upper := rapid.IntRange(-200, -1).Draw(t, "lower"), rapid.IntRange(1, 200).Draw(t, "upper")
		p := 0.5 + rapid.Float64Range(-0.02, 0.02).Draw(t, "drift")/2
		// Steps of 1, up with probability p: its drift and variance match a motion up to a little.
		up, time := (brownian{float64(lower), float64(upper), 2*p - 1, 1 - (2*p-1)*(2*p-1)}).exit()
		q := (1 - p) / p
		wantUp := -float64(lower) / float64(upper-lower)
		wantTime := -float64(lower) * float64(upper)
		if math.Abs(q-1) > 1e-7 {
			wantUp = (1 - math.Pow(q, float64(-lower))) / (1 - math.Pow(q, float64(upper-lower)))
			wantTime = (wantUp*float64(upper) + (1-wantUp)*float64(lower)) / (2*p - 1)
		}
		if math.Abs(up-wantUp) > 1e-3 || math.Abs(time/wantTime-1) > 1e-2 {
			t.Fatalf("up %v in %v, want %v in %v", up, time, wantUp, wantTime)
		}
	})
}
