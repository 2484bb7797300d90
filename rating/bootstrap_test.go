package rating

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBootstrap(t *testing.T) {
	names, _, contests := league(6, 600, 11)
	f, err := BradleyTerryContests(names, contests, BTOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Bootstrap(BootstrapOptions{Seed: 5, Resamples: 600})
	if err != nil {
		t.Fatal(err)
	}
	if b.Degenerate != 0 || b.Unreliable() || b.Resamples != 600 {
		t.Errorf("%d of %d are degenerate", b.Degenerate, b.Resamples)
	}
	for k := 1; k < len(names); k++ {
		d, err := f.Difference(names[0], names[k])
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Difference(names[0], names[k], 0.95)
		if err != nil {
			t.Fatal(err)
		}
		// With so many pairs both ways to an interval agree but for the noise of the resamples.
		if want := d.Interval(0.95); !got.Contains(d.Elo) || !near((got.High-got.Low)/(want.High-want.Low), 1, 0.15) {
			t.Errorf("%s less %s: %v, by the sandwich %v", names[0], names[k], got, want)
		}
	}
	strength, err := b.Strength(names[2], 0.5)
	if err != nil || !strength.Contains(f.Strengths[2]*eloScale) {
		t.Errorf("%v, %v about %v", strength, err, f.Strengths[2]*eloScale)
	}

	// The same seed, whatever the order and the processors.
	other := slices.Clone(contests)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	g, err := BradleyTerryContests(names, other, BTOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := g.Bootstrap(BootstrapOptions{Seed: 5, Resamples: 600})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b.strengths, again.strengths); d != "" {
		t.Error(d)
	}
	differs, err := g.Bootstrap(BootstrapOptions{Seed: 6, Resamples: 600})
	if err != nil {
		t.Fatal(err)
	}
	if cmp.Equal(b.strengths, differs.strengths) {
		t.Error("another seed, the same resamples")
	}
}

// TestBootstrapMixed resamples clusters of several players, which stay together.
func TestBootstrapMixed(t *testing.T) {
	var games []Game
	for k := range 60 {
		for i := range 3 {
			g := Duel(itemName(i), itemName((i+1)%3), float64((k+i)%3)/2)
			g.Pair = fmt.Sprint("deal ", k)
			games = append(games, g)
		}
	}
	f, err := BradleyTerry(games, BTOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Clusters != 60 || len(f.data.mixed) != 60 || len(f.data.classes) != 0 {
		t.Fatalf("%d clusters, %d mixed", f.Clusters, len(f.data.mixed))
	}
	b, err := f.Bootstrap(BootstrapOptions{Resamples: 300})
	if err != nil {
		t.Fatal(err)
	}
	d, err := f.Difference("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Difference("a", "b", 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if want := d.Interval(0.95); b.Degenerate != 0 || !near((got.High-got.Low)/(want.High-want.Low), 1, 0.2) {
		t.Errorf("%v, by the sandwich %v, %d degenerate", got, want, b.Degenerate)
	}
	for _, confidence := range []float64{0, 1} {
		if i := d.Interval(confidence); i.Low != d.Elo || i.High != d.Elo {
			t.Errorf("confidence %v: %v", confidence, i)
		}
	}
}

func TestBootstrapUnreliable(t *testing.T) {
	for degenerate, want := range map[int]bool{0: false, 2: false, 3: true, 200: true} {
		if got := (&Bootstrap{Resamples: 200, Degenerate: degenerate}).Unreliable(); got != want {
			t.Errorf("%d of 200: %v", degenerate, got)
		}
	}
}

func TestBootstrapDegenerate(t *testing.T) {
	// All that holds b to the others is one draw, which a resample leaves out with probability (1-1/n)^n, about 0.36.
	games := []Game{Duel("a", "b", 0.5)}
	for range 10 {
		games = append(games, Duel("a", "c", 1), Duel("a", "c", 0))
	}
	f, err := BradleyTerry(games, BTOptions{NoSeat: true})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Bootstrap(BootstrapOptions{Resamples: 500})
	if err != nil {
		t.Fatal(err)
	}
	if b.Degenerate < 140 || b.Degenerate > 220 || !b.Unreliable() || len(b.strengths) != 500-b.Degenerate {
		t.Errorf("%d of %d are degenerate, %d have strengths", b.Degenerate, b.Resamples, len(b.strengths))
	}
	prior, err := BradleyTerry(games, BTOptions{NoSeat: true, Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := prior.Bootstrap(BootstrapOptions{})
	if err != nil || p.Degenerate != 0 || p.Resamples != 400 {
		t.Errorf("with a prior: %+v, %v", p, err)
	}
	if _, err := f.Bootstrap(BootstrapOptions{Resamples: -1}); !errors.Is(err, ErrFit) {
		t.Errorf("-1 resamples: %v", err)
	}
	for _, confidence := range []float64{0, 1} {
		if _, err := b.Difference("a", "b", confidence); !errors.Is(err, ErrInterval) {
			t.Errorf("confidence %v: %v", confidence, err)
		}
	}
	if _, err := b.Difference("a", "z", 0.9); err == nil {
		t.Error("a player who never played has an interval")
	}
	if _, err := (&Bootstrap{players: []string{"a", "b"}}).Strength("a", 0.9); !errors.Is(err, ErrDegenerate) {
		t.Errorf("without resamples: %v", err)
	}
}
