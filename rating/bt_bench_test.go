package rating

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// league makes games of pairs with swapped seats between players of known strengths, in wins, draws and losses.
func league(players, pairs int, seed uint64) (names []string, strengths []float64, contests []Contest) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range players {
		names = append(names, fmt.Sprintf("p%05d", i))
		strengths = append(strengths, r.NormFloat64())
	}
	contests = make([]Contest, 0, 2*pairs)
	for k := range pairs {
		i := r.IntN(players)
		j := (i + 1 + r.IntN(players-1)) % players
		for s := range 2 {
			c := Contest{First: int32(i), Second: int32(j), Cluster: int32(k + 1)}
			if s == 1 {
				c.First, c.Second = c.Second, c.First
			}
			p := logistic(strengths[c.First] - strengths[c.Second] + 0.2)
			switch u := r.Float64(); {
			case u < 0.6*p:
				c.Score = 1
			case u < 0.6*p+0.4*2*p*(1-p)+0.2:
				c.Score = 0.5
			}
			contests = append(contests, c)
		}
	}
	return names, strengths, contests
}

func BenchmarkBradleyTerry1M(b *testing.B) {
	names, _, contests := league(1000, 500000, 7)
	for b.Loop() {
		f, err := BradleyTerryContests(names, contests, BTOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if f.Games != 1000000 || f.Clusters != 500000 || len(f.Errors) != 1000 {
			b.Fatalf("%d games, %d clusters", f.Games, f.Clusters)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/op")
}
