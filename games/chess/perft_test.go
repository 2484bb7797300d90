package chess_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/matchreferee/arena/games/chess"
)

// perftPosition is a line of testdata/perft_standard.json.
type perftPosition struct {
	Name    string            `json:"name"`
	FEN     string            `json:"fen"`
	Perft   map[string]uint64 `json:"perft"`   // by depth
	Divide3 map[string]uint64 `json:"divide3"` // by first move
}

func standard(t testing.TB) []perftPosition { return perftFile(t, "perft_standard.json", 6) }

// perftFile reads a file of at least so many positions.
func perftFile(t testing.TB, name string, least int) []perftPosition {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Positions []perftPosition }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Positions) < least {
		t.Fatalf("%s has %d positions, not %d", name, len(file.Positions), least)
	}
	return file.Positions
}

func parse(t tester, fen string) chess.Position {
	t.Helper()
	p, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// TestPerftStandard counts the published positions to depth 5 (3 under -short) with their published counts.
func TestPerftStandard(t *testing.T) {
	most := 5
	if testing.Short() {
		most = 3
	}
	for _, tt := range standard(t) {
		t.Run(tt.Name, func(t *testing.T) {
			p := parse(t, tt.FEN)
			for depth := 1; depth <= most; depth++ {
				want, ok := tt.Perft[strconv.Itoa(depth)]
				if got := p.Perft(depth); got != want || !ok {
					t.Errorf("depth %d: %d, not %d", depth, got, want)
				}
			}
			moves := p.Legal(nil)
			if len(moves) != len(tt.Divide3) {
				t.Errorf("%d first moves, not %d", len(moves), len(tt.Divide3))
			}
			for _, m := range moves {
				next := p
				next.Play(m)
				if got, want := next.Perft(2), tt.Divide3[m.String()]; got != want {
					t.Errorf("after %s, depth 2: %d, not %d", m, got, want)
				}
			}
		})
	}
}

func tricky(t testing.TB) []perftPosition { return perftFile(t, "perft_tricky.json", 60) }

// TestPerftTricky counts positions in which what is rare happens soon, with the counts of another program.
func TestPerftTricky(t *testing.T) {
	most := uint64(math.MaxUint64)
	if testing.Short() {
		most = 50_000
	}
	for _, tt := range tricky(t) {
		t.Run(tt.Name, func(t *testing.T) {
			p := parse(t, tt.FEN)
			if len(tt.Perft) == 0 {
				t.Fatal("no counts")
			}
			for depth, want := range tt.Perft {
				d, err := strconv.Atoi(depth)
				if err != nil {
					t.Fatal(err)
				}
				if want > most {
					continue
				}
				if got := p.Perft(d); got != want {
					t.Errorf("depth %d: %d, not %d", d, got, want)
				}
			}
		})
	}
}

// TestPerftNames: names and positions are there once.
func TestPerftNames(t *testing.T) {
	seen := map[string]bool{}
	for _, tt := range tricky(t) {
		if seen[tt.Name] || seen[tt.FEN] {
			t.Errorf("%s, %s: twice", tt.Name, tt.FEN)
		}
		seen[tt.Name], seen[tt.FEN] = true, true
	}
}
