package house_test

import (
	"bufio"
	"context"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/games/connectfour/house"
)

func historyOf(moves string) []int {
	var history []int
	for _, m := range moves {
		history = append(history, int(m-'a'))
	}
	return history
}

func score(ctx context.Context, t failer, b house.Bitboard) int {
	t.Helper()
	_, low, high, proved := house.NewSolver(ctx, 16, 1<<30).Best(b)
	if !proved || low != high {
		t.Fatalf("score between %d and %d, proved: %v", low, high, proved)
	}
	return low
}

// drawPosition draws moves of a game that is not over, of at most so many discs.
func drawPosition(t *rapid.T, least, most int) (*plainBoard, string) {
	discs := rapid.IntRange(least, most).Draw(t, "discs")
	b, moves := new(plainBoard), ""
	for b.ply < discs {
		var open []int
		for c := range 7 {
			if b.height[c] < 6 {
				b.play(c)
				if !b.line(c) {
					open = append(open, c)
				}
				b.undo(c)
			}
		}
		if len(open) == 0 {
			break
		}
		c := rapid.SampledFrom(open).Draw(t, "column")
		b.play(c)
		moves += string(rune('a' + c))
	}
	return b, moves
}

// TestBitboard compares the sets of cells with what the plain board says of each column.
func TestBitboard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, moves := drawPosition(t, 0, 41)
		b := house.BoardOf(historyOf(moves))
		var open, wins, safe []int
		for c := range 7 {
			if p.height[c] == 6 {
				continue
			}
			open = append(open, c)
			p.play(c)
			if p.line(c) {
				wins = append(wins, c)
			}
			if !canWin(p) {
				safe = append(safe, c)
			}
			p.undo(c)
		}
		if d := cmp.Diff(open, columnsOf(b.Open())); d != "" {
			t.Fatalf("%s, open:\n%s", moves, d)
		}
		if d := cmp.Diff(wins, columnsOf(b.Open()&b.Wins())); d != "" {
			t.Fatalf("%s, wins:\n%s", moves, d)
		}
		if len(wins) > 0 {
			return // safe is for positions without
		}
		if d := cmp.Diff(safe, columnsOf(b.Safe())); d != "" {
			t.Fatalf("%s, safe:\n%s", moves, d)
		}
	})
}

func columnsOf(cells uint64) []int {
	var out []int
	for ; cells != 0; cells &= cells - 1 {
		out = append(out, bits.TrailingZeros64(cells)/7)
	}
	return out
}

// TestKey finds no two positions of random games with one key.
func TestKey(t *testing.T) {
	seen := make(map[uint64]house.Bitboard)
	for _, moves := range positions() {
		for n := range len(moves) + 1 {
			b := house.BoardOf(historyOf(moves[:n]))
			if other, ok := seen[b.Key()]; ok && other != b {
				t.Fatalf("%s: %+v has the key of %+v", moves[:n], b, other)
			}
			seen[b.Key()] = b
		}
	}
	if len(seen) < 10_000 {
		t.Errorf("only %d positions", len(seen))
	}
}

// TestPlain compares scores with those of the plain solver, in positions other than those of the file.
func TestPlain(t *testing.T) {
	plain := &plain{table: make([]plainEntry, 1<<16)}
	rapid.Check(t, func(t *rapid.T) {
		p, moves := drawPosition(t, 24, 41)
		want := plain.solve(p)
		if got := score(context.Background(), t, house.BoardOf(historyOf(moves))); got != want {
			t.Errorf("%s: %d, the plain solver says %d", moves, got, want)
		}
	})
}

// TestConsistent checks that a score is the best of what its moves lead to.
func TestConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, moves := drawPosition(t, 20, 41)
		best := -99
		for c := range 7 {
			if p.height[c] == 6 {
				continue
			}
			p.play(c)
			v := 22 - (p.ply+1)/2
			if !p.line(c) {
				v = 0
				if p.ply < 42 {
					v = -score(context.Background(), t, house.BoardOf(append(historyOf(moves), c)))
				}
			}
			p.undo(c)
			best = max(best, v)
		}
		if got := score(context.Background(), t, house.BoardOf(historyOf(moves))); got != best {
			t.Errorf("%s: %d, its moves give %d", moves, got, best)
		}
	})
}

// TestPublished holds the solver against scores that others published: positions of the end-game test set of P. Pons's Solving Connect 4
// (2015), which is where the way of counting comes from too.
func TestPublished(t *testing.T) {
	for digits, want := range map[string]int{
		"2252576253462244111563365343671351441": -1, "7422341735647741166133573473242566": 1, "44455554221": -15, "4455": 18,
	} {
		var history []int
		for _, d := range digits {
			history = append(history, int(d-'1'))
		}
		if got := score(t.Context(), t, house.BoardOf(history)); got != want {
			t.Errorf("%s: %d, not %d", digits, got, want)
		}
	}
}

// TestDatabase holds the solver against J. Tromp's database of all positions of eight discs, in rows that take no more than some seconds.
func TestDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about half a minute")
	}
	f, err := os.Open("testdata/uci-8ply.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Fields(lines.Text())
		if len(fields) != 8 {
			t.Fatalf("%q", lines.Text())
		}
		var discs [2][][2]int
		for c, column := range fields[:7] {
			for row, d := range strings.Trim(column, "-") {
				side := strings.IndexRune("xo", d)
				discs[side] = append(discs[side], [2]int{c, row})
			}
		}
		b := house.BoardFrom(discs[0], discs[1])
		s := house.NewSolver(t.Context(), 22, 1<<30)
		got := "loss"
		if s.AtLeast(b, 1) {
			got = "win"
		} else if s.AtLeast(b, 0) {
			got = "draw"
		}
		if got != fields[7] {
			t.Errorf("%s: %s", lines.Text(), got)
		}
		rows++
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}

// ends is a context that has ended from its n-th question on.
type ends struct {
	context.Context
	n *int
}

func (e ends) Err() error {
	if *e.n--; *e.n < 0 {
		return context.Canceled
	}
	return nil
}

// TestStop ends a search of the empty board by its nodes and by its context, in the middle: it stops within the nodes of one look at the
// context, which are a fraction of a millisecond.
func TestStop(t *testing.T) {
	for _, nodes := range []int{1, 1000, 5000, 100_000} {
		s := house.NewSolver(t.Context(), 12, nodes)
		_, low, high, proved := s.Best(house.BoardOf(nil))
		if s.Left() != 0 || low >= high || proved {
			t.Errorf("%d nodes: %d left, score %d to %d, proved: %v", nodes, s.Left(), low, high, proved)
		}
	}
	for _, questions := range []int{0, 1, 20} {
		n := questions
		s := house.NewSolver(ends{context.Background(), &n}, 12, 1<<30)
		if _, _, _, proved := s.Best(house.BoardOf(nil)); proved {
			t.Error("proved what takes minutes")
		}
		if used := 1<<30 - s.Left(); used > (questions+1)*house.PollNodes {
			t.Errorf("context of %d questions: %d nodes", questions, used)
		}
	}
}

// TestTable compares the table with a map of the newest bounds: it may have forgotten, but not invented. More searches pass than its
// entries can tell apart.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type bounds struct{ low, high int }
		table, newest := house.NewTable(10), map[uint64]bounds{}
		table.Renew()
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 1<<49-1), 1, 50).Draw(t, "keys")
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			score := rapid.IntRange(house.MinScore, house.MaxScore).Draw(t, "score")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				table.PutAtLeast(key, score)
				newest[key] = bounds{score, house.MaxScore}
			case 1:
				table.PutAtMost(key, score)
				newest[key] = bounds{house.MinScore, score}
			case 2:
				low, high := table.Get(key)
				nothing := bounds{house.MinScore, house.MaxScore}
				if got := (bounds{low, high}); got != nothing {
					if want, ok := newest[key]; !ok || got != want {
						t.Fatalf("key %d: %+v, put was %+v", key, got, want)
					}
				}
			case 3:
				table.Renew()
				clear(newest)
			}
		}
		table.PutAtLeast(keys[0], 3)
		if low, high := table.Get(keys[0]); low != 3 || high != house.MaxScore {
			t.Fatalf("just put: %d to %d", low, high)
		}
	})
}
