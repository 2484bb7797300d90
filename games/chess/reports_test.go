package chess_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

const (
	strict  = `{"lenient":false}`
	lenient = `{"lenient":true}`
	late    = `{"repetition":5,"move_limit":75}` // draws
)

// accepts plays text and wants the move that is recorded.
func accepts(t *testing.T, ruleset, from, text, want string) *game.State {
	t.Helper()
	s := start(t, ruleset, from)
	got, err := s.Play(mover(s), uci(text))
	if err != nil || got != uci(want) {
		t.Errorf("%s: %q is recorded as %s, not %s: %v", from, text, got, want, err)
	}
	return s
}

// refuses wants each of several ways in to refuse text, with all the hints in the error.
func refuses(t *testing.T, ruleset, from, text string, hints ...string) {
	t.Helper()
	s := start(t, ruleset, from)
	before := game.Dump(s)
	_, check := s.Check(mover(s), uci(text))
	_, play := s.Play(mover(s), uci(text))
	read, parse := s.Parse(mover(s), text)
	if parse == nil { // a move that has the form and is not legal shows it when it is checked
		_, parse = s.Check(mover(s), read)
	}
	for i, err := range []error{check, play, parse} {
		if !errors.Is(err, game.ErrIllegal) {
			t.Errorf("%s: way %d takes %q: %v", from, i, text, err)
			continue
		}
		for _, hint := range hints {
			if !strings.Contains(err.Error(), hint) {
				t.Errorf("%s: way %d: %q is refused without %q: %v", from, i, text, hint, err)
			}
		}
	}
	if game.Dump(s) != before {
		t.Errorf("%s: %q changed something", from, text)
	}
}

func TestReportsMoves(t *testing.T) {
	t.Run("B01", func(t *testing.T) { // an upper-case letter of promotion
		const from = "5k2/1P6/5p2/8/8/8/5PP1/3K4 w - - 1 61"
		s := accepts(t, lenient, from, "b7b8Q", "b7b8q")
		if got, want := fen(t, s), "1Q3k2/8/5p2/8/8/8/5PP1/3K4 b - - 0 61"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
		refuses(t, strict, from, "b7b8Q", "write b7b8q")
	})
	t.Run("B03", func(t *testing.T) { // castling with zeros
		const from = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
		for _, text := range []string{"0-0", "O-O"} {
			s := accepts(t, lenient, from, text, "e1g1")
			if got, want := fen(t, s), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"; got != want {
				t.Errorf("%s, not %s", got, want)
			}
			refuses(t, strict, from, text, "UCI", "write e1g1")
		}
	})
	t.Run("B05", func(t *testing.T) { // castling as the king taking his rook
		for _, tt := range [][4]string{
			{"k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "e1g1", "k7/8/8/8/8/8/8/5RK1 b - - 1 1"},
			{"7k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "e1c1", "7k/8/8/8/8/8/8/2KR4 b - - 1 1"},
			{"4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "e8h8", "e8g8", "5rk1/8/8/8/8/8/8/4K3 w - - 1 2"},
			{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8a8", "e8c8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"},
		} {
			s := accepts(t, lenient, tt[0], tt[1], tt[2])
			if got := fen(t, s); got != tt[3] {
				t.Errorf("%s: %s, not %s", tt[1], got, tt[3])
			}
			refuses(t, strict, tt[0], tt[1], tt[2])
		}
	})
	t.Run("B07", func(t *testing.T) { // a promotion that does not say to what
		const from = "8/3P4/8/8/8/8/8/K1k5 w - - 0 1"
		refuses(t, strict, from, "d7d8", "what the pawn becomes", "d7d8q")
		refuses(t, strict, from, "d8", "what the pawn becomes")
		refuses(t, lenient, from, "d7d8", "what the pawn becomes", "d7d8q")
		refuses(t, lenient, from, "d8", "what the pawn becomes", "d8=Q")
		accepts(t, lenient, from, "d8=Q", "d7d8q")
		accepts(t, strict, from, "d7d8q", "d7d8q")
	})
	t.Run("B09", func(t *testing.T) { // SAN where UCI counts
		const from = "4k3/8/8/8/8/8/P7/6K1 w - - 0 1"
		refuses(t, strict, from, "Kh2", "UCI", "write g1h2")
		refuses(t, strict, from, "Kh4", "only UCI counts here, as in e2e4")
		accepts(t, lenient, from, "Kh2", "g1h2")
	})
	t.Run("B11", func(t *testing.T) { // castling told by UCI
		s := accepts(t, strict, "rnb1k2r/ppp3pp/4pn2/3q4/3P4/2P2N2/P1PB1PPP/R2QKB1R b KQkq - 3 8", "e8g8", "e8g8")
		if got, want := fen(t, s), "rnb2rk1/ppp3pp/4pn2/3q4/3P4/2P2N2/P1PB1PPP/R2QKB1R w KQ - 4 9"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
	})
	t.Run("B12", func(t *testing.T) { // letters and digits off the board
		for _, text := range []string{"z9z9", "e2e9", "i1i2", "e0e1", "e2 e4", `\u00002e4`} {
			for _, ruleset := range []string{strict, lenient} {
				refuses(t, ruleset, "", text)
			}
		}
	})
	t.Run("B14", func(t *testing.T) { // castling with a rook in the way
		s := start(t, "", "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37")
		legal := s.Legal(nil, 1)
		if len(legal) != 35 {
			t.Errorf("%d moves, not 35: %s", len(legal), legal)
		}
		for _, a := range legal {
			if a == uci("e8g8") {
				t.Error("e8g8 is among them")
			}
		}
		refuses(t, strict, "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37", "e8g8")
	})
}

// over wants a game that has ended so, or goes on if reason is "".
func over(t *testing.T, s *game.State, reason string, returns ...float64) {
	t.Helper()
	want := game.Outcome{Returns: returns, Reason: reason}
	if reason == "" {
		want = game.Outcome{}
	}
	if d := cmp.Diff(want, s.Outcome()); d != "" || s.Turn().Over() != (reason != "") {
		t.Errorf("%s: turn %+v, outcome\n%s", fen(t, s), s.Turn(), d)
	}
}

func TestReportsDraws(t *testing.T) {
	t.Run("B15", func(t *testing.T) { // the position was there three times, but once with a capture en passant
		const moves = "g1f3 g8f6 c2c4 c7c5 b2b3 d7d6 d2d4 c5d4 f3d4 e7e5 d4b5 c8e6 g2g3 a7a6 b5c3 d6d5 c4d5 f6d5 f1g2 f8b4 c1d2 b8c6 e1g1 e8g8 c3a4 a8c8 a2a3 b4e7 e2e3 b7b5 a4b2 d8b6 b2d3 f8d8 d1e2 d5f6 d3c1 e5e4 d2c3 f6d5 g2e4 d5c3 b1c3 c6a5 c1a2 a5b3 a1d1 e6c4 e2f3 b6f6 f3g4 c4e6 g4e2 c8c3 a2c3 f6c3 d1d8 e7d8 f1d1 d8e7 e4b7 b3c5 e2f3 g7g6 b7d5 e6d5 f3d5 c3a3 d5e5 c5e6 d1a1 a3d6 e5d6 e7d6 a1a6 d6c5 g1f1 g8f8 f1e2 f8e7 e2d3 e7d7 g3g4 d7c7 a6a8 c7c6 f2f4 c5e7 a8c8 c6d5 c8e8 d5d6 g4g5 f7f5 e8b8 d6c6 b8e8 c6d6 e8b8 d6c6 b8e8 c6d6"
		for _, ruleset := range []string{"", late} {
			s := start(t, ruleset, "")
			play(t, s, moves)
			over(t, s, "")
		}
		s := start(t, "", "")
		play(t, s, moves+" e8b8") // the position after this move was there twice
		over(t, s, "threefold_repetition", 0, 0)
		s = start(t, late, "")
		play(t, s, moves+" e8b8 d6c6 b8e8 c6d6 e8b8 d6c6 b8e8 c6d6")
		over(t, s, "")
		play(t, s, "e8b8") // the fifth time
		over(t, s, "fivefold_repetition", 0, 0)
	})
	t.Run("B17", func(t *testing.T) { // a long game in which nothing was there three times
		const moves = "g1f3 c7c5 c2c4 g8f6 b1c3 e7e6 g2g3 b7b6 f1g2 c8b7 e1g1 f8e7 f1e1 f6e4 d2d4 e4c3 b2c3 e8g8 e2e4 d7d6 c1f4 d8c7 g2f1 b8c6 f1d3 e6e5 d4e5 d6e5 f4e3 a8d8 d1e2 d8d6 a1d1 f8d8 d1d2 e7f6 e1d1 d8d7 g3g4 f6e7 g4g5 c7d8 e2f1 a7a6 f1e2 b7a8 g1f1 d6e6 f1g1 a8b7 g1h1 d8c7 h1g1 c7c8 h2h4 e6d6 h4h5 f7f6 f3h4 f6g5 h4f5 d6f6 f5e7 c6e7 e3g5 f6d6 f2f4 e7c6 e2h2 h7h6 g5h4 e5f4 h2f4 g7g5 h5g6 d6g6 g1h1 d7f7 f4h2 c8g4 d1g1 g4g1 h2g1 g6g1 h1g1 c6e5 d3e2 b7e4 d2d6 f7g7 g1f1 g7g6 d6g6 e4g6 h4d8 g8f7 d8b6 e5d7 b6c7 h6h5 f1g2 d7f6 c7g3 f7e6 g2f3 g6b1 a2a3 b1f5 f3f4 f5g4 e2d3 f6d7 g3f2 e6d6 f2e3 a6a5 e3f2 d7b6 f2g3 d6e6 f4g5 e6d7 g3f2 d7d6 f2g3 d6c6 d3e4 c6d7 g3f2 d7d6 f2g3 d6e7 g3f2 e7d6"
		for _, ruleset := range []string{"", late} {
			s := start(t, ruleset, "")
			play(t, s, moves) // which fails where the game is over before
			over(t, s, "")
		}
	})
	t.Run("B19", func(t *testing.T) { // a rook that was a pawn is a rook
		const from, swap = "5R2/3P4/8/8/7r/7r/7k/K7 w - - 0 1", " h2g2 d8d7 g2h2 f8d8 h2g2 d7f7 g2h2 f7f8"
		s := start(t, "", from)
		play(t, s, "d7d8r"+swap)
		over(t, s, "")
		if got, want := strings.Fields(fen(t, s))[0], "3R1R2/8/8/8/7r/7r/7k/K7"; got != want {
			t.Errorf("%s, not %s", got, want)
		}
		play(t, s, swap)
		over(t, s, "threefold_repetition", 0, 0)
		s = start(t, late, from)
		play(t, s, "d7d8r"+swap+swap+swap)
		over(t, s, "")
		play(t, s, swap)
		over(t, s, "fivefold_repetition", 0, 0)
	})
	t.Run("B21", func(t *testing.T) { // bishops of one colour
		for _, ruleset := range []string{"", late} {
			over(t, start(t, ruleset, "2b5/4kB2/8/8/8/8/5K2/8 b - - 0 16"), "insufficient_material", 0, 0)
			s := start(t, ruleset, "2b5/4kBp1/8/8/8/8/5K2/8 b - - 0 16")
			over(t, s, "")
			s = start(t, ruleset, "1b6/4kB2/8/8/8/8/5K2/8 b - - 0 16") // of different colours: mate is possible
			over(t, s, "")
		}
	})
	t.Run("B23", func(t *testing.T) { // a knight can mate where the other side has a rook
		const from = "7k/8/8/5R2/3K4/8/1n6/8 w - - 0 1"
		for _, ruleset := range []string{"", `{"forfeit_draws":false}`} {
			s := start(t, ruleset, from)
			got, ok := s.Forfeit(game.Seats(0))
			if d := cmp.Diff(game.Outcome{Returns: []float64{-1, 1}, Reason: "forfeit"}, got); d != "" || !ok {
				t.Errorf("%t\n%s", ok, d)
			}
		}
		got, _ := start(t, "", "7k/8/8/5Q2/3K4/8/1n6/8 w - - 0 1").Forfeit(game.Seats(0)) // a queen gets out of the way of no mate
		if d := cmp.Diff(game.Outcome{Returns: []float64{0, 0}, Reason: "forfeit_insufficient_material"}, got); d != "" {
			t.Error(d)
		}
	})
	t.Run("B25", func(t *testing.T) { // a clock that is beyond the limit already
		const from = "8/8/6k1/8/8/3K4/8/R7 w - - 103 80"
		s := start(t, "", from)
		over(t, s, "")
		play(t, s, "a1a2")
		over(t, s, "fifty_moves", 0, 0)
		s = start(t, late, from)
		play(t, s, "a1a2 g6g7")
		over(t, s, "")
		s = start(t, late, "8/8/6k1/8/8/3K4/8/R7 w - - 148 80")
		play(t, s, "a1a2")
		over(t, s, "")
		play(t, s, "g6g7")
		over(t, s, "seventy_five_moves", 0, 0)
	})
}

func TestReportsFEN(t *testing.T) {
	t.Run("B27", func(t *testing.T) {
		const text = "r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP/5RK1 w - - 0 1"
		_, err := chess.ParseFEN(text)
		if !errors.Is(err, chess.ErrFEN) || !strings.Contains(err.Error(), "rank 2 has 7 files") {
			t.Errorf("ParseFEN: %v", err)
		}
		table, err := chess.New().Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Start(game.Setup{Seats: 2, Position: text}); !errors.Is(err, game.ErrSetup) || !errors.Is(err, chess.ErrFEN) {
			t.Errorf("Start: %v", err)
		}
	})
}

func TestReportsReplay(t *testing.T) {
	t.Run("B31", func(t *testing.T) { // saved after an odd number of plies, the other side was to move
		table, err := chess.New().Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []string{"", "4k3/8/8/8/8/8/4P3/4K3 b - - 7 30"} {
			setup := game.Setup{Seats: 2, Position: from}
			s, err := table.Start(setup)
			if err != nil {
				t.Fatal(err)
			}
			r := random(31)
			var steps []game.Step
			for n := range 7 {
				seat := mover(s)
				legal := s.Legal(nil, seat)
				a := legal[r.IntN(len(legal))]
				if _, err := s.Play(seat, a); err != nil {
					t.Fatal(err)
				}
				steps = append(steps, game.Step{{Seat: seat, Action: a}})
				again, err := table.Replay(setup, steps)
				if err != nil {
					t.Fatal(err)
				}
				if again.Turn() != s.Turn() || game.Dump(again) != game.Dump(s) || again.Steps() != n+1 {
					t.Errorf("after %d plies: %+v, replayed %+v", n+1, s.Turn(), again.Turn())
				}
				saved, err := table.Start(game.Setup{Seats: 2, Position: fen(t, s)}) // through the FEN the side to move survives, too
				if err != nil || saved.Turn() != s.Turn() || fen(t, saved) != fen(t, s) {
					t.Errorf("after %d plies: %+v from the FEN, %v", n+1, saved.Turn(), err)
				}
			}
		}
	})
	t.Run("B107", func(t *testing.T) { // castling is still castling when a queen stands on e8
		table, err := chess.New().Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		s := start(t, "", "4k2r/8/8/8/8/8/3Q4/4K3 b k - 0 1")
		const moves = "e8g8 d2d8 g8g7 d8e8 f8f7"
		play(t, s, moves)
		var steps []game.Step
		for i, m := range s.View(game.Spectator).(chess.View).MoveHistoryUCI {
			steps = append(steps, game.Step{{Seat: game.Seat((i + 1) % 2), Action: uci(m.String())}})
		}
		if got := fmt.Sprint(s.View(0).(chess.View).MoveHistoryUCI); got != "["+moves+"]" {
			t.Errorf("recorded as %s", got)
		}
		again, err := table.Replay(game.Setup{Seats: 2, Position: "4k2r/8/8/8/8/8/3Q4/4K3 b k - 0 1"}, steps)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fen(t, again), "4Q3/5rk1/8/8/8/8/8/4K3 w - - 5 4"; got != want || fen(t, s) != want {
			t.Errorf("played to %s, replayed to %s, not %s", fen(t, s), got, want)
		}
	})
}
