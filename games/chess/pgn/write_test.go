package pgn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

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

func TestRecordRefused(t *testing.T) {
	tests := []struct {
		name string
		r    Record
		want string
	}{
		{"start", Record{Start: "nowhere", Result: Draw}, "Start: chess: bad FEN"},
		{"result", Record{}, "Result:"},
		{"move", Record{Result: Draw, Moves: []Ply{{UCI: "e2e4"}, {UCI: "e2e4"}}}, "ply 2: "},
		{"no move", Record{Result: Draw, Moves: []Ply{{UCI: "Nf3"}}}, "ply 1: "},
		{"tag", Record{Result: Draw, Tags: []Tag{{"a b", ""}}}, "no name"},
		{"a tag of ours", Record{Result: Draw, Tags: []Tag{{"SetUp", "0"}}}, "comes from Start"},
		{"termination twice", Record{Result: Draw, Termination: Normal, Tags: []Tag{{"Termination", "x"}}}, "stands twice"},
		{"moves", Record{Result: Draw, Moves: make([]Ply, MaxMoves+1)}, "over 32768"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if g, err := tt.r.Game(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%+v, %v; want %s", g, err, tt.want)
			}
		})
	}
}

// TestRecordCleans: what agents bring in becomes fit to be written.
func TestRecordCleans(t *testing.T) {
	s := game.Some[time.Duration]
	r := Record{
		Result: Draw, Tags: []Tag{{"White", strings.Repeat("é", MaxValue)}},
		Moves: []Ply{{UCI: "e2e4", Clock: s(-time.Second), Elapsed: s(maxClock * 2)}, {UCI: "e7e5", Clock: s(1500 * time.Microsecond), Comment: "{"}},
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(g.Tag("White")); n != MaxValue {
		t.Errorf("a name of %d bytes", n)
	}
	if text := write(t, g); !strings.Contains(text, "1. e4 {[%clk 0:00:00] [%emt 9999:59:59.999]} 1... e5 {[%clk 0:00:00.001] {}\n1/2-1/2") {
		t.Error(text)
	}
}

// TestManyWords: whatever agents say in a long match, it can be written, and neither loses words to the other.
func TestManyWords(t *testing.T) {
	r := Record{Result: Draw}
	for i := range 2400 {
		ply := Ply{UCI: [...]string{"g1f3", "g8f6", "f3g1", "f6g8"}[i%4], Comment: "brief"}
		if i < 1000 {
			ply.Comment = strings.Repeat("😀", 4096)
		}
		r.Moves = append(r.Moves, ply)
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	again, err := readOne(write(t, g))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(g, again, equal); diff != "" {
		t.Error(diff)
	}
	const share = MaxWords / 2400
	for i, want := range map[int]string{0: r.Moves[0].Comment[:share/4*4], 999: r.Moves[0].Comment[:share/4*4], 1000: "brief", 2399: "brief"} {
		if got := g.Moves[i].Comments[0]; got != want {
			t.Errorf("ply %d: %d bytes, not %d", i+1, len(got), len(want))
		}
	}
	r.Moves = r.Moves[900:1100] // few enough to stay whole
	if g, err = r.Game(); err != nil || g.Moves[0].Comments[0] != r.Moves[0].Comment {
		t.Errorf("%v, cut to %d bytes", err, len(g.Moves[0].Comments[0]))
	}
}

func TestClock(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0:00:00": 0, "1:02:03": time.Hour + 2*time.Minute + 3*time.Second, "00:00:01.5": 1500 * time.Millisecond, "0:00:00.05": 50 * time.Millisecond,
		"0:00:00.123": 123 * time.Millisecond, "9999:59:59.999": maxClock,
		"": -1, "1:02": -1, "1:2:03": -1, "1:02:3": -1, "1:60:00": -1, "1:00:60": -1, "10000:00:00": -1, "0:00:00.": -1, "0:00:00.1234": -1, "0:00:00,5": -1,
		"-1:00:00": -1, "x:00:00": -1, "0:0x:00": -1, "0:00:0x": -1, "0:00:00.x": -1, ":00:00": -1, "0:00:00:00": -1,
	} {
		got, ok := readClock(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %v, %v", text, got, ok)
		}
		if ok {
			if again, ok := readClock(string(appendClock(nil, got))); !ok || again != got {
				t.Errorf("%v is written as %s", got, appendClock(nil, got))
			}
		}
	}
}

// TestWrite: errors of the writer and of the game come through.
func TestWrite(t *testing.T) {
	g := mustGame(t, "", "e2e4")
	if err := Write(broken{}, g); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	var b strings.Builder
	if err := Write(&b, g, g); err != nil || b.String() != write(t, g)+write(t, g) {
		t.Errorf("%q, %v", b.String(), err)
	}
	g.Moves = append(g.Moves, g.Moves[0])
	if err := Write(&b, g); !errors.Is(err, chess.ErrIllegal) {
		t.Error(err)
	}
	if _, err := g.Final(); !errors.Is(err, chess.ErrIllegal) || !strings.Contains(err.Error(), "ply 2") {
		t.Error(err)
	}
	g.Start = "nowhere"
	if _, err := g.Final(); !errors.Is(err, chess.ErrFEN) {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
