package house_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/house"
	"github.com/matchreferee/arena/referee"
)

// drawGame draws so many random moves, fewer if the game ends, from start on.
func drawGame(t *rapid.T, start chess.Position, most int, quiet bool) (moves []chess.Move, positions []chess.Position) {
	p := start
	positions = append(positions, p)
	for range rapid.IntRange(0, most).Draw(t, "plies") {
		legal := p.Legal(nil)
		if quiet { // pieces go back and forth
			legal = slices.DeleteFunc(legal, func(m chess.Move) bool {
				return p.Captured(m) != 0 || p.PieceAt(m.From()).Kind() == chess.Pawn && rapid.IntRange(0, 19).Draw(t, "pawn") > 0
			})
		}
		if len(legal) == 0 {
			break
		}
		m := legal[rapid.IntRange(0, len(legal)-1).Draw(t, "move")]
		p.Play(m)
		moves = append(moves, m)
		positions = append(positions, p)
	}
	return moves, positions
}

// mirror turns the board upside down and changes the colors.
func mirror(t failer, p chess.Position) chess.Position {
	t.Helper()
	fields := strings.Fields(p.FEN())
	ranks := strings.Split(fields[0], "/")
	slices.Reverse(ranks)
	swap := func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}
	side := map[string]string{"w": "b", "b": "w"}[fields[1]]
	return parse(t, strings.Map(swap, strings.Join(ranks, "/"))+" "+side+" - - "+fields[4]+" 1")
}

// TestEvaluate: a position is worth to a side what its mirror image is worth to the other. A side with more is better.
func TestEvaluate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, positions := drawGame(t, chess.Initial(), 100, false)
		p := positions[len(positions)-1]
		if got, want := house.Evaluate(mirror(t, p)), house.Evaluate(p); got != want {
			t.Fatalf("%s: %d, its image %d", p.FEN(), want, got)
		}
	})
	for _, tt := range []struct {
		better, worse string
	}{
		{"4k3/8/8/8/8/8/Q7/4K3 w - - 0 1", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1"},
		{"4k3/8/4P3/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1"},            // a pawn further on
		{"4k3/8/8/8/3N4/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"},             // a knight in the middle
		{"4k3/8/8/2BB4/8/8/8/4K3 w - - 0 1", "4k3/8/8/2BN4/8/8/8/4K3 w - - 0 1"},          // two bishops
		{"7k/8/5K2/8/8/8/8/R7 w - - 0 1", "8/8/3k4/8/8/8/8/R3K3 w - - 0 1"},               // a bare king in the corner
		{"8/8/3k4/8/8/8/8/R3K3 w - - 0 1", "8/8/3k4/8/8/8/8/R3K3 w - - 60 90"},            // time left
		{"4k3/8/8/8/8/8/1PP5/4K3 w - - 0 1", "4k3/8/8/8/8/2P5/2P5/4K3 w - - 0 1"},         // not doubled
		{"4k3/pp6/8/8/8/8/PP6/4K2R w - - 0 1", "4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1"},      // a rook on an open file
		{"r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}, // a knight more
	} {
		better, worse := house.Evaluate(parse(t, tt.better)), house.Evaluate(parse(t, tt.worse))
		if better <= worse {
			t.Errorf("%s is worth %d, %s %d", tt.better, better, tt.worse, worse)
		}
	}
}

// TestEarlier finds positions again by taking moves back: those that had the same castling rights and no capture en passant, since the
// last capture, pawn move or castling.
func TestEarlier(t *testing.T) {
	starts := []string{
		chess.StartFEN,
		"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
		"4k3/8/8/8/8/8/8/R3K2R w KQ - 7 20",
		"8/3k4/8/2q5/8/8/3KR3/8 b - - 30 60",
	}
	rapid.Check(t, func(t *rapid.T) {
		start := parse(t, rapid.SampledFrom(starts).Draw(t, "start"))
		moves, positions := drawGame(t, start, 40, true)
		n := len(moves)
		p := positions[n]
		var want []uint64
		for i := n - 1; i >= 0 && n-i <= p.HalfmoveClock(); i-- {
			if positions[i].IsCastle(moves[i]) || positions[i].Castling() != p.Castling() || positions[i].EnPassantLegal() {
				break
			}
			want = append(want, positions[i].Key())
		}
		slices.Reverse(want)
		got := house.Earlier(p, moves)
		if len(got) < len(want) {
			t.Fatalf("%d keys, not %d at least", len(got), len(want))
		}
		if d := cmp.Diff(want, append([]uint64(nil), got[len(got)-len(want):]...)); d != "" {
			t.Fatal(d)
		}
	})
}

// TestEarlierNonsense gives it moves that cannot have led to the position.
func TestEarlierNonsense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, positions := drawGame(t, parse(t, "4k3/8/8/8/8/8/8/R3K2R w KQ - 90 95"), 20, false)
		var moves []chess.Move
		for range rapid.IntRange(0, 20).Draw(t, "moves") {
			moves = append(moves, chess.Move(rapid.Uint16().Draw(t, "move")))
		}
		if got := house.Earlier(positions[len(positions)-1], moves); len(got) > len(moves) {
			t.Fatalf("%d keys of %d moves", len(got), len(moves))
		}
	})
}

// TestLegal searches positions with pieces placed at will, up to thirteen queens: the move is legal, nothing panics.
func TestLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		squares := rapid.Permutation(func() (list []int) {
			for i := range 64 {
				list = append(list, i)
			}
			return list
		}()).Draw(t, "squares")
		var board [64]byte
		for i := range board {
			board[i] = '1'
		}
		pieces := "Kk" + rapid.StringOfN(rapid.SampledFrom([]rune("QqRrBbNnPp")), 0, 26, -1).Draw(t, "pieces")
		for i, piece := range []byte(pieces) {
			if s := squares[i]; piece|0x20 != 'p' || s >= 8 && s < 56 {
				board[s] = piece
			}
		}
		var ranks []string
		for r := range 8 {
			ranks = append(ranks, string(board[8*r:8*r+8]))
		}
		placement := strings.Join(ranks, "/")
		for n := 8; n >= 2; n-- {
			placement = strings.ReplaceAll(placement, strings.Repeat("1", n), string(rune('0'+n)))
		}
		p, err := chess.ParseFEN(placement + rapid.SampledFrom([]string{" w", " b"}).Draw(t, "side") + " - - 0 1")
		if err != nil || !p.HasLegal() {
			return
		}
		m, value := house.NewSearch(context.Background(), 3000, chess.Default(), nil).Best(p)
		if !p.IsLegal(m) || value > house.Mated || value < -house.Mated {
			t.Fatalf("%s: %v, %d", p.FEN(), m, value)
		}
	})
}

// TestTable compares the table with a map: it may have forgotten, but not invented. Scores of mates come out as they went in, seen from
// the same ply.
func TestTable(t *testing.T) {
	type result struct {
		move         chess.Move
		score, depth int
		ply          int
	}
	rapid.Check(t, func(t *rapid.T) {
		table, newest := house.NewTable(8), map[uint64]result{}
		table.Renew()
		keys := rapid.SliceOfN(rapid.Uint64(), 1, 50).Draw(t, "keys")
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			key := rapid.SampledFrom(keys).Draw(t, "key")
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				ply := rapid.IntRange(0, house.MaxPly-1).Draw(t, "ply")
				score := rapid.SampledFrom([]int{0, -57, 120, house.Mated - ply - 1, ply - house.Mated, house.Mated - house.MaxPly + 1}).Draw(t, "score")
				r := result{chess.Move(rapid.Uint16().Draw(t, "move")), score, rapid.IntRange(0, 64).Draw(t, "depth"), ply}
				table.PutExact(key, r.move, r.score, r.depth, r.ply)
				newest[key] = r
			case 1:
				want, put := newest[key]
				move, score, depth, ok := table.Get(key, want.ply)
				if got := (result{move, score, depth, want.ply}); ok && (!put || got != want) {
					t.Fatalf("key %d: %+v, put was %+v", key, got, want)
				}
			case 2:
				table.Renew()
				clear(newest)
			}
		}
		table.PutExact(keys[0], 1, 2, 3, 4)
		if move, score, depth, ok := table.Get(keys[0], 4); move != 1 || score != 2 || depth != 3 || !ok {
			t.Fatalf("just put: %v, %d, %d, %v", move, score, depth, ok)
		}
	})
}

// TestRenew: more searches pass than the table can tell apart, and what was put before is never there.
func TestRenew(t *testing.T) {
	table := house.NewTable(8)
	table.Renew()
	for i := range uint64(600) {
		table.PutExact(i/2, 1, 0, 1, 0)
		table.Renew()
		for key := range i {
			if _, _, _, ok := table.Get(key, 0); ok {
				t.Fatalf("after %d searches: key %d", i+1, key)
			}
		}
	}
}

// TestAnyStart seats players where a match begins at a position, and under each ruleset.
func TestAnyStart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, ruleset := range []string{"", `{"repetition":5,"move_limit":75}`} {
		table, err := chess.New().Table([]byte(ruleset))
		if err != nil {
			t.Fatal(err)
		}
		s := setup(t, chess.New(), r.Uint64())
		s.Table = table
		s.Start.Position = "8/8/8/3k4/8/8/8/K6R b - - 50 80"
		result := play(t, s, house.Random(), hard(t, house.Options{}))
		if result.Cause != referee.CausePlay {
			t.Errorf("%s: %v, %s", ruleset, result.Cause, result.Reason)
		}
	}
}

// TestEndings plays endings that are won, both sides by the same player, with either color on the winning side.
func TestEndings(t *testing.T) {
	player := hard(t, house.Options{Nodes: 10_000})
	for _, tt := range []struct{ name, fen string }{
		{"queen", "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1"},
		{"rook", "8/8/8/3k4/8/8/8/K6R w - - 0 1"},
		{"two bishops", "8/8/8/3k4/8/8/8/K4BB1 w - - 0 1"},
		{"pawn", "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"},
		{"a rook and pawns more", "6k1/5ppp/8/8/8/8/PP3PPP/R5K1 w - - 0 1"},
		{"a knight more, with pawns", "4k3/ppp2ppp/8/8/8/8/PPP2PPP/4KN2 w - - 0 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.name != "queen" {
				t.Skip("takes a second, some with the race detector")
			}
			for winner, p := range []chess.Position{parse(t, tt.fen), mirror(t, parse(t, tt.fen))} {
				s := setup(t, chess.New(), 1)
				s.Start.Position = p.FEN()
				if r := play(t, s, player, player); r.Cause != referee.CausePlay || r.Returns[winner] != 1 {
					t.Errorf("%s: %v, %s, %v", p.FEN(), r.Cause, r.Reason, r.Returns)
				}
			}
		})
	}
}
