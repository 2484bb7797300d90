package rating

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestFitBits compares fits and tests to the last bit with testdata/fits.txt, which RATING_UPDATE=1 writes anew.
func TestFitBits(t *testing.T) {
	var out bytes.Buffer
	line := func(name string, xs ...float64) {
		fmt.Fprint(&out, name)
		for _, x := range xs {
			if !finite(x) {
				t.Errorf("%s: %v", name, xs)
			}
			fmt.Fprintf(&out, " %016x", math.Float64bits(x))
		}
		fmt.Fprintln(&out)
	}
	estimates := func(name string, e *Estimates) {
		line(name+" strengths", e.Strengths...)
		line(name+" errors", e.Errors...)
		line(name+" model errors", e.ModelErrors...)
		d, err := e.Difference(e.Players[0], e.Players[1])
		if err != nil {
			t.Fatal(err)
		}
		line(name, e.LogLikelihood, d.Elo, d.Error, d.ModelError, d.Interval(0.9).Low)
	}

	names, _, contests := league(9, 300, 21)
	for _, c := range []struct {
		name   string
		config BTOptions
	}{{"bradley-terry", BTOptions{}}, {"davidson", BTOptions{Draws: Davidson}}, {"ridge", BTOptions{Ridge: 0.7, NoSeat: true}}} {
		f, err := BradleyTerryContests(names, contests, c.config)
		if err != nil {
			t.Fatal(err)
		}
		estimates(c.name, &f.Estimates)
		line(c.name+" extras", f.Seat, f.SeatError, f.SeatModelError, f.Nu, f.LogNuError)
		b, err := f.Bootstrap(BootstrapOptions{Seed: 1, Resamples: 20})
		if err != nil {
			t.Fatal(err)
		}
		i, err := b.Difference(names[0], names[8], 0.8)
		if err != nil {
			t.Fatal(err)
		}
		line(c.name+" bootstrap", i.Low, i.High)
	}
	pl, err := PlackettLuce([]Game{
		rankingGame([]string{"a", "b", "c", "d"}), rankingGame([]string{"d", "c", "a"}, 1), rankingGame([]string{"b", "d", "c", "a"}, 2, 3), rankingGame([]string{"c", "a"}),
	}, PLOptions{})
	if err != nil {
		t.Fatal(err)
	}
	estimates("plackett-luce", &pl.Estimates)
	team, err := TeamBradleyTerry(teamGames(t, vectors[teamVectors](t, "team_bradley_terry.json")), TeamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	estimates("team", &team.Estimates)
	line("team roles", team.Effects...)

	for _, counts := range [][]int{{3, 40, 90, 55, 7}, {0, 0, 900, 2, 0}, {0, 0, 0, 0, 30}, {30, 50, 31}} {
		for _, scale := range []Scale{NormalizedElo, LogisticElo} {
			c := SPRTOptions{Elo0: -3, Elo1: 8, Scale: scale}
			if len(counts) == 3 {
				c.Sampling = Trinomial
			}
			llr, err := c.LLR(counts)
			if err != nil {
				t.Fatal(err)
			}
			e, err := c.withDefaults().estimate(counts, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			line(fmt.Sprint("sprt ", counts, scale), llr, e.Elo, e.Interval.Low, e.Interval.High, e.Normalized, e.LOS)
		}
		f, err := FixedLength(counts, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		line(fmt.Sprint("fixed ", counts), f.Score, f.Error, f.Elo, f.Interval.Low, f.LOS)
	}
	for _, c := range [][2]int{{0, 7}, {3, 7}, {520, 1000}} {
		w, err := Wilson(c[0], c[1], 0.95)
		if err != nil {
			t.Fatal(err)
		}
		e, err := ClopperPearson(c[0], c[1], 0.95)
		if err != nil {
			t.Fatal(err)
		}
		line(fmt.Sprint("binomial ", c), w.Low, w.High, e.Low, e.High, signTest(c[0], c[1]-c[0]))
	}

	path := filepath.Join("testdata", "fits.txt")
	if os.Getenv("RATING_UPDATE") == "1" {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := bytes.Split(out.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(got) != len(wanted) || len(got) < 40 {
		t.Fatalf("%d lines, want %d", len(got), len(wanted))
	}
	for i := range got {
		if !bytes.Equal(got[i], wanted[i]) {
			t.Errorf("%s\nwant\n%s", got[i], wanted[i])
		}
	}
}
