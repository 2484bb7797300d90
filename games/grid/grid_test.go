package grid_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func action(row, col int) game.Action {
	return game.Action(fmt.Sprintf(`{"col":%d,"row":%d}`, col, row))
}

func table(t tester) *game.Table {
	t.Helper()
	table, err := grid.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func start(t tester) *game.State {
	t.Helper()
	s, err := table(t).Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play sets marks in turn, given as text with a blank between two, and gives the steps.
func play(t tester, s *game.State, moves string) (steps []game.Step) {
	t.Helper()
	for _, text := range strings.Fields(moves) {
		seat := s.Turn().Seats.First()
		a, err := s.Parse(seat, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if a, err = s.Play(seat, a); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		steps = append(steps, game.Step{{Seat: seat, Action: a}})
	}
	return steps
}

// TestPoints sets marks by a picture, rows from the top: x and o are those that stand already, X is the next move of seat 0 or O that of
// seat 1. Whichever seat has too few marks for that move gets more where they cannot matter: on none of the move's four lines.
func TestPoints(t *testing.T) {
	tests := []struct {
		name, board string
		want        grid.Points
	}{
		{"an empty board", "//..../....X", grid.Points{}},
		{"a row in one area", "xxX", grid.Points{Offence: 1, Area: 1}},
		{"a row over two areas", ".xXx", grid.Points{Offence: 1}},
		{"a row with a gap", "xx.X", grid.Points{}},
		{"a row at the other edge", "......xxX", grid.Points{Offence: 1, Area: 1}},
		{"no row around the edge", ".......xx/X", grid.Points{}},
		{"a column in one area", "x/x/X", grid.Points{Offence: 1, Area: 1}},
		{"a column over two areas", "/x/x/X", grid.Points{Offence: 1}},
		{"a column at the bottom", "//////........X/........x/........x", grid.Points{Offence: 1, Area: 1}},
		{"a falling diagonal in one area", "x/.x/..X", grid.Points{Offence: 1, Area: 1}},
		{"a falling diagonal over two areas", ".x/..X/...x", grid.Points{Offence: 1}},
		{"a falling diagonal over three areas", ".X/..x/...x", grid.Points{Offence: 1}},
		{"a falling diagonal in the corner", "//////......x/.......x/........X", grid.Points{Offence: 1, Area: 1}},
		{"a rising diagonal in one area", "..x/.X/x", grid.Points{Offence: 1, Area: 1}},
		{"a rising diagonal over two areas", "...x/..x/.X", grid.Points{Offence: 1}},
		{"a rising diagonal in the corner", "//////..X/.x/x", grid.Points{Offence: 1, Area: 1}},
		{"the middle of a whole window and the end of another", "xxXx", grid.Points{Offence: 2, Area: 1}},
		{"three windows of five cells", "xxXxx", grid.Points{Offence: 3, Area: 1}},
		{"no more than three windows of nine cells", "xxxxXxxxx", grid.Points{Offence: 3, Area: 1}},
		{"two directions at once", "xxX/..x/..x", grid.Points{Offence: 2, Area: 2}},
		{"two directions at once, over areas", "/...x/...x/.xxX", grid.Points{Offence: 2}},
		{"four directions at once, the most there is", "//..x.x.x/...xxx/..xxXxx/...xxx/..x.x.x", grid.Points{Offence: 12, Area: 4}},
		{"four directions at once, off the middle of an area", "/.x.x.x/..xxx/.xxXxx/..xxx/.x.x.x", grid.Points{Offence: 12, Area: 3}},
		{"marks that stand already earn nothing again", "xxx.x/.......X", grid.Points{}},

		{"defence at an end", "oooX", grid.Points{Defence: 1}},
		{"defence in a gap", "ooXo", grid.Points{Defence: 1}},
		{"defence against nine counts once", "ooooXoooo", grid.Points{Defence: 1}},
		{"none against three in one area", "ooX", grid.Points{}},
		{"none against three in two areas", ".ooX", grid.Points{}},
		{"none past a mark of its own", "ooxXo", grid.Points{}},
		{"none past an empty cell", "oo.Xo", grid.Points{}},
		{"none around the edge", "......ooo/X", grid.Points{}},
		{"defence in a column", "o/o/o/X", grid.Points{Defence: 1}},
		{"defence on a falling diagonal", "o/.o/..o/...X", grid.Points{Defence: 1}},
		{"defence on a rising diagonal", "...X/..o/.o/o", grid.Points{Defence: 1}},
		{"defence in two directions", "oooX/...o/...o/...o", grid.Points{Defence: 2}},
		{"the cap on three directions", "/.o..o/..o.o/...oo/.oooX", grid.Points{Defence: 2}},
		{"the cap on four directions", "/.o..o..o/..o.o.o/...ooo/.oooX", grid.Points{Defence: 2}},
		{"all three kinds at once", "oooXxx/...x/...x", grid.Points{Offence: 2, Area: 2, Defence: 1}},
		{"both capped defence and offence", "...oo/...oo/...oo/xxxXo/..o/.o/o", grid.Points{Offence: 1, Defence: 2}},

		{"seat 1 attacks", "ooO", grid.Points{Offence: 1, Area: 1}},
		{"seat 1 defends", "xxxO", grid.Points{Defence: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			var marks [2][]string
			var at, last string
			var row, col, seat int
			for i, cells := range strings.Split(tt.board, "/") {
				for j, c := range cells {
					at = fmt.Sprintf("%c%d", 'a'+j, i+1)
					switch c {
					case 'x', 'o':
						marks[strings.IndexRune("xo", c)] = append(marks[strings.IndexRune("xo", c)], at)
					case 'X', 'O':
						last, row, col, seat = at, i, j, strings.IndexRune("XO", c)
					}
				}
			}
			given := fmt.Sprint(marks)
			for i := range 81 {
				dr, dc := i/9-row, i%9-col
				few := 0 // the seat that has too few
				if len(marks[1])+seat < len(marks[0]) {
					few = 1
				}
				if len(marks[0]) == len(marks[1])+seat {
					break
				}
				if at := fmt.Sprintf("%c%d", 'a'+i%9, i/9+1); dr != 0 && dc != 0 && dr != dc && dr != -dc && !strings.Contains(given, at) {
					marks[few] = append(marks[few], at)
				}
			}
			for i := range marks[0] {
				play(t, s, marks[0][i])
				if i < len(marks[1]) {
					play(t, s, marks[1][i])
				}
			}
			before := s.View(game.Spectator).(grid.View)
			play(t, s, last)
			after := s.View(game.Spectator).(grid.View)
			want := &grid.Mark{Seat: game.Seat(seat), Row: row, Col: col, Points: tt.want}
			board, _ := s.Board(game.Spectator)
			if d := cmp.Diff(want, after.LastMove); d != "" {
				t.Errorf("%s\n%s", d, board)
			}
			if got := after.Scores[seat] - before.Scores[seat]; got != tt.want.Total() || after.Scores[1-seat] != before.Scores[1-seat] {
				t.Errorf("scores went from %v to %v\n%s", before.Scores, after.Scores, board)
			}
		})
	}
}

// TestFourSpanTwoAreas is why no part of the rules asks which areas a run of four lies in.
func TestFourSpanTwoAreas(t *testing.T) {
	lines := 0
	for row := range 9 {
		for col := range 9 {
			for _, d := range directions {
				end := rowCol{row + 3*d[0], col + 3*d[1]}
				if !inside(end.row, end.col) {
					continue
				}
				lines++
				if area(rowCol{row, col}) == area(end) {
					t.Errorf("from row %d, col %d along %v: one area", row, col, d)
				}
			}
		}
	}
	if lines != 9*6*2+6*6*2 {
		t.Errorf("%d lines of four", lines)
	}
}

func TestReports(t *testing.T) {
	t.Run("B31", func(t *testing.T) { // a state that was saved forgot whose turn it was
		s := start(t)
		steps := play(t, s, "e5 d4 e4 d5 e6")
		back, err := table(t).Replay(game.Setup{Seats: 2}, steps)
		if err != nil {
			t.Fatal(err)
		}
		again, err := table(t).Replay(game.Setup{Seats: 2}, steps)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*game.State{back, again} {
			if r.Turn() != (game.Turn{Seats: game.Seats(1)}) {
				t.Errorf("turn %+v after five moves", r.Turn())
			}
			if d := cmp.Diff(game.Dump(s), game.Dump(r)); d != "" {
				t.Errorf("another state came back:\n%s", d)
			}
			if d := cmp.Diff(s.View(1), r.View(1), optEqual); d != "" {
				t.Errorf("another view came back:\n%s", d)
			}
		}
	})
	t.Run("B106", func(t *testing.T) { // the seat that ran out of time had more points, and won by them
		synctest.Test(t, func(t *testing.T) {
			const moves = "c3 i9 e3 c1 d3 h1 b3 g6 a3 d9 f3 b4 g3 h7 h3 g8 i3 a5 c7 h9 g2 i7 f1 h8 g1 i8 f2 b1 e1 d2 e2 f7 d1 i6 h2 a2"
			s := start(t)
			play(t, s, moves)
			if v := s.View(0).(grid.View); v.Scores != [2]int{30, 10} || s.Turn() != (game.Turn{Seats: game.Seats(0)}) {
				t.Fatalf("scores %v, turn %+v", v.Scores, s.Turn())
			}
			script := strings.Fields(moves)
			player := referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
				i := r.View().(grid.View).Revision
				if i == len(script) {
					<-ctx.Done()
					return referee.Answer{}, ctx.Err()
				}
				a, err := r.Parse(script[i])
				return referee.Answer{Action: a}, err
			})
			seat := referee.SeatInfo{Clock: referee.Clock{Move: time.Second}}
			setup := referee.Setup{ID: "b106", Table: table(t), Seats: []referee.SeatInfo{seat, seat}}
			result, err := new(referee.Local).Play(t.Context(), setup, player, player)
			if err != nil {
				t.Fatal(err)
			}
			if result.Cause != referee.CauseForfeit || result.Reason != "late" || !result.Seats[0].Out || result.Seats[1].Out {
				t.Errorf("cause %v, reason %s, seats %+v", result.Cause, result.Reason, result.Seats)
			}
			if d := cmp.Diff([]float64{-1, 1}, result.Returns); d != "" {
				t.Errorf("returns:\n%s", d)
			}
			if d := cmp.Diff([]int{2, 1}, result.Places); d != "" {
				t.Errorf("places:\n%s", d)
			}
		})
	})
}

var optEqual = cmp.Options{
	cmp.Comparer(func(a, b game.Opt[game.Seat]) bool { return a == b }),
	cmp.Comparer(func(a, b game.Opt[string]) bool { return a == b }),
}

func TestRuleset(t *testing.T) {
	if got := string(table(t).Ruleset()); got != `{"size":9}` {
		t.Errorf("defaults: %s", got)
	}
	want := game.Info{Name: "grid", Version: "2.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 81, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
	if d := cmp.Diff(want, table(t).Info()); d != "" {
		t.Error(d)
	}
	if _, err := grid.New().Table([]byte(`{"size":9}`)); err != nil {
		t.Errorf("size 9: %v", err)
	}
	for ruleset, want := range map[string]string{
		`{"size":8}`:  "size: 8, not 9",
		`{"size":3}`:  "size: 3, not 9",
		`{"size":0}`:  "size: 0, not 9",
		`{"size":19}`: "size: 19, not 9",
		`{"size":-9}`: "size: -9, not 9",
		`{"Size":9}`:  "Size: no such member",
		`{"rows":9}`:  "rows: no such member",
	} {
		if _, err := grid.New().Table([]byte(ruleset)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", ruleset, err, want)
		}
	}
}

func TestHints(t *testing.T) {
	s := start(t)
	play(t, s, "e5")
	for a, want := range map[game.Action]string{
		`{"row":4,"col":4}`:       "row 4, col 4 (e5) is taken",
		`{"row":9,"col":0}`:       "no cell in row 9, col 0",
		`{"row":0,"col":-1}`:      "no cell in row 0, col -1",
		`{"row":0,"col":300}`:     `"col" is number 300`,
		`{"row":0,"col":0.5}`:     `"col" is number 0.5`,
		`{"row":0}`:               "col is missing",
		`{"row":0,"col":null}`:    "col is null",
		`"e5"`:                    "string",
		`[4,4]`:                   "array",
		`{"Row":0,"row":0,"c":1}`: "but for their case",
	} {
		if _, err := s.Check(1, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", a, err, want)
		}
	}
	for text, want := range map[string]game.Action{
		"a1": `{"col":0,"row":0}`, "i1": `{"col":8,"row":0}`, "a9": `{"col":0,"row":8}`, "c7": `{"col":2,"row":6}`,
		"e5": "", "E4": "", "5e": "", "a0": "", "j1": "", "a10": "", " a1": "", "": "",
	} {
		if got, err := s.Parse(1, text); got != want || (err == nil) != (want != "") {
			t.Errorf("Parse(%q): %s, %v", text, got, err)
		}
	}
	for a, want := range map[game.Action]string{`{"col":4,"row":4}`: "e5", `{"col":0,"row":9}`: "row 9, col 0"} {
		if got := s.Text(a); got != want {
			t.Errorf("Text(%s) = %q, want %q", a, got, want)
		}
	}
	if x, o := table(t).Label(0), table(t).Label(1); x != "X" || o != "O" {
		t.Errorf("seats %q and %q", x, o)
	}
	if a, ok := s.Default(1); a != action(0, 0) || !ok {
		t.Errorf("default %s", a)
	}
}

func TestBoard(t *testing.T) {
	s := start(t)
	play(t, s, "a1 e5 b1 i9 c1")
	const want = "```\n1 XXX ... ...\n2 ... ... ...\n3 ... ... ...\n\n4 ... ... ...\n5 ... .O. ...\n6 ... ... ...\n\n7 ... ... ...\n8 ... ... ...\n9 ... ... ..O\n" +
		"  abc def ghi\nX 2: offence 1, area 1, defence 0\nO 0: offence 0, area 0, defence 0\n```"
	for _, seat := range []game.Seat{0, 1, game.Spectator} {
		if got, ok := s.Board(seat); got != want || !ok {
			t.Errorf("seat %s:\n%s", seat, cmp.Diff(want, got))
		}
	}
}

// TestView writes a view to the byte and reads it back.
func TestView(t *testing.T) {
	s := start(t)
	play(t, s, "a1 e5")
	const empty = "[-1,-1,-1,-1,-1,-1,-1,-1,-1]"
	const want = `{"rulesVersion":"grid-arena-2.0","size":9,"board":[[0,-1,-1,-1,-1,-1,-1,-1,-1],` + empty + `,` + empty + `,` + empty +
		`,[-1,-1,-1,-1,1,-1,-1,-1,-1],` + empty + `,` + empty + `,` + empty + `,` + empty + `],"seat":1,"symbol":"O","scores":[0,0],` +
		`"breakdown":[{"offence":0,"area":0,"defence":0},{"offence":0,"area":0,"defence":0}],"turn":0,"revision":2,` +
		`"lastMove":{"seat":1,"row":4,"col":4,"offence":0,"area":0,"defence":0},` +
		`"history":[{"seat":0,"row":0,"col":0,"offence":0,"area":0,"defence":0},{"seat":1,"row":4,"col":4,"offence":0,"area":0,"defence":0}]}`
	got, err := json.Marshal(s.View(1))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(got)))
	}
	var back grid.View
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != want {
		t.Errorf("came back as %s, %v", again, err)
	}
}

// TestShown compares all that a state shows, at drawn moments of drawn games.
func TestShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := start(t), newNaive()
		quiet := rapid.IntRange(70, 81).Draw(t, "plies") // looked at from here on
		early := rapid.IntRange(0, 69).Draw(t, "ply")    // and once before
		for len(n.history) < 81 {
			if k := len(n.history); k >= quiet || k == early {
				compare(t, s, n)
			}
			free := n.legal()
			c := free[rapid.IntRange(0, len(free)-1).Draw(t, "move")]
			want := action(int(c.Row), int(c.Col))
			if got, err := s.Play(n.mover(), want); err != nil || got != want {
				t.Fatalf("Play(%s): %s, %v", want, got, err)
			}
			n.play(c)
		}
		compare(t, s, n)
	})
}
