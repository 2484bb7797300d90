package rating

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestBits compares results to the last bit with those of testdata/bits.txt, so
// that a machine, or a compiler, that rounds in other places is found out.
// RATING_UPDATE=1 writes the file anew.
func TestBits(t *testing.T) {
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
	r := rand.New(rand.NewPCG(20, 26))
	games := func(n int) (list []Game) {
		for range n {
			p := r.Perm(8)
			list = append(list, Duel(string(rune('a'+p[0])), string(rune('a'+p[1])), float64(r.IntN(3))/2))
		}
		return list
	}

	elo, elos := newElo(t, ArenaRules()), map[string]EloPlayer{}
	one, ones := newGlicko1(t, Glicko1Options{}), map[string]Glicko1Rating{}
	two, twos := newGlicko2(t, Glicko2Options{}), map[string]Glicko2Rating{}
	for range 20 {
		list := games(40)
		for i := range list {
			if err := elo.Period(elos, list[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := one.Period(ones, list); err != nil {
			t.Fatal(err)
		}
		if err := two.Period(twos, list); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 8 {
		name := string(rune('a' + i))
		line("elo "+name, elos[name].Rating, elos[name].Peak)
		line("glicko1 "+name, ones[name].Rating, ones[name].Deviation)
		line("glicko2 "+name, twos[name].Rating, twos[name].Deviation, twos[name].Volatility)
	}
	for model := range ModelThurstoneMostellerPart + 1 {
		w := newWengLin(t, WengLinOptions{Model: model})
		roles, table := map[string]Skill{}, map[string]Skill{}
		for range 200 {
			p := r.Perm(8)
			g := Game{Sides: make([]Side, 2+r.IntN(4))}
			returns := make([]float64, len(g.Sides))
			for i := range g.Sides {
				g.Sides[i].Role, returns[i] = string(rune('x'+i%2)), -float64(r.IntN(3))
			}
			rank(g.Sides, returns)
			for k, i := range p {
				if side := k % (len(g.Sides) + 1); side < len(g.Sides) {
					g.Sides[side].Players = append(g.Sides[side].Players, string(rune('a'+i)))
				}
			}
			if err := w.Play(table, roles, &g); err != nil {
				t.Fatal(err)
			}
		}
		line(fmt.Sprintf("wenglin %d roles", model), roles["x"].Mu, roles["x"].Sigma, roles["y"].Mu, roles["y"].Sigma)
		teams := [][]Skill{}
		for i := range 8 {
			s := table[string(rune('a'+i))]
			line(fmt.Sprintf("wenglin %d %c", model, 'a'+i), s.Mu, s.Sigma)
			teams = append(teams, []Skill{s})
		}
		win, err := w.PredictWin(Lineup{Teams: teams})
		if err != nil {
			t.Fatal(err)
		}
		line(fmt.Sprintf("wenglin %d win", model), win...)
	}
	for points := 0.0; points <= 4; points += 0.5 {
		p, err := PerformanceOf(PerformanceLogistic, []float64{1500, 1650.5, 1720, 1333.25}, points)
		if err != nil {
			t.Fatal(err)
		}
		line(fmt.Sprint("performance ", points), p.Rating)
	}

	path := filepath.Join("testdata", "bits.txt")
	if os.Getenv("RATING_UPDATE") == "1" {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, wants := bytes.Split(out.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(got) != len(wants) || len(got) < 80 {
		t.Fatalf("%d lines, not %d", len(got), len(wants))
	}
	for i := range got {
		if !bytes.Equal(got[i], wants[i]) {
			t.Errorf("%s, not %s", got[i], wants[i])
		}
	}
}
