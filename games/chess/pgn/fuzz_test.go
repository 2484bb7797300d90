package pgn

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
)

// FuzzRead: no text makes a panic, and games that are read are written and read again as equal ones.
func FuzzRead(f *testing.F) {
	seeds := []string{
		"1. e4 {0} e5 2. Nf3 *", "[White \"A \\\"B\\\"\"]\n\n1. e4! {x [%clk 0:00:01][%emt 0:00:02.5]} e5 $3 (1... c5 (1... e6) {y}) 1/2-1/2\n\n1-0",
		"[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/R7/8 b - - 20 60\"]\n60... Kg8 61. Ra8# 1-0", "; comment }\n% nothing\n1.d4 ({a} 1.c4) d5 0-1",
		"\uFEFF[Result \"*\"]*", "1. e4 {%a [%clk [%clk 0:00:01] 0:00:02] %b} *",
	}
	for i := range 4 {
		if b, err := randomGame(game.SeedFrom(uint64(i)).Stream("seed", 0)).Append(nil); err == nil && len(b) < 8<<10 {
			seeds = append(seeds, string(b))
		}
	}
	if len(seeds) < 7 {
		f.Fatalf("%d seeds", len(seeds))
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := NewReader(strings.NewReader(text))
		for range 50 {
			g, err := r.Next()
			if err != nil {
				var syntax *SyntaxError
				if !errors.Is(err, io.EOF) && (!errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1) {
					t.Fatalf("%v of %q", err, text)
				}
				return
			}
			written := write(t, g)
			again, err := readOne(written)
			if err != nil {
				t.Fatalf("%v of %q", err, written)
			}
			if diff := cmp.Diff(g, again, equal); diff != "" {
				t.Fatalf("%s: %q, then %q", diff, text, written)
			}
			if twice := write(t, again); twice != written {
				t.Fatalf("%q, then %q", written, twice)
			}
		}
	})
}

// FuzzComment: any text is made fit to be a comment, and what is fit stays as it is.
func FuzzComment(f *testing.F) {
	seeds := []string{"", "}", "[%clk 0:00:01]", "[% clk\n%x", "\xff\x00", "a\u0085b", "é][%emt 0:00:01]"}
	if len(seeds) == 0 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := Clean(text)
		if clean == "" {
			return
		}
		if err := checkComment(clean, true); err != nil {
			t.Fatalf("%q: %v", clean, err)
		}
		if twice := Clean(clean); twice != clean {
			t.Fatalf("%q, then %q", clean, twice)
		}
	})
}

// FuzzEPD: no line makes a panic, and what is read is written and read again as the same.
func FuzzEPD(f *testing.F) {
	seeds := []string{
		`rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id "King's pawn"; hmvc 0; fmvn 1; bm c5 e5; am f6;`,
		`7k/8/6K1/8/8/8/R7/8 b - - fmvn 60; hmvc 20; c0 "a;b" x 1.5 -3;`, `7k/8/6K1/8/8/8/R7/8 w - - bm Ra8#;`, "", "x",
	}
	if len(seeds) == 0 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		e, err := ParseEPD(line)
		if err != nil {
			if !errors.Is(err, ErrEPD) {
				t.Fatal(err)
			}
			return
		}
		text := e.String()
		again, err := ParseEPD(text)
		if err != nil {
			t.Fatalf("%q became %q: %v", line, text, err)
		}
		if again.Position != e.Position || !cmp.Equal(again.Operations, e.Operations) {
			t.Fatalf("%q became %q", line, text)
		}
	})
}
