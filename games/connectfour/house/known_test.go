package house_test

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
)

const positionsFile = "testdata/positions.txt"

// solved is a line of positions.txt.
type solved struct {
	moves string // letters of columns
	score int
	best  string // letters of the columns that keep the score
}

func readPositions(t testing.TB) []solved {
	t.Helper()
	f, err := os.Open(positionsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []solved
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var s solved
		if _, err := fmt.Sscan(lines.Text(), &s.moves, &s.score, &s.best); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		list = append(list, s)
	}
	return list
}

var update = flag.Bool("update", false, "write "+positionsFile+" anew")

// writePositions solves the positions that are drawn.
func writePositions(t *testing.T) {
	var out bytes.Buffer
	out.WriteString("# 1,000 positions of the usual board with 14 to 40 discs: the columns played, the score for the side to move (22 less the discs that the winner\n" +
		"# will have, negative for a loss), and all columns that keep it. Written by -update, confirmed by the plain solver of the tests.\n")
	for _, moves := range positions() {
		want := score(t.Context(), t, house.BoardOf(historyOf(moves)))
		fmt.Fprintf(&out, "%s %d %s\n", moves, want, keeping(t, moves, want))
	}
	if err := os.WriteFile(positionsFile, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// keeping gives the columns after which a score can still be had.
func keeping(t *testing.T, moves string, want int) (best string) {
	b := boardAfter(moves)
	for c := range 7 {
		if b.height[c] == 6 {
			continue
		}
		b.play(c)
		v := 22 - (b.ply+1)/2
		if !b.line(c) {
			v = 0
			if b.ply < 42 {
				v = -score(t.Context(), t, house.BoardOf(append(historyOf(moves), c)))
			}
		}
		b.undo(c)
		if v == want {
			best += string(rune('a' + c))
		}
	}
	return best
}

// TestPositions checks the file of positions: it holds those that are drawn, and the plain solver confirms it: here where that takes
// less than a second each, from 18 discs on, and under -short where it takes no time. When the file was written it confirmed all 1,000.
func TestPositions(t *testing.T) {
	if *update {
		writePositions(t)
	}
	list := readPositions(t)
	var moves []string
	for _, s := range list {
		moves = append(moves, s.moves)
	}
	if d := gocmp.Diff(positions(), moves); d != "" {
		t.Fatal(d)
	}
	from := 18
	if testing.Short() {
		from = 24
	}
	checked, signs := 0, map[int]int{}
	p := &plain{table: make([]plainEntry, 1<<22)}
	for _, s := range list {
		signs[cmp.Compare(s.score, 0)]++
		if len(s.moves) < from {
			continue
		}
		if !p.confirm(boardAfter(s.moves), s.score, s.best) {
			t.Errorf("%s: not %d by %s, says the plain solver", s.moves, s.score, s.best)
		}
		checked++
	}
	t.Logf("%d checked, won, drawn and lost: %v", checked, signs)
	if checked < 400 || signs[1] < 200 || signs[0] < 20 || signs[-1] < 200 {
		t.Errorf("%d checked, won, drawn and lost: %v", checked, signs)
	}
}

// TestPerfect asks for the score and the player's column in each of the 1,000 positions.
func TestPerfect(t *testing.T) {
	player := perfect(t, house.PerfectOptions{})
	for i, s := range readPositions(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		if got := score(t.Context(), t, house.BoardOf(historyOf(s.moves))); got != s.score {
			t.Errorf("%s: score %d, not %d", s.moves, got, s.score)
		}
		if got := reply(t, player, "", s.moves); !strings.Contains(s.best, got) {
			t.Errorf("%s: %s, not one of %s", s.moves, got, s.best)
		}
	}
}

// BenchmarkPerfect asks the default player for its column in the 1,000 positions: one op is all of them.
func BenchmarkPerfect(b *testing.B) {
	list := readPositions(b)
	player := perfect(b, house.PerfectOptions{}).(referee.Func)
	var took []time.Duration
	for b.Loop() {
		took = took[:0]
		for _, s := range list {
			replyTo(b, "", s.moves, func(r *referee.Request) referee.Answer {
				began := time.Now()
				a, err := player(b.Context(), r)
				took = append(took, time.Since(began))
				if err != nil {
					b.Fatal(err)
				}
				return a
			})
		}
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
	b.ReportMetric(ms(took[len(took)/2]), "median-ms")
	b.ReportMetric(ms(took[len(took)-1]), "worst-ms")
	if len(took) != 1000 {
		b.Fatal(fmt.Sprint(len(took), " positions"))
	}
}
