package chess_test

import (
	"encoding/json"
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

func standard(t testing.TB) []perftPosition {
	t.Helper()
	data, err := os.ReadFile("testdata/perft_standard.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Positions []perftPosition }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Positions) < 6 {
		t.Fatalf("%d positions", len(file.Positions))
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

// TestPerftStandard counts the published positions to depth 5 (4 under -short) with their published counts.
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
