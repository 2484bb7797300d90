package pgn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	notnil "github.com/notnil/chess"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// equal compares games; nil and empty lists are the same, and so are equal times.
var equal = cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(game.Opt[time.Duration]{})}

// mustGame makes a game of UCI moves.
func mustGame(t testing.TB, start, moves string) *Game {
	t.Helper()
	r := Record{Start: start, Result: Unknown}
	for _, m := range strings.Fields(moves) {
		r.Moves = append(r.Moves, Ply{UCI: m})
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// write gives a game's text, and checks what holds of every text.
func write(t interface {
	Helper()
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, g *Game) string {
	t.Helper()
	b, err := g.Append(nil)
	if err != nil {
		t.Fatalf("%v of %+v", err, g)
	}
	text := string(b)
	_, movetext, _ := strings.Cut(text, "]\n\n")
	for line := range strings.SplitSeq(movetext, "\n") {
		// A line is only too long for words that may not stand at the beginning of one: all others begin and end within it, or have it to themselves.
		column := 0
		for i, word := range strings.Split(line, " ") {
			n := utf8.RuneCountInString(word)
			if i > 0 && column+1+n > width && word[0] != '%' && word[0] != '[' {
				t.Errorf("%q could stand in the next line: %s", word, line)
			}
			column += 1 + n
			if i == 0 {
				column--
			}
		}
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "[") {
			t.Errorf("a line begins with %.1q", line)
		}
	}
	return text
}

// readOne reads a text that holds one game.
func readOne(text string) (*Game, error) {
	r := NewReader(strings.NewReader(text))
	g, err := r.Next()
	if err != nil {
		return nil, err
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("behind the game: %w", err)
	}
	return g, nil
}

func TestExport(t *testing.T) {
	s := game.Some[time.Duration]
	r := Record{
		Result: BlackWins, Termination: Normal,
		Tags: []Tag{
			{"White", `Ann "the Rook" \ Co`}, {"Black", "Bob\nBobson\xff"}, {"Date", "2026.11.30"}, {"Round", "1"}, {"Event", "Friendly"},
			{"Site", "?"}, {"Annotator", "nobody"},
		},
		Moves: []Ply{
			{UCI: "f2f3", Clock: s(5 * time.Minute), Comment: "A curious\tstart, {as they say}, and a [%clk 0:00:01] of one's own making"},
			{UCI: "e7e5", Elapsed: s(1250*time.Millisecond + 7), Clock: s(4*time.Minute + 58750*time.Millisecond)},
			{UCI: "g2g4"},
			{UCI: "d8h4", Comment: "\xff\x00}"},
		},
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	want := `[Event "Friendly"]
[Site "?"]
[Date "2026.11.30"]
[Round "1"]
[White "Ann \"the Rook\" \\ Co"]
[Black "Bob` + "\uFFFDBobson\uFFFD" + `"]
[Result "0-1"]
[Annotator "nobody"]
[Termination "normal"]

1. f3 {[%clk 0:05:00] A curious start, {as they say), and a (%clk 0:00:01] of
one's own making} 1... e5 {[%clk 0:04:58.75] [%emt 0:00:01.25]} 2. g4 Qh4#
{` + "\uFFFD\uFFFD" + `)} 0-1

`
	text := write(t, g)
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	again, err := readOne(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(g, again, equal); diff != "" {
		t.Error(diff)
	}
}

func TestExportFrom(t *testing.T) {
	g := mustGame(t, "7k/8/6K1/8/8/8/R7/8 b - - 20 60", "h8g8 a2a8")
	g.Result = WhiteWins
	want := `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1-0"]
[FEN "7k/8/6K1/8/8/8/R7/8 b - - 20 60"]
[SetUp "1"]

60... Kg8 61. Ra8# 1-0

`
	g.Tags[6].Value = string(WhiteWins)
	text := write(t, g)
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	if g := mustGame(t, chess.StartFEN, "e2e4"); g.Start != "" {
		t.Errorf("the usual start is written as %s", g.Start)
	}
}

// TestReplay: moves are kept as they were played, whatever stands on their squares later.
func TestReplay(t *testing.T) {
	t.Run("B107", func(t *testing.T) {
		// Black castles by e8g8. Later his queen stands on e8, and plays e8g8 too.
		const moves = "e2e4 e7e5 g1f3 g8f6 f1e2 f8c5 d2d3 e8g8 e1g1 d7d6 c1g5 d8e8 b1c3 f6h5 a2a3 f7f5 b2b3 f8f6 a3a4 g8h8 d1d2 e8g8 f1d1"
		g := mustGame(t, "", moves)
		final, err := g.Final()
		if err != nil {
			t.Fatal(err)
		}
		text := write(t, g)
		if !strings.Contains(text, " d3 O-O 5. O-O") || !strings.Contains(text, " Qe8 ") || !strings.Contains(text, " Qg8 ") {
			t.Fatalf("not the game that this is about: %s", text)
		}
		again, err := readOne(text)
		if err != nil {
			t.Fatal(err)
		}
		var uci []string
		for _, m := range again.Moves {
			uci = append(uci, m.String())
		}
		if got := strings.Join(uci, " "); got != moves {
			t.Errorf("%s became %s", moves, got)
		}
		if p, err := again.Final(); err != nil || p != final {
			t.Errorf("ends with %s, not %s: %v", p.FEN(), final.FEN(), err)
		}
	})
}

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
		{"1. e4 \x00 *", "column 7: control character U+0000"},
		{"1. e4 {\xff} *", "column 8: not UTF-8"},
		{"1. e4 é *", "column 7: the game ends"},
		{"1. " + long("x", 17) + " *", "column 4: over 16"},
		{long("[A \"\"]\n", 2), "line 2, column 1: the tag A stands twice"},
		{long(" ", MaxGame+9), "a game of over 8388608 bytes"},
		{manyTags(), "over 128 tags"},
		{manyMoves(), "over 32768 moves"},
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
		r := NewReader(io.MultiReader(strings.NewReader("1. e4"), failing{broken}))
		if _, err := r.Next(); !errors.Is(err, broken) {
			t.Error(err)
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

func TestUnwritable(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Game)
		want   string
	}{
		{"result", func(g *Game) { g.Result = "" }, "Result:"},
		{"tag name", func(g *Game) { g.Tags = append(g.Tags, Tag{"a b", ""}) }, "no name"},
		{"tag value", func(g *Game) { g.Tags = append(g.Tags, Tag{"a", "b\n"}) }, "not one line"},
		{"tag twice", func(g *Game) { g.Tags = append(g.Tags, Tag{"White", "b"}) }, "stands twice"},
		{"FEN", func(g *Game) { g.Tags = append(g.Tags, Tag{"FEN", "b"}) }, "comes from Start"},
		{"another result", func(g *Game) { g.Result = Draw }, "but the game ends"},
		{"start", func(g *Game) { g.Start = "nowhere" }, "Start:"},
		{"tags", func(g *Game) {
			for i := range MaxTags {
				g.Tags = append(g.Tags, Tag{fmt.Sprint("T", i), ""})
			}
		}, "over 128"},
		{"illegal", func(g *Game) { g.Moves[2] = g.Moves[0] }, "ply 3"},
		{"brace", func(g *Game) { g.Moves[1].Comments = []string{"}"} }, "ply 2: not a comment"},
		{"blanks", func(g *Game) { g.Moves[1].Comments = []string{"a  b"} }, "not a comment"},
		{"empty", func(g *Game) { g.Comments = []string{""} }, "ply 0: not a comment"},
		{"line", func(g *Game) { g.Comments = []string{"a\nb"} }, "not a comment"},
		{"clock", func(g *Game) { g.Moves[0].Comments = []string{"a [%clk 0:00:00]"} }, "not a comment"},
		{"time", func(g *Game) { g.Moves[0].Clock = game.Some(-time.Second) }, "not a whole number"},
		{"precise", func(g *Game) { g.Moves[0].Elapsed = game.Some(time.Microsecond) }, "not a whole number"},
		{"long", func(g *Game) { g.Moves[0].Elapsed = game.Some(maxClock + 1) }, "not a whole number"},
		{"no moves", func(g *Game) { g.Moves[0].Variations = make([]Variation, 1) }, "without moves"},
		{"deep", func(g *Game) {
			m := &g.Moves[0]
			for range MaxDepth + 1 {
				m.Variations = []Variation{{Moves: []Move{{Move: g.Moves[0].Move}}}}
				m = &m.Variations[0].Moves[0]
			}
		}, "within 16 others"},
		{"comments", func(g *Game) { g.Comments = make([]string, MaxNotes+1) }, "over 256"},
		{"NAGs", func(g *Game) { g.Moves[0].NAGs = make([]uint8, MaxNotes+1) }, "over 256"},
		{"large", func(g *Game) {
			for range MaxNotes {
				g.Comments = append(g.Comments, strings.Repeat("x", MaxComment))
			}
		}, "over 8388608 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := mustGame(t, "", "e2e4 e7e5 g1f3")
			tt.change(g)
			b, err := g.Append([]byte("before"))
			if err == nil || !strings.Contains(err.Error(), tt.want) || string(b) != "before" {
				t.Errorf("%v, %.80q; want %s", err, b, tt.want)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \n\t ": "", "a  b\r\nc": "a b c", "{a}": "{a)", "[%clk 0:00:01] [%eval 3]": "(%clk 0:00:01] (%eval 3]", "a\x00\xffb": "a\uFFFD\uFFFDb",
		"\u0085": "\uFFFD", strings.Repeat("é", MaxComment): strings.Repeat("é", MaxComment/2), strings.Repeat("x ", MaxComment): strings.Repeat("x ", MaxComment/2-1) + "x",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%.40q became %.40q, not %.40q", text, got, want)
		}
	}
}

// randomGame plays and annotates by lot.
func randomGame(r *rand.Rand) *Game {
	g := &Game{Result: []Result{WhiteWins, BlackWins, Draw, Unknown}[r.IntN(4)]}
	p := chess.Initial()
	if r.IntN(4) == 0 {
		for range r.IntN(60) {
			if l := p.Legal(nil); len(l) > 0 {
				p.Play(l[r.IntN(len(l))])
			}
		}
		if p != chess.Initial() {
			g.Start = p.FEN()
		}
	}
	for _, t := range roster[:6] {
		g.Tags = append(g.Tags, Tag{t.Name, randomText(r, "\"\\ é%[")})
	}
	g.Tags = append(g.Tags, Tag{"Result", string(g.Result)})
	if r.IntN(2) == 0 {
		g.Tags = append(g.Tags, Tag{"ECO", "B90"}, Tag{"Zz_9", randomText(r, "{};")})
	}
	if r.IntN(3) == 0 {
		g.Comments = randomComments(r)
	}
	count := 0
	g.Moves = randomMoves(r, p, 200, 0, &count)
	return g
}

func randomMoves(r *rand.Rand, p chess.Position, most, depth int, count *int) []Move {
	var out []Move
	for range 1 + r.IntN(most) {
		l := p.Legal(nil)
		if len(l) == 0 {
			break
		}
		m := Move{Move: l[r.IntN(len(l))]}
		if r.IntN(8) == 0 {
			m.Comments = randomComments(r)
		}
		if r.IntN(8) == 0 {
			m.NAGs = []uint8{uint8(r.IntN(256))}
		}
		if r.IntN(4) == 0 {
			m.Clock = game.Some(time.Duration(r.Int64N(int64(maxClock))).Truncate(time.Millisecond))
		}
		if r.IntN(4) == 0 {
			m.Elapsed = game.Some(time.Duration(r.Int64N(1e11)).Truncate(100 * time.Millisecond))
		}
		for r.IntN(10) == 0 && depth < 4 && *count < 500 {
			v := Variation{Moves: randomMoves(r, p, 6, depth+1, count)}
			if r.IntN(3) == 0 {
				v.Comments = randomComments(r)
			}
			m.Variations = append(m.Variations, v)
		}
		p.Play(m.Move)
		out = append(out, m)
		*count++
	}
	return out
}

func randomText(r *rand.Rand, more string) string {
	runes := []rune("abc xyz 0189.,:;-_()" + more)
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

func randomComments(r *rand.Rand) []string {
	var out []string
	for range 1 + r.IntN(3) {
		if s := Clean(randomText(r, "%{}[]é\"\\\n\t%clk 0:00:01]")); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestRoundTrip: games written and read again are equal, and a common reader of PGN sees the same moves in them.
func TestRoundTrip(t *testing.T) {
	games := 1000
	if testing.Short() {
		games = 30
	}
	var text bytes.Buffer
	var want []*Game
	for i := range games {
		g := randomGame(game.SeedFrom(uint64(i)).Stream("game", 0))
		want = append(want, g)
		text.WriteString(write(t, g))
	}
	r := NewReader(&text)
	for i, w := range want {
		got, err := r.Next()
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		if !reflect.DeepEqual(w, got) { // cmp takes ten times as long
			t.Fatalf("game %d: %s", i, cmp.Diff(w, got, equal))
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestOracle: notnil/chess reads the same game from what is written here, as far as it reads what was written: no variations, no NAGs.
func TestOracle(t *testing.T) {
	for i := range 30 {
		r := game.SeedFrom(uint64(i)).Stream("oracle", 0)
		g := &Game{Result: Draw}
		p := chess.Initial()
		for range 1 + r.IntN(120) {
			l := p.Legal(nil)
			if len(l) == 0 {
				break
			}
			m := Move{Move: l[r.IntN(len(l))]}
			if r.IntN(4) == 0 {
				m.Clock = game.Some(time.Duration(r.IntN(3600)) * time.Second)
			}
			p.Play(m.Move)
			g.Moves = append(g.Moves, m)
		}
		read, err := notnil.PGN(strings.NewReader(write(t, g)))
		if err != nil {
			t.Fatal(err)
		}
		theirs := notnil.NewGame(read)
		var got, want []string
		for _, m := range theirs.Moves() {
			got = append(got, m.String())
		}
		for _, m := range g.Moves {
			want = append(want, m.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}
