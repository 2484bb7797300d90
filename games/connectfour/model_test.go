package connectfour_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
)

// naive is Connect Four as one would explain it: rows of cells, every line looked at after every disc.
type naive struct {
	columns, rows, connect int
	cells                  [16][16]byte // by column and row: '.', or 'X' or 'O'
	history                []int
	won                    bool
}

func newNaive(columns, rows, connect int) *naive {
	n := &naive{columns: columns, rows: rows, connect: connect}
	for c := range n.cells {
		for row := range n.cells[c] {
			n.cells[c][row] = '.'
		}
	}
	return n
}

func (n *naive) height(column int) int {
	h := 0
	for h < n.rows && n.cells[column][h] != '.' {
		h++
	}
	return h
}

func (n *naive) mover() game.Seat { return game.Seat(len(n.history) % 2) }

// run counts equal discs from a cell along a direction.
func (n *naive) run(c, row, right, up int) int {
	disc, length := n.cells[c][row], 0
	for c >= 0 && c < n.columns && row >= 0 && row < n.rows && n.cells[c][row] == disc {
		length, c, row = length+1, c+right, row+up
	}
	return length
}

func (n *naive) line() bool {
	for c := range n.columns {
		for row := range n.rows {
			for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
				if n.cells[c][row] != '.' && n.run(c, row, d[0], d[1]) >= n.connect {
					return true
				}
			}
		}
	}
	return false
}

func (n *naive) full() bool { return len(n.history) == n.columns*n.rows }

func (n *naive) legal() []game.Action {
	if n.won {
		return nil
	}
	var legal []game.Action
	for c := range n.columns {
		if n.height(c) < n.rows {
			legal = append(legal, game.Action(strconv.Itoa(c)))
		}
	}
	return legal
}

func (n *naive) drop(column int) {
	n.cells[column][n.height(column)] = "XO"[n.mover()]
	n.history = append(n.history, column)
	n.won = n.line()
}

func (n *naive) board() string {
	out := "```\n"
	for row := n.rows - 1; row >= 0; row-- {
		out += " "
		for c := range n.columns {
			out += string(rune(n.cells[c][row]))
		}
		out += "\n"
	}
	return out + " " + "abcdefghijklmnop"[:n.columns] + "\n```"
}

// view is the wire form, built of nothing but maps and lists.
func (n *naive) view(seat game.Seat) map[string]any {
	rows := []any{}
	for row := range n.rows {
		cells := []any{}
		for c := range n.columns {
			cells = append(cells, map[byte]any{'.': nil, 'X': 0.0, 'O': 1.0}[n.cells[c][row]])
		}
		rows = append(rows, cells)
	}
	v := map[string]any{"board": rows, "you_are": nil, "to_move": nil, "ply": float64(len(n.history)), "last_move": nil, "move_history": []any{}}
	for _, c := range n.history {
		v["move_history"] = append(v["move_history"].([]any), float64(c))
	}
	if seat.Valid() {
		v["you_are"] = float64(seat)
	}
	if !n.won && !n.full() {
		v["to_move"] = float64(n.mover())
	}
	if i := len(n.history) - 1; i >= 0 {
		c := n.history[i]
		v["last_move"] = map[string]any{"seat": float64(i % 2), "column": float64(c), "row": float64(n.height(c) - 1)}
	}
	return v
}

func compare(t *rapid.T, s *game.State, n *naive) {
	over := n.won || n.full()
	if s.Turn().Over() != over {
		t.Fatalf("over is %v, want %v\n%s", s.Turn().Over(), over, n.board())
	}
	if board, _ := s.Board(game.Spectator); board != n.board() {
		t.Fatal(cmp.Diff(n.board(), board))
	}
	for _, seat := range []game.Seat{0, 1, game.Spectator}[len(n.history)%3:][:1] {
		text, err := json.Marshal(s.View(seat))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if want := n.view(seat); !reflect.DeepEqual(got, want) {
			t.Fatalf("view of %s:\n%s", seat, cmp.Diff(want, got))
		}
	}
	if !over {
		if got := s.Legal(nil, n.mover()); !slices.Equal(got, n.legal()) {
			t.Fatalf("legal %v, want %v", got, n.legal())
		}
		if s.Turn() != (game.Turn{Seats: game.Seats(n.mover())}) {
			t.Fatalf("turn %+v", s.Turn())
		}
		for c := -1; c <= n.columns; c++ {
			a := game.Action(strconv.Itoa(c))
			_, err := s.Check(n.mover(), a)
			if (err == nil) != slices.Contains(n.legal(), a) {
				t.Fatalf("Check(%s): %v, legal are %v", a, err, n.legal())
			}
		}
		return
	}
	want := game.Outcome{Returns: []float64{0, 0}, Reason: "full"}
	if n.won {
		want = game.Outcome{Returns: []float64{-1, -1}, Reason: "connect"}
		want.Returns[1-n.mover()] = 1
	}
	if d := cmp.Diff(want, s.Outcome()); d != "" {
		t.Fatalf("outcome:\n%s\n%s", d, n.board())
	}
}

// TestModel plays random games on random boards beside the naive model.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(4, 16).Draw(t, "columns")
		rows := rapid.IntRange(4, min(16, 128/columns-1)).Draw(t, "rows")
		n := newNaive(columns, rows, rapid.IntRange(3, max(columns, rows)).Draw(t, "connect"))
		s := start(t, fmt.Sprintf(`{"columns":%d,"rows":%d,"connect":%d}`, n.columns, n.rows, n.connect))
		quiet := rapid.IntRange(0, n.columns*n.rows).Draw(t, "plies") // looked at from here on
		low := rapid.IntRange(1, n.columns).Draw(t, "span")           // few columns make high towers
		for !n.won && !n.full() {
			open := n.legal()
			a := open[rapid.IntRange(0, min(low, len(open))-1).Draw(t, "move")]
			if len(n.history) >= quiet {
				compare(t, s, n)
			}
			recorded, err := s.Play(n.mover(), a)
			if err != nil || recorded != a {
				t.Fatalf("Play(%s): %s, %v", a, recorded, err)
			}
			c, err := strconv.Atoi(string(a))
			if err != nil {
				t.Fatal(err)
			}
			n.drop(c)
		}
		compare(t, s, n)
	})
}

// TestLines sets every line of every direction on boards of several shapes, alone: each wins with its last disc and not before.
func TestLines(t *testing.T) {
	for _, r := range []connectfour.Rules{{7, 6, 4}, {4, 16, 3}, {16, 7, 16}, {8, 15, 8}, {8, 15, 9}, {9, 13, 13}, {5, 5, 5}} {
		rules := r
		for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			lines := 0
			for column := range r.Columns {
				for row := range r.Rows {
					c, w := column+(r.Connect-1)*d[0], row+(r.Connect-1)*d[1]
					if c >= r.Columns || w < 0 || w >= r.Rows {
						continue
					}
					lines++
					for missing := range r.Connect {
						var cells [][2]int
						for k := range r.Connect {
							if k != missing {
								cells = append(cells, [2]int{column + k*d[0], row + k*d[1]})
							}
						}
						last := [2]int{column + missing*d[0], row + missing*d[1]}
						if before, after := connectfour.Connects(rules, cells), connectfour.Connects(rules, append(cells, last)); before || !after {
							t.Fatalf("%+v from %d,%d along %v: %v without %v, %v with it", r, column, row, d, before, last, after)
						}
					}
				}
			}
			if r.Connect <= min(r.Columns, r.Rows) && lines == 0 {
				t.Errorf("%+v: no line along %v", r, d)
			}
		}
		// From the top of one column to the bottom of the next is no line.
		for top := 1; top < r.Connect; top++ {
			var cells [][2]int
			for k := range min(top, r.Rows) {
				cells = append(cells, [2]int{0, r.Rows - 1 - k})
			}
			for k := range min(r.Connect-top, r.Rows) {
				cells = append(cells, [2]int{1, k})
			}
			if connectfour.Connects(rules, cells) {
				t.Errorf("%+v: a line of the top %d of a column and the bottom of the next", r, top)
			}
		}
	}
}

func TestRuleset(t *testing.T) {
	for columns := 2; columns <= 18; columns++ {
		for rows := 2; rows <= 18; rows++ {
			for connect := 2; connect <= 18; connect++ {
				ok := columns >= 4 && columns <= 16 && rows >= 4 && rows <= 16 && columns*(rows+1) <= 128 && connect >= 3 && connect <= max(columns, rows)
				table, err := connectfour.New().Table(fmt.Appendf(nil, `{"columns":%d,"rows":%d,"connect":%d}`, columns, rows, connect))
				if (err == nil) != ok {
					t.Errorf("%d columns, %d rows, connect %d: %v", columns, rows, connect, err)
				}
				if err == nil && (table.Info().MaxSteps != columns*rows || len(table.Actions()) != columns) {
					t.Errorf("%d columns, %d rows: %d steps, %d actions", columns, rows, table.Info().MaxSteps, len(table.Actions()))
				}
			}
		}
	}
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(table.Ruleset()); got != `{"columns":7,"connect":4,"rows":6}` {
		t.Errorf("defaults: %s", got)
	}
	want := game.Info{Name: "connect-four", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 42, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
	if d := cmp.Diff(want, table.Info()); d != "" {
		t.Error(d)
	}
	for ruleset, fields := range map[string][]string{
		`{"columns":3,"rows":17,"connect":2}`:         {"columns: 3", "rows: 17", "connect: 2"},
		`{"columns":16,"rows":8}`:                     {"rows: ", "128"},
		`{"connect":8}`:                               {"connect: 8, not 3 to 7"},
		`{"Columns":7}`:                               {"Columns: no such member"},
		`{"columns":1000000000,"rows":4,"connect":4}`: {"columns: 1000000000"},
	} {
		_, err := connectfour.New().Table([]byte(ruleset))
		for _, field := range fields {
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%s: %q is not in: %v", ruleset, field, err)
			}
		}
	}
}

func TestHints(t *testing.T) {
	s := start(t, "")
	play(t, s, 6, 6, 6, 6, 6, 6)
	for a, want := range map[game.Action]string{
		"6": "column 6 (g) is full", "7": "no column 7", "-1": "no column -1", `"d"`: "string", "3.5": "number 3.5", "null": "null", `{"column":3}`: "object",
	} {
		if _, err := s.Check(0, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", a, err, want)
		}
	}
	for text, want := range map[string]game.Action{"a": "0", "f": "5", "g": "", "A": "", "1": "", "h": ""} {
		if got, err := s.Parse(0, text); got != want || (err == nil) != (want != "") {
			t.Errorf("Parse(%q): %s, %v", text, got, err)
		}
	}
	for a, want := range map[game.Action]string{"0": "a", "6": "g", "7": "7", "-1": "-1"} {
		if got := s.Text(a); got != want {
			t.Errorf("Text(%s) = %q, want %q", a, got, want)
		}
	}
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if x, o := table.Label(0), table.Label(1); x != "X" || o != "O" {
		t.Errorf("seats %q and %q", x, o)
	}
	if a, ok := s.Default(0); a != "0" || !ok {
		t.Errorf("default %s", a)
	}
}

// TestView is the sample of ludux/1, to the byte.
func TestView(t *testing.T) {
	s := start(t, `{"columns":5,"rows":4,"connect":3}`)
	play(t, s, 3, 3, 4, 2)
	const want = `{"board":[[null,null,1,0,0],[null,null,null,1,null],[null,null,null,null,null],[null,null,null,null,null]],` +
		`"you_are":1,"to_move":0,"ply":4,"last_move":{"seat":1,"column":2,"row":0},"move_history":[3,3,4,2]}`
	got, err := json.Marshal(s.View(1))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(got)))
	}
	var back connectfour.View
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != want {
		t.Errorf("came back as %s, %v", again, err)
	}
}
