package eco

import (
	"strings"
	"sync"
	"testing"

	notnil "github.com/notnil/chess"
	"github.com/notnil/chess/opening"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

func book(t testing.TB) *Book {
	t.Helper()
	b, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFind(t *testing.T) {
	b := book(t)
	tests := []struct {
		moves, code, name string
		plies             int
	}{
		{"e2e4", "B00", "King's Pawn", 1},
		{"e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "B90", "Sicilian Defense: Najdorf Variation", 10},
		{"e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 a2a3 h7h6", "B90", "Sicilian Defense: Najdorf Variation", 10},
		{"e2e4 e7e5 g1f3 b8c6 f1b5", "C60", "Ruy Lopez", 5},
		{"e2e4 c7c5 what is this", "B20", "Sicilian Defense", 2},
		{"a2a3", "A00", "Anderssen's Opening", 1},
		{"", "", "", 0},
		{"e7e5", "", "", 0},
		{"x", "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.moves, func(t *testing.T) {
			o, ok := b.FindUCI(strings.Fields(tt.moves))
			if ok != (tt.plies > 0) || o != (Opening{tt.code, tt.name, tt.plies}) {
				t.Errorf("%+v, %v", o, ok)
			}
		})
	}
	if b.Len() < 2000 {
		t.Errorf("%d openings", b.Len())
	}
}

// TestOwnMoves: every opening is found by its own moves.
func TestOwnMoves(t *testing.T) {
	b := book(t)
	for key, want := range b.lines {
		var moves []chess.Move
		for i := 0; i < len(key); i += 2 {
			moves = append(moves, chess.Move(key[i])<<8|chess.Move(key[i+1]))
		}
		if o, ok := b.Find(moves); !ok || o != want {
			t.Errorf("%v: %+v, not %+v", moves, o, want)
		}
	}
}

// TestOracle: random games along the lines of the book have the names that notnil/chess gives them.
func TestOracle(t *testing.T) {
	b := book(t)
	theirs := opening.NewBookECO()
	check := func(moves []chess.Move, list []*notnil.Move) {
		t.Helper()
		o, ok := b.Find(moves)
		want := theirs.Find(list)
		if ok != (want != nil) || ok && (o.Code != want.Code() || o.Name != want.Title()) {
			t.Fatalf("%v: %+v, want %+v", moves, o, want)
		}
	}
	games, named := 300, 0
	if testing.Short() {
		games = 50
	}
	lines := make([]string, 0, b.Len())
	for _, o := range theirs.Possible(nil) {
		lines = append(lines, o.PGN())
	}
	for i := range games {
		r := game.SeedFrom(uint64(i)).Stream("moves", 0)
		p, q := chess.Initial(), notnil.StartingPosition()
		var moves []chess.Move
		var list []*notnil.Move
		play := func(uci string) {
			m, err := p.ParseUCI(uci)
			if err != nil {
				t.Fatal(err)
			}
			n, err := notnil.UCINotation{}.Decode(q, uci)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
			q = q.Update(n)
			moves, list = append(moves, m), append(list, n)
			check(moves, list)
		}
		for _, word := range strings.Fields(lines[r.IntN(len(lines))]) {
			if _, move, numbered := strings.Cut(word, "."); numbered {
				word = move
			}
			play(word)
		}
		if o, ok := b.Find(moves); ok && o.Plies == len(moves) {
			named++
		}
		for range 5 {
			l := p.Legal(nil)
			if len(l) == 0 {
				break
			}
			play(l[r.IntN(len(l))].String())
		}
	}
	if named != games {
		t.Errorf("%d of %d openings are found by their own moves", named, games)
	}
}

func TestAdd(t *testing.T) {
	b := &Book{lines: map[string]Opening{}}
	if err := b.add("A00", "x", "1.e2e4 e7e5"); err != nil || b.longest != 2 {
		t.Fatal(err, b.longest)
	}
	for _, tt := range [][4]string{
		{"A0", "x", "1.e2e4", "no code"}, {"F00", "x", "1.e2e4", "no code"}, {"A0x", "x", "1.e2e4", "no code"}, {"A00", "", "1.e2e4", "no code"},
		{"A00", "y", "", "no moves"}, {"A00", "y", "1.e2e5", "not a legal"}, {"A00", "y", "1.e2e4 e7e5", "the moves of x"},
	} {
		if err := b.add(tt[0], tt[1], tt[2]); err == nil || !strings.Contains(err.Error(), tt[3]) {
			t.Errorf("%q: %v", tt, err)
		}
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b, err := Load()
			if err != nil {
				t.Error(err)
				return
			}
			if o, ok := b.FindUCI([]string{"e2e4", "e7e6"}); !ok || o.Code != "C00" {
				t.Errorf("%+v", o)
			}
		})
	}
	wg.Wait()
	if a, b := book(t), book(t); a != b {
		t.Error("two books")
	}
}

func TestAllocations(t *testing.T) {
	b := book(t)
	moves := []chess.Move{chess.MakeMove(12, 28, chess.NoKind), chess.MakeMove(52, 36, chess.NoKind)}
	if n := testing.AllocsPerRun(100, func() {
		if _, ok := b.Find(moves); !ok {
			t.Error("not found")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if _, err := build(); err != nil {
			b.Fatal(err)
		}
	}
}
