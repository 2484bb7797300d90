package chess_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// FuzzParseFEN: what is read is written as it was, has consistent moves, and leads to positions that can be read.
func FuzzParseFEN(f *testing.F) {
	for _, fen := range walks {
		f.Add(fen)
	}
	for _, p := range tricky(f) {
		f.Add(p.FEN)
	}
	f.Add("r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP/5RK1 w - - 0 1")
	f.Fuzz(func(t *testing.T, fen string) {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			if !errors.Is(err, chess.ErrFEN) || p != (chess.Position{}) || len(err.Error()) > 300 {
				t.Fatalf("%q: %v with %+v", fen, err, p)
			}
			return
		}
		if p.FEN() != fen {
			t.Fatalf("%q is written as %q", fen, p.FEN())
		}
		legal := p.Legal(nil)
		if p.Count() != len(legal) || p.HasLegal() != (len(legal) > 0) {
			t.Fatalf("%q: %d moves, Count %d, HasLegal %t", fen, len(legal), p.Count(), p.HasLegal())
		}
		for _, m := range legal {
			next := p
			next.Play(m)
			if again, err := chess.ParseFEN(next.FEN()); err != nil || again != next {
				t.Fatalf("%q after %s: %q, %v", fen, m, next.FEN(), err)
			}
		}
	})
}

// FuzzRead: whatever text, on whatever board of walks, is one legal move or an error of a kind that is documented.
func FuzzRead(f *testing.F) {
	for i := range walks {
		for _, text := range []string{"e2e4", "b7b8Q", "0-0", "O-O-O+", "e1h1", "Nbd2", "exd8=Q#", "Kh2", "e8g8", " f5 ", "z9z9", "\x002e4", "fxe8=N", "R1a3", "gxf6"} {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, board int, text string) {
		p := parse(t, walks[uint(board)%uint(len(walks))])
		before := p
		for _, read := range []func(string) (chess.Move, error){p.ParseUCI, p.ParseSAN, p.Read} {
			m, err := read(text)
			if err == nil && !p.IsLegal(m) {
				t.Fatalf("%q is %s, which is not legal", text, m)
			}
			if err != nil && (m != chess.NoMove || len(err.Error()) > 500 ||
				!errors.Is(err, chess.ErrNotation) && !errors.Is(err, chess.ErrIllegal) && !errors.Is(err, chess.ErrAmbiguous)) {
				t.Fatalf("%q: %s, %v", text, m, err)
			}
		}
		if p != before {
			t.Fatalf("%q changed the position", text)
		}
	})
}

// FuzzAction: whatever arrives as an action is refused with a hint, or recorded as a legal move that is recorded as itself.
func FuzzAction(f *testing.F) {
	for _, text := range []string{`"e2e4"`, `"e7e8q"`, `"Nf3"`, `" e4\n"`, `"0-0"`, `null`, `12`, `{"move":"e2e4"}`, `"\u0000"`, `"e2e4\u0000"`, `"\ud800"`, `["e2e4"]`, ``, "\xff"} {
		f.Add(text)
	}
	games := []*game.State{start(f, strict, walks[1]), start(f, lenient, walks[1])}
	f.Fuzz(func(t *testing.T, text string) {
		var a chess.Action
		if err := json.Unmarshal([]byte(text), &a); err == nil && text != "null" {
			again, err := json.Marshal(a)
			var b chess.Action
			if err != nil || json.Unmarshal(again, &b) != nil || a != b {
				t.Fatalf("%q is %q, and once more %q: %v", text, a, b, err)
			}
		}
		for _, s := range games {
			s := s.Clone()
			got, err := s.Check(0, game.Action(text))
			if err != nil {
				if !errors.Is(err, game.ErrIllegal) {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			if again, err := s.Check(0, got); again != got || err != nil {
				t.Fatalf("%q is recorded as %s, and that as %s, %v", text, got, again, err)
			}
			if _, err := s.Play(0, got); err != nil {
				t.Fatalf("%q is recorded as %s, and then not legal: %v", text, got, err)
			}
		}
	})
}
