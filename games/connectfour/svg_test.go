package connectfour_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
	"github.com/matchreferee/arena/games/connectfour"
)

// longest finds every line of connect discs or more by looking at every cell of a board.
func longest(v connectfour.View, connect int) [][]connectfour.Cell {
	at := func(c connectfour.Cell) game.Seat {
		if c.Row < 0 || c.Row >= len(v.Board) || c.Column < 0 || c.Column >= len(v.Board[0]) {
			return -1
		}
		if seat, ok := v.Board[c.Row][c.Column].Get(); ok {
			return seat
		}
		return -1
	}
	var lines [][]connectfour.Cell
	for _, d := range [][2]int{{0, 1}, {1, -1}, {1, 0}, {1, 1}} {
		for column := range v.Board[0] {
			for row := range v.Board {
				c := connectfour.Cell{Column: column, Row: row}
				who := at(c)
				if who < 0 || at(connectfour.Cell{Column: column - d[0], Row: row - d[1]}) == who {
					continue
				}
				var line []connectfour.Cell
				for at(c) == who {
					line = append(line, c)
					c = connectfour.Cell{Column: c.Column + d[0], Row: c.Row + d[1]}
				}
				if len(line) >= connect {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

// TestWinningLines compares the winning lines with all that a look at the whole board finds.
func TestWinningLines(t *testing.T) {
	won, double := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		columns, rows := rapid.IntRange(4, 9).Draw(t, "columns"), rapid.IntRange(4, 7).Draw(t, "rows")
		connect := rapid.IntRange(3, 4).Draw(t, "connect")
		s := start(t, fmt.Sprintf(`{"columns":%d,"rows":%d,"connect":%d}`, columns, rows, connect))
		for !s.Turn().Over() {
			legal := s.Legal(nil, s.Turn().Seats.First())
			if _, err := s.Play(s.Turn().Seats.First(), rapid.SampledFrom(legal).Draw(t, "move")); err != nil {
				t.Fatal(err)
			}
			v := s.View(game.Spectator).(connectfour.View)
			if d := cmp.Diff(longest(v, connect), v.Lines); d != "" {
				t.Fatalf("lines:\n%s", d)
			}
			if len(v.Lines) > 0 {
				won++
			}
			if len(v.Lines) > 1 {
				double++
			}
		}
	})
	if won == 0 {
		t.Error("nobody won")
	}
	s := start(t, "")
	play(t, s, 4, 0, 5, 5, 6, 6, 4, 6, 5, 0, 6, 0, 3)
	if v := s.View(0).(connectfour.View); len(v.Lines) != 2 || len(v.Lines[0]) != 4 || len(v.Lines[1]) != 4 {
		t.Errorf("two lines at once are %v; at random there were %d", v.Lines, double)
	}
}

// texts reads what is written in a picture, which must be well-formed.
func texts(t tester, svg []byte) []string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	var out []string
	inside := false
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "text"
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if inside {
				out = append(out, string(token))
			}
		}
	}
}

func TestPicture(t *testing.T) {
	tests := []struct {
		name   string
		moves  []int
		status string
		lines  int
	}{
		{"start", nil, "X to move", 0},
		{"running", []int{3, 3, 4}, "O to move", 0},
		{"won", []int{0, 1, 0, 1, 0, 1, 0}, "X wins, 4 in line", 1},
		{"two lines", []int{4, 0, 5, 5, 6, 6, 4, 6, 5, 0, 6, 0, 3}, "X wins, 4 in line", 2},
		{"full", oneBased("126615525717246671625435544411643733237327"), "the board is full", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, "")
			play(t, s, tt.moves...)
			names := []string{"Ann <b>", "Bob"}
			svg := string(draw.SVG(nil, s, 1, draw.Options{Names: names}))
			discs := func(i draw.Ink) int {
				data := "" // of the path with this filling
				if before, _, ok := strings.Cut(svg, fmt.Sprintf(`Z" fill="%s"`, map[draw.Ink]string{draw.First: "#d3303b", draw.Second: "#f2b90f", draw.Cell: "#ffffff"}[i])); ok {
					data = before[strings.LastIndex(before, `"`):]
				}
				return strings.Count(data, "M")
			}
			if x, o, empty := discs(draw.First), discs(draw.Second), discs(draw.Cell); x != (len(tt.moves)+1)/2 || o != len(tt.moves)/2 || empty != 42-len(tt.moves) {
				t.Errorf("%d and %d discs and %d empty cells after %d moves", x, o, empty, len(tt.moves))
			}
			if n := strings.Count(svg, "<line"); n != 2*tt.lines {
				t.Errorf("%d strokes for %d winning lines", n, tt.lines)
			}
			want := []string{"X", "Ann <b>", "O", "Bob", "a", "b", "c", "d", "e", "f", "g"}
			got := texts(t, []byte(svg))
			if d := cmp.Diff(append(want, tt.status), got); d != "" {
				t.Error(d)
			}
			text := draw.Terminal(s, 1, draw.Options{Names: names})
			if !strings.HasSuffix(text, " a b c d e f g\nX Ann <b>\nO Bob\n"+tt.status+"\n") {
				t.Error(text)
			}
			plain, _ := s.SVG(nil, 1)
			if !slices.Equal(texts(t, plain), texts(t, draw.SVG(nil, s, 1, draw.Options{}))) {
				t.Error("the rules and the view draw differently")
			}
		})
	}
}

// TestPictureForfeit: an end that the rules know nothing of is told, and nobody is to move; one that they know is told by what is on the board.
func TestPictureForfeit(t *testing.T) {
	for _, tt := range []struct {
		moves []int
		out   game.Outcome
		want  string
	}{
		{[]int{3}, game.Outcome{Returns: []float64{1, -1}, Reason: "illegal_move"}, "X wins, illegal move"},
		{[]int{3}, game.Outcome{Returns: []float64{-1, -1}, Reason: "forfeit"}, "draw, forfeit"},
		{[]int{0, 1, 0, 1, 0, 1, 0}, game.Outcome{Returns: []float64{1, -1}, Reason: "connect"}, "X wins, 4 in line"},
	} {
		s := start(t, "")
		play(t, s, tt.moves...)
		o := draw.Options{Outcome: &tt.out, Theme: draw.Light}
		svg, win := string(draw.SVG(nil, s, 0, o)), "#0f8a4c"
		if got := texts(t, []byte(svg)); got[len(got)-1] != tt.want {
			t.Errorf("the picture says %q, not %q", got[len(got)-1], tt.want)
		}
		if text := draw.Terminal(s, 0, o); !strings.HasSuffix(text, "\n"+tt.want+"\n") {
			t.Error(text)
		}
		marked := strings.Count(svg, `stroke="`+win+`" stroke-width="4"`) // a winner's row
		if bars := strings.Count(svg, `fill="`+win+`"`); bars != 0 || (marked == 1) != (tt.out.Returns[0] > 0) {
			t.Errorf("%s: %d to move, %d winners", tt.want, bars, marked)
		}
	}
	s := start(t, "")
	play(t, s, 0, 1, 0, 1, 0, 1, 0)
	text, err := json.Marshal(s.View(0))
	if err != nil {
		t.Fatal(err)
	}
	var v connectfour.View // as it comes over the wire: without lines
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out := s.Outcome()
	if text := draw.TerminalView(v, draw.Options{Outcome: &out}); !strings.HasSuffix(text, "\nX wins, connect\n") {
		t.Error(text)
	}
}

// FuzzView draws views from outside: nothing panics, all is well-formed.
func FuzzView(f *testing.F) {
	s := start(f, "")
	seeds := []string{`{}`, `{"board":[[]]}`, `{"board":[[null,5]]}`, `{"board":[[0],[1,1]]}`, `{"board":[[0]],"last_move":{"seat":7,"column":9}}`, `{"board":[[null]],"to_move":9}`}
	for range 3 {
		play(f, s, 3, 2)
		text, err := json.Marshal(s.View(0))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	if len(seeds) != 9 {
		f.Fatal("the seeds are gone")
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v connectfour.View
		if len(data) > 1<<14 || json.Unmarshal(data, &v) != nil {
			return
		}
		if len(texts(t, draw.View(nil, v, draw.Options{}))) == 0 || draw.TerminalView(v, draw.Options{}) == "" {
			t.Fatalf("nothing is drawn of %s", strconv.Quote(string(data)))
		}
	})
}
