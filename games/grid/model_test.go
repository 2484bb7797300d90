package grid_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
)

// naive is the game as one would explain it: a board of letters on which every window is counted before and after every move.
type naive struct {
	board   [9][9]byte // '.', or 'X' or 'O'
	history []grid.Mark
	totals  [2]grid.Points
}

func newNaive() *naive {
	n := new(naive)
	for row := range n.board {
		for col := range n.board[row] {
			n.board[row][col] = '.'
		}
	}
	return n
}

var directions = [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}}

func inside(row, col int) bool { return row >= 0 && row < 9 && col >= 0 && col < 9 }

type rowCol struct{ row, col int }

func area(c rowCol) rowCol { return rowCol{c.row / 3, c.col / 3} }

// windows counts the windows of three that are all letter, and those of them in one area.
func (n *naive) windows(letter byte) (all, inArea int) {
	for row := range 9 {
		for col := range 9 {
			for _, d := range directions {
				found, near := 0, 0
				for k := range 3 {
					r, c := row+k*d[0], col+k*d[1]
					if !inside(r, c) || n.board[r][c] != letter {
						break
					}
					found++
					if area(rowCol{r, c}) == area(rowCol{row, col}) {
						near++
					}
				}
				if found == 3 {
					all++
				}
				if near == 3 {
					inArea++
				}
			}
		}
	}
	return all, inArea
}

// runs counts the directions in which letter on an empty cell would have a run of four cells or more, over two areas.
func (n *naive) runs(letter byte, row, col int) int {
	count := 0
	for _, d := range directions {
		run := []rowCol{{row, col}}
		for _, way := range []int{1, -1} {
			for r, c := row+way*d[0], col+way*d[1]; inside(r, c) && n.board[r][c] == letter; r, c = r+way*d[0], c+way*d[1] {
				run = append(run, rowCol{r, c})
			}
		}
		areas := map[rowCol]bool{}
		for _, c := range run {
			areas[area(c)] = true
		}
		if len(run) >= 4 && len(areas) >= 2 {
			count++
		}
	}
	return count
}

func (n *naive) mover() game.Seat { return game.Seat(len(n.history) % 2) }

func (n *naive) legal() []grid.Cell {
	var free []grid.Cell
	for row := range n.board {
		for col := range n.board[row] {
			if n.board[row][col] == '.' {
				free = append(free, grid.Cell{Row: int8(row), Col: int8(col)})
			}
		}
	}
	return free
}

func (n *naive) play(c grid.Cell) {
	seat, row, col := n.mover(), int(c.Row), int(c.Col)
	letter, other := "XO"[seat], "OX"[seat]
	defence := min(2, n.runs(other, row, col))
	all, inArea := n.windows(letter)
	n.board[row][col] = letter
	all2, inArea2 := n.windows(letter)
	p := grid.Points{Offence: all2 - all, Area: inArea2 - inArea, Defence: defence}
	n.history = append(n.history, grid.Mark{Seat: seat, Row: row, Col: col, Points: p})
	n.totals[seat].Offence += p.Offence
	n.totals[seat].Area += p.Area
	n.totals[seat].Defence += p.Defence
}

// view is the wire form, built of nothing but maps and lists.
func (n *naive) view(seat game.Seat) map[string]any {
	v := map[string]any{"rulesVersion": "grid-arena-2.0", "size": 9.0, "seat": nil, "symbol": nil, "turn": nil, "revision": float64(len(n.history)), "lastMove": nil}
	board := []any{}
	for _, cells := range n.board {
		row := []any{}
		for _, letter := range cells {
			row = append(row, map[byte]float64{'.': -1, 'X': 0, 'O': 1}[letter])
		}
		board = append(board, row)
	}
	points := func(p grid.Points) map[string]any {
		return map[string]any{"offence": float64(p.Offence), "area": float64(p.Area), "defence": float64(p.Defence)}
	}
	history := []any{}
	for _, m := range n.history {
		x := points(m.Points)
		x["seat"], x["row"], x["col"] = float64(m.Seat), float64(m.Row), float64(m.Col)
		history = append(history, x)
		v["lastMove"] = x
	}
	scores, breakdown := []any{}, []any{}
	for _, p := range n.totals {
		scores = append(scores, float64(p.Offence+p.Area+p.Defence))
		breakdown = append(breakdown, points(p))
	}
	v["board"], v["history"], v["scores"], v["breakdown"] = board, history, scores, breakdown
	if seat.Valid() {
		v["seat"], v["symbol"] = float64(seat), "XO"[seat:seat+1]
	}
	if len(n.history) < 81 {
		v["turn"] = float64(n.mover())
	}
	return v
}

// compare looks at everything that a state shows.
func compare(t tester, s *game.State, n *naive) {
	t.Helper()
	for _, seat := range []game.Seat{0, 1, game.Spectator} {
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
	var free []game.Action
	for _, c := range n.legal() {
		free = append(free, action(int(c.Row), int(c.Col)))
	}
	if got := s.Legal(nil, n.mover()); !slices.Equal(got, free) {
		t.Fatalf("legal %v, want %v", got, free)
	}
	if len(free) > 0 {
		if s.Turn() != (game.Turn{Seats: game.Seats(n.mover())}) {
			t.Fatalf("turn %+v", s.Turn())
		}
		for row := -1; row <= 9; row++ {
			for col := -1; col <= 9; col++ {
				a := action(row, col)
				_, err := s.Check(n.mover(), a)
				if (err == nil) != slices.Contains(free, a) {
					t.Fatalf("Check(%s): %v, legal are %v", a, err, free)
				}
			}
		}
		return
	}
	if !s.Turn().Over() {
		t.Fatalf("a full board, and %v to move", s.Turn())
	}
	a, b := int64(n.totals[0].Total()), int64(n.totals[1].Total())
	want := game.Outcome{Returns: []float64{0, 0}, Scores: []int64{a, b}, Reason: "equal"}
	if a != b {
		want.Reason = "points"
		want.Returns = map[bool][]float64{true: {1, -1}, false: {-1, 1}}[a > b]
	}
	if d := cmp.Diff(want, s.Outcome()); d != "" {
		t.Fatalf("outcome:\n%s", d)
	}
}

// TestModel plays random games beside the naive scorer: each seat sets its marks anywhere, or prefers cells beside its own, so that long
// lines and many windows at once are seen too.
func TestModel(t *testing.T) {
	games := 10_000
	if testing.Short() {
		games = 200
	}
	rules := grid.Rules{Size: 9}
	var most grid.Points
	ends := map[string]int{}
	for g := range games {
		r := rand.New(rand.NewPCG(uint64(g), 9))
		n := newNaive()
		s, err := rules.Start(game.Setup{Seats: 2})
		if err != nil {
			t.Fatal(err)
		}
		for !rules.Turn(&s).Over() {
			legal := rules.Legal(nil, &s, n.mover())
			c := legal[r.IntN(len(legal))]
			for range g % 4 * 8 { // the more often it is drawn again, the closer the marks stand
				if again := legal[r.IntN(len(legal))]; n.beside(again) > n.beside(c) {
					c = again
				}
			}
			rules.Apply(&s, []game.Move[grid.Cell]{{Seat: n.mover(), Action: c}})
			n.play(c)
			p := n.history[len(n.history)-1].Points
			most = grid.Points{Offence: max(most.Offence, p.Offence), Area: max(most.Area, p.Area), Defence: max(most.Defence, p.Defence)}
		}
		v := rules.View(&s, game.Spectator).(grid.View)
		if d := cmp.Diff(n.history, v.History); d != "" {
			t.Fatalf("game %d:\n%s", g, d)
		}
		if v.Breakdown != n.totals {
			t.Fatalf("game %d: %+v, want %+v", g, v.Breakdown, n.totals)
		}
		out := rules.Outcome(&s)
		if a, b := int64(n.totals[0].Total()), int64(n.totals[1].Total()); out.Scores[0] != a || out.Scores[1] != b || (a == b) != (out.Reason == "equal") {
			t.Fatalf("game %d: %+v, want %d:%d", g, out, a, b)
		}
		ends[fmt.Sprint(out.Returns)]++
	}
	t.Logf("the most in one move: %+v; ends %v", most, ends)
	if most.Offence < 8 || most.Area < 3 || most.Defence != 2 || len(ends) != 3 {
		t.Errorf("the games show too little: the most in one move %+v; ends %v", most, ends)
	}
}

// beside counts the mover's marks around a cell.
func (n *naive) beside(c grid.Cell) int {
	count := 0
	for _, d := range directions {
		for _, way := range []int{1, -1} {
			if r, c := int(c.Row)+way*d[0], int(c.Col)+way*d[1]; inside(r, c) && n.board[r][c] == "XO"[n.mover()] {
				count++
			}
		}
	}
	return count
}
