package draw

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// countdown is a game for two who take 1 or 2 from a pile; its view is what its ruleset names.
type countdown struct {
	Show string `json:"show"` // "view", "picture"
}

type pile struct {
	left  int
	moves int
	names string
}

type pileView struct {
	Left int    `json:"left"`
	Name string `json:"name"`
}

type pileDrawing struct{ pileView }

func (v pileDrawing) Picture(c *Canvas) {
	c.Open(100, 100, "pile", "")
	out, over := c.Outcome()
	c.Text(10, 50, fmt.Sprint(v.Left, over, out != nil && out.Returns[0] > 0, c.Name(0), c.Name(1), c.Name(2), c.Name(game.Spectator)), Type{Size: 5})
}

func (v pileDrawing) Print(s *Screen) {
	out, over := s.Outcome()
	s.Print(fmt.Sprint(v.Left, over, out != nil && out.Returns[0] > 0, s.Name(0), s.Name(1), s.Name(2), s.Name(game.Spectator)), Style{Ink: First, Ground: Cell, Bold: true})
}

func (countdown) Info() game.Info {
	return game.Info{Name: "countdown", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 5, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (countdown) Start(setup game.Setup) (pile, error) {
	return pile{left: 5, names: setup.Names[0]}, nil
}

func (countdown) Turn(s *pile) game.Turn {
	if s.left == 0 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.moves % 2)), Phase: "taking"}
}

func (countdown) Legal(dst []int, s *pile, _ game.Seat) []int {
	for n := 1; n <= min(2, s.left); n++ {
		dst = append(dst, n)
	}
	return dst
}

func (countdown) Apply(s *pile, moves []game.Move[int]) {
	s.left -= moves[0].Action
	s.moves++
}

func (r countdown) View(s *pile, _ game.Seat) any {
	v := pileView{s.left, s.names}
	if r.Show == "picture" {
		return pileDrawing{v}
	}
	return v
}

func (countdown) Outcome(s *pile) game.Outcome {
	out := game.Outcome{Returns: []float64{-1, 1}, Scores: []int64{0, 7}, Reason: "last_taken"}
	if s.moves%2 == 1 {
		out.Returns, out.Scores = []float64{1, -1}, []int64{7, 0}
	}
	return out
}

// drawn has rules that draw by themselves, and a text for language models.
type drawn struct{ countdown }

func (drawn) SVG(dst []byte, s *pile, seat game.Seat) []byte {
	return fmt.Appendf(dst, "<svg><text>%d %v</text></svg>", s.left, seat)
}

func (drawn) Board(s *pile, seat game.Seat) string {
	return fmt.Sprintf("```\nleft \x1b[31m%d\n%v\n```\n", s.left, seat)
}

func start(t *testing.T, g game.Game, ruleset string, moves ...string) *game.State {
	t.Helper()
	table, err := g.Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 2, Names: []string{"A<b>\x1b"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		if _, err := s.Play(s.Turn().Seats.First(), game.Action(m)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// texts gives what is written in a picture.
func texts(t *testing.T, svg []byte) []string {
	t.Helper()
	var out []string
	for _, e := range mustElements(t, svg) {
		if e.name == "text" {
			out = append(out, e.text)
		}
	}
	return out
}

func TestSVG(t *testing.T) {
	names := Options{Names: []string{"Ann\x07", ""}, Title: "Count <down>"}
	tests := []struct {
		name  string
		state *game.State
		seat  game.Seat
		o     Options
		want  []string
	}{
		{"by the view", start(t, game.New(countdown{}), `{"show":"picture"}`, "2"), 1, names, []string{"3 false falseAnn\ufffd"}},
		{"by the view, at the end", start(t, game.New(countdown{}), `{"show":"picture"}`, "2", "2", "1"), 1, Options{}, []string{"0 true true"}},
		{"by the rules", start(t, game.New(drawn{}), "", "2"), game.Spectator, names, []string{"3 spectator"}},
		{"by the view, not the rules", start(t, game.New(drawn{}), `{"show":"picture"}`), 0, Options{}, []string{"5 false false"}},
		{"as a table", start(t, game.New(countdown{}), ""), 0, names,
			[]string{"Count <down>", "taking", "phase", "you", "to move", "5", "left", "A<b>\ufffd", "name"}},
		{"as a table, who waits", start(t, game.New(countdown{}), ""), 1, Options{}, []string{"taking", "phase", "5", "left", "A<b>\ufffd", "name"}},
		{"as a table, at the end", start(t, game.New(countdown{}), "", "2", "2", "1"), 0, names,
			[]string{"Count <down>", "last_taken", "result", "1 (7 points)", "Ann\ufffd", "-1 (0 points)", "seat 1", "0", "left", "A<b>\ufffd", "name"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := SVG([]byte("dst"), tt.state, tt.seat, tt.o)
			if !strings.HasPrefix(string(got), "dst<svg") {
				t.Fatalf("%.100s", got)
			}
			if d := cmp.Diff(tt.want, texts(t, got[3:])); d != "" {
				t.Error(d)
			}
			if again := SVG(nil, tt.state.Clone(), tt.seat, tt.o); string(again) != string(got[3:]) {
				t.Error("drawn twice, the pictures differ")
			}
		})
	}
	for _, nobody := range []game.Seat{game.Chance, game.Host, 100} {
		s := start(t, game.New(countdown{}), "")
		if got := SVG([]byte("x"), s, nobody, Options{}); string(got) != "x" {
			t.Errorf("%v sees %s", nobody, got)
		}
		if got := Terminal(s, nobody, Options{}); got != "" {
			t.Errorf("%v sees %s", nobody, got)
		}
	}
}

func TestTerminal(t *testing.T) {
	names := Options{Names: []string{"Ann\x07", ""}, Color: true}
	tests := []struct {
		name  string
		state *game.State
		o     Options
		want  string
	}{
		{"by the view", start(t, game.New(countdown{}), `{"show":"picture"}`, "2"), Options{Names: names.Names}, "3 false falseAnn\ufffd\n"},
		{"in colours", start(t, game.New(countdown{}), `{"show":"picture"}`, "2", "2", "1"), names, "\x1b[1;38;5;203;48;5;240m0 true trueAnn\ufffd\x1b[0m\n"},
		{"by the board", start(t, game.New(drawn{}), ""), names, "left \ufffd[31m5\n0\n"},
		{"as a table", start(t, game.New(countdown{}), ""), Options{Title: "Count"}, "Count\nphase    taking\nto move  you\nleft     5\nname     A<b>\ufffd\n"},
		{"narrow", start(t, game.New(countdown{}), "", "2", "2", "1"), Options{Width: 1},
			"result    last_taken\n  seat 0  1 (7 poin…\n  seat 1  -1 (0 poi…\nleft      0\nname      A<b>\ufffd\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Terminal(tt.state, 0, tt.o)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestTable has each kind of value that a view may hold.
func TestTable(t *testing.T) {
	view := map[string]any{
		"a_list": []int{1, 2, 3}, "board": [][]any{{nil, 0, "X"}, {1, nil, "O"}}, "c_nothing": nil, "d_flags": []bool{true, false}, "e_none": []int{},
		"f_object": map[string]any{"x": 1, "y": nil}, "g_objects": []any{map[string]any{"seat": 0, "name": "<Ann>"}, map[string]any{"seat": 1, "log": []any{"a", []int{7}}}},
		"h_number": 1.5, "i_text": "two\nlines", "j_ragged": [][]int{{1}, {2, 3}},
		"k_deep": map[string]any{"l": []any{[]any{[]any{[]any{[]any{map[string]any{"m": []int{1}}}}}}}},
	}
	const want = `a_list     1, 2, 3
board
  ·   0   X
  1   ·   O
c_nothing  –
d_flags    yes, no
e_none     none
f_object   x 1, y –
g_objects
  0        name <Ann>, seat 0
  1
    log
      0    a
      1    7
    seat   1
h_number   1.5
i_text     two lines
j_ragged
  0        1
  1        2, 3
k_deep
  l
    0
      0
        0  ((m (1)))
`
	if d := cmp.Diff(want, TerminalView(view, Options{})); d != "" {
		t.Error(d)
	}
	got := texts(t, View(nil, view, Options{}))
	for _, text := range []string{"1, 2, 3", "board", "·", "X", "O", "name <Ann>, seat 0", "two lines", "f_object"} {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+text+"\n") {
			t.Errorf("no %q in %q", text, got)
		}
	}
	for name, view := range map[string]any{"a number": 7, "a list": []int{1, 2}, "no JSON": func() {}, "nothing": nil, "a long list": make([]struct{ A [3][]int }, 500)} {
		svg := View(nil, view, Options{})
		if n := len(texts(t, svg)); n < 2 || n > 2*maxTableRows {
			t.Errorf("%s: %d texts", name, n)
		}
		if lines := strings.Count(TerminalView(view, Options{}), "\n"); lines < 1 || lines > maxTableRows {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
	if text := TerminalView(make([]struct{ A [3][]int }, 500), Options{}); !strings.HasSuffix(text, " more lines\n") {
		t.Errorf("what is left out goes unsaid:\n%s", text)
	}
	if text := TerminalView(strings.Repeat("x", maxTableJSON), Options{}); text != "view  cannot be shown\n" {
		t.Errorf("%.100s", text)
	}
}

// TestManyBoards: what is drawn leaves room for the rest, and what is left out is said.
func TestManyBoards(t *testing.T) {
	board := make([][]string, maxMatrix)
	for i := range board {
		board[i] = slices.Repeat([]string{"字"}, maxMatrix)
	}
	view := map[string]any{}
	for i := range 8 {
		view[fmt.Sprint("board ", i)] = board
	}
	svg := View(nil, view, Options{})
	got := texts(t, svg)
	if n := strings.Count(strings.Join(got, ""), "字"); n < maxMatrices*maxMatrix*maxMatrix || len(svg) > maxPicture {
		t.Errorf("%d cells, %d bytes", n, len(svg))
	}
	if last := got[len(got)-2]; !strings.HasSuffix(last, " more lines") {
		t.Errorf("the picture ends in %q", last)
	}
	if text := TerminalView(view, Options{}); !strings.HasSuffix(text, " more lines\n") {
		t.Errorf("the terminal ends in %q", text[len(text)-80:])
	}
}

// TestResult: the winner is who has a return above 0, if anybody.
func TestResult(t *testing.T) {
	for _, tt := range []struct {
		returns []float64
		want    string
	}{
		{[]float64{1, -1}, "white wins, some reason"},
		{[]float64{-1, 1}, "black wins, some reason"},
		{[]float64{0, 0}, "draw, some reason"},
		{[]float64{-1, -1}, "draw, some reason"},
		{[]float64{math.NaN(), .5}, "black wins, some reason"},
		{[]float64{-1, -1, 1}, "draw, some reason"},
		{nil, "draw, some reason"},
	} {
		out := &game.Outcome{Returns: tt.returns, Reason: "some_reason"}
		if got := Result(out, "white", "black"); got != tt.want {
			t.Errorf("%v: %s", tt.returns, got)
		}
		View(nil, sketch(func(c *Canvas) {
			for seat := game.Host; seat < 4; seat++ {
				if got, want := c.Won(seat), seat >= 0 && int(seat) < len(tt.returns) && tt.returns[seat] > 0; got != want {
					t.Errorf("%v: seat %v has won: %v", tt.returns, seat, got)
				}
			}
		}), Options{Outcome: out})
	}
	View(nil, sketch(func(c *Canvas) {
		if c.Won(0) {
			t.Error("nothing has ended")
		}
	}), Options{})
}

// TestGivenOutcome: a forfeit, which the rules know nothing of, ends the turn; an outcome that no match has does no harm.
func TestGivenOutcome(t *testing.T) {
	s := start(t, game.New(countdown{}), "")
	o := Options{Outcome: &game.Outcome{Returns: []float64{-1, 1}, Reason: "forfeit"}}
	const want = "phase     taking\nresult    forfeit\n  seat 0  -1\n  seat 1  1\nleft      5\nname      A<b>\ufffd\n"
	if d := cmp.Diff(want, Terminal(s, 0, o)); d != "" {
		t.Error(d)
	}
	o.Outcome.Returns = make([]float64, 300)
	if text := Terminal(s, 0, o); !strings.HasSuffix(text, " more lines\n") || strings.Contains(text, "seat 64") {
		t.Error(text)
	}
	mustElements(t, SVG(nil, s, 0, o))
}

// anyJSON draws a value for a view.
func anyJSON(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{rapid.Just[any](nil), rapid.Bool().AsAny(), anyText().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.IntRange(-9, 99).AsAny()}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) })
	return rapid.OneOf(append(leaf, rapid.SliceOfN(inner, 0, 6).AsAny(), rapid.MapOfN(anyText(), inner, 0, 5).AsAny(),
		rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9).AsAny(), 3, 3).AsAny(), 2, 5).AsAny())...)
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestAnyView: whatever a view holds, its table is well-formed and clean, no picture is large and no line too wide.
func TestAnyView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		view := anyJSON(rapid.IntRange(0, 6).Draw(t, "depth")).Draw(t, "view")
		o := Options{
			Title: anyText().Draw(t, "title"), Names: rapid.SliceOfN(anyText(), 0, 3).Draw(t, "names"), Color: rapid.Bool().Draw(t, "color"),
			Width: rapid.IntRange(-5, 500).Draw(t, "width"),
		}
		if rapid.Bool().Draw(t, "over") {
			o.Outcome = &game.Outcome{Returns: rapid.SliceOfN(rapid.Float64(), 0, 200).Draw(t, "returns"), Scores: []int64{3}, Reason: anyText().Draw(t, "reason")}
		}
		svg := View(nil, view, o)
		if text, err := json.Marshal(view); err == nil && len(svg) > 8<<10+600*maxTableRows+300*maxMatrix*maxMatrix*maxTableRows {
			t.Fatalf("%d bytes for %.200s", len(svg), text)
		}
		for _, e := range mustElements(t, svg) {
			if why := unclean(e.text); why != "" && e.name != "style" {
				t.Fatalf("%s: %s", e.name, why)
			}
		}
		width := o.Width
		switch {
		case width == 0:
			width = 80
		case width < 20:
			width = 20
		case width > 400:
			width = 400
		}
		text := TerminalView(view, o)
		if o.Color {
			text = sgr.ReplaceAllString(text, "")
		}
		for line := range strings.Lines(text) {
			line, ended := strings.CutSuffix(line, "\n")
			if !ended || Cells(line) > width {
				t.Fatalf("%d columns, want %d: %q", Cells(line), width, line)
			}
			for _, r := range line {
				if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
					t.Fatalf("%q holds control characters", line)
				}
			}
		}
	})
}

// TestScreen: lines end, and there are no more than may be.
func TestScreen(t *testing.T) {
	s := newScreen(Options{Width: 30})
	if s.Width() != 30 || s.Left() != 30 {
		t.Errorf("%d columns, %d left", s.Width(), s.Left())
	}
	s.Print("ab", Style{})
	s.Pad(1)
	s.Pad(4)
	s.Print("c", Style{Bold: true})
	if s.Left() != 25 {
		t.Errorf("%d left", s.Left())
	}
	s.Pad(99)
	s.Print("gone", Style{})
	for range 500 {
		s.Line()
		s.Print("x", Style{})
	}
	got := s.String()
	if n := strings.Count(got, "\n"); n != maxLines || !strings.HasPrefix(got, "ab  c"+strings.Repeat(" ", 25)+"\nx\nx\n") {
		t.Errorf("%d lines: %.80q", n, got)
	}
}
