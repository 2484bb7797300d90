package pgn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestImport reads what others write.
func TestImport(t *testing.T) {
	const text = "\uFEFF; a file of nobody's\n% for nobody's eyes ]{\n[White\t\"A\"][Black \"B \\\"C\\\"\"]\r\n [ Result \"1/2-1/2\" ]\r\n\r\n" +
		"{before} 1.e4! {x[%clk 1:0:0] [%clk 0:10:05][%emt 0:00:02.5]}e5?! $19 (1... c5 2 . Nf3 (2.Nc3!? {closed}) Nc6)(;sharp}\n" +
		"1...d5 2.exd5)2. {why}\n% e4 e5\n Nf3 Nc6 {0} {} 3 Bb5 1/2-1/2\n\n1. d4 *\r\n e4 1-0 {the end}"
	var got []string
	for g, err := range NewReader(strings.NewReader(text)).All() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, write(t, g))
	}
	unknown := func(result string) string {
		return `[Event "?"]` + "\n" + `[Site "?"]` + "\n" + `[Date "????.??.??"]` + "\n" + `[Round "?"]` + "\n" + `[White "?"]` + "\n" + `[Black "?"]` + "\n" +
			`[Result "` + result + `"]` + "\n\n"
	}
	want := []string{
		`[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "B \"C\""]
[Result "1/2-1/2"]

{a file of nobody's} {before} 1. e4 $1 {[%clk 0:10:05] [%emt 0:00:02.5] x[%clk
1:0:0]} 1... e5 $6 $19 {why} (1... c5 2. Nf3 (2. Nc3 $5 {closed}) 2... Nc6)
({sharp)} 1... d5 2. exd5) 2. Nf3 Nc6 {0} 3. Bb5 1/2-1/2

`,
		unknown("*") + "1. d4 *\n\n",
		unknown("1-0") + "1. e4 1-0\n\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRefused(t *testing.T) {
	long := strings.Repeat
	tests := []struct{ text, want string }{
		{"[", "line 1, column 2: a tag is a name"},
		{"[White", "column 7: a tag is"},
		{"[White x]", "a tag is"},
		{"[White \"x]\n*", "column 11: the value of White does not end"},
		{`[White "x" y] *`, "column 12: a tag ends"},
		{`[White "x\n"] *`, "column 9: a backslash"},
		{`[White "x"] [White "y"] *`, "column 13: the tag White stands twice"},
		{`[Wh-ite "x"] *`, "a tag is a name"},
		{`[` + long("x", MaxName+1) + ` "x"] *`, "over 64 bytes"},
		{`[White "` + long("x", MaxValue+1) + `"] *`, "the value of White is not one line"},
		{`[White "` + long("x", 2*MaxValue+1) + `"] *`, "over 2048 bytes"},
		{"[White \"a\tb\"] *", "not one line"},
		{`[Result "1-0"] *`, "column 17: the result is *, but the tag says"},
		{`[Result "won"] 1-0`, "the result is 1-0"},
		{`[SetUp "1"] *`, "promises"},
		{`[SetUp "2"] *`, "0 or 1"},
		{`[FEN ""] *`, "column 1: chess: bad FEN"},
		{`[SetUp "1"][FEN ""] *`, "promises"},
		{`[SetUp "0"][FEN ""] *`, "there is no FEN"},
		{`[Variant "Atomic"] 1. e4 *`, "column 1: the tag Variant is of another game"},
		{`[Variant "Standard"] 1. e4 *`, ""},
		{`[Variant "From Position"][FEN "7k/8/6K1/8/8/8/R7/8 b - - 20 60"] *`, ""},
		{`[SetUp "0"][FEN "7k/8/6K1/8/8/8/R7/8 b - - 20 60"] *`, "there is no FEN"},
		{"\n" + `[FEN "7k/8/6K1/8/8/8/R7/9 b - - 20 60"] *`, "line 2, column 1: chess: bad FEN"},
		{"1. e4", "column 6: the game ends without a result"},
		{"1. e4 e5\n\n[White \"x\"] *", "line 3, column 1: the game ends without a result"},
		{"1. e4 e4 *", "column 7: "},
		{"1. e4 2. e5 *", "column 7: move number 2 where 1 is due"},
		{"1. e4 1... e5 1... *", "move number 1 where 2"},
		{"1. Nf3 Nf6 2. Ng1 Ng8 3. Nh3 1-0", ""},
		{"1. Nc3 e5 2. Ne2 *", "column 14: "},
		{"1. 0-0 *", "column 4: "},
		{"1. e4!!! *", "the mark !!! is not"},
		{"1. e4 $256 *", "column 7: behind a dollar"},
		{"1. e4 $ *", "behind a dollar"},
		{"$1 e4 *", "column 1: the game ends"},
		{"(1. e4) *", "column 1: the game ends"},
		{"1. e4 () *", "column 7: a variation without moves"},
		{"1. e4 (1. d4 *) *", "a result within a variation"},
		{"1. e4 (1. d4", "column 13: neither a move nor the end of the variation of line 1, column 7"},
		{"1. e4 (1. e5) *", "column 11: "},
		{"1. e4 " + long("(d4 ", MaxDepth+1), "column 71: over 16 variations"},
		{"1. e4 " + long("(d4) ", MaxNotes+1), "or over 256 at one move"},
		{"1. e4 " + long("{x}", MaxNotes+1), "over 256 comments"},
		{"1. e4 " + long("$1 ", MaxNotes+1), "over 256 NAGs"},
		{"1. e4 {never ends *", "column 7: a comment without an end"},
		{"1. e4 {" + long("x", MaxComment+1), "over 65536 bytes"},
		{"1. e4 {" + long("][%", MaxComment/3) + "}", "a comment of over 65536"},
		{"[White \x00", "column 8: control character U+0000"},
		{"1. e4 % e5\n *", "column 7: the game ends"},
		{"1. e4 \x00 *", "column 7: control character U+0000"},
		{"1. e4 {\xff} *", "column 8: not UTF-8"},
		{"1. e4 é *", "column 7: the game ends"},
		{"1. " + long("x", 17) + " *", "column 4: over 16"},
		{long("[A \"\"]\n", 2), "line 2, column 1: the tag A stands twice"},
		{long(" ", MaxGame+9), "a game of over 8388608 bytes"},
		{manyTags(), "over 128 tags"},
		{manyMoves(), "over 32768 moves"},
		// It fits as it is, but not with the tags and spaces that it would be written with.
		{"1. e4" + long("{"+long("x", 65_000)+"}", 129) + "{" + long("x", 3_330) + "}*", "a game of over 8388608 bytes"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%.40s", tt.text), func(t *testing.T) {
			g, err := readOne(tt.text)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v (%+v); want %s", err, g, tt.want)
			}
		})
	}
	t.Run("the same again", func(t *testing.T) {
		r := NewReader(strings.NewReader("1. e5 *\n1. e4 *"))
		_, first := r.Next()
		if _, second := r.Next(); first == nil || second != first {
			t.Errorf("%v, then %v", first, second)
		}
	})
	t.Run("the source's own", func(t *testing.T) {
		broken := errors.New("broken")
		for _, text := range []string{"", "1. e4", "1. e4 (", "1. e4 {x", "[", "[White ", "[White \"x", "[White \"x\" "} {
			r := NewReader(io.MultiReader(strings.NewReader(text), failing{broken}))
			if _, err := r.Next(); !errors.Is(err, broken) {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func manyTags() string {
	s := ""
	for i := range MaxTags + 1 {
		s += fmt.Sprintf("[T%d \"\"]", i)
	}
	return s
}

func manyMoves() string {
	return strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", MaxMoves/4) + "Nf3 *"
}
