package connectfour_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
)

func start(t tester, ruleset string) *game.State {
	t.Helper()
	table, err := connectfour.New().Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play drops discs into columns, in turn.
func play(t tester, s *game.State, columns ...int) {
	t.Helper()
	for ply, c := range columns {
		if _, err := s.Play(s.Turn().Seats.First(), game.Action(strconv.Itoa(c))); err != nil {
			t.Fatalf("ply %d: %v", ply+1, err)
		}
	}
}

// oneBased reads a game written as digits, 1 for the leftmost column.
func oneBased(digits string) []int {
	var columns []int
	for _, d := range digits {
		columns = append(columns, int(d-'1'))
	}
	return columns
}

func TestReports(t *testing.T) {
	t.Run("B29", func(t *testing.T) { // the line is made by the disc that also fills the board: no draw
		moves := oneBased("211131416572345677654327654322345677654321")
		s := start(t, "")
		play(t, s, moves[:41]...)
		if s.Turn().Over() {
			t.Fatal("over before the last disc")
		}
		play(t, s, moves[41])
		want := game.Outcome{Returns: []float64{-1, 1}, Reason: "connect"}
		if d := cmp.Diff(want, s.Outcome()); d != "" || !s.Turn().Over() {
			t.Errorf("turn %v, outcome:\n%s", s.Turn(), d)
		}
		v := s.View(game.Spectator).(connectfour.View)
		for row := 2; row <= 5; row++ {
			if seat, ok := v.Board[row][0].Get(); !ok || seat != 1 {
				t.Errorf("column 1, row %d: %v, %v", row+1, seat, ok)
			}
		}
	})
	t.Run("B30", func(t *testing.T) { // after the end a seat was still to move
		s := start(t, "")
		play(t, s, oneBased("1212121")...)
		if turn := s.Turn(); turn != (game.Turn{}) {
			t.Errorf("turn after the end: %+v", turn)
		}
		for _, seat := range []game.Seat{0, 1, game.Spectator, game.Chance, game.Host} {
			if legal := s.Legal(nil, seat); len(legal) > 0 {
				t.Errorf("seat %s has moves %v", seat, legal)
			}
			for _, a := range []game.Action{"0", "6", `"a"`, ""} {
				if _, err := s.Check(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Errorf("Check(%s, %s): %v", seat, a, err)
				}
				if _, err := s.Play(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Errorf("Play(%s, %s): %v", seat, a, err)
				}
				if err := s.Apply(game.Step{{Seat: seat, Action: a}}); !errors.Is(err, game.ErrIllegal) {
					t.Errorf("Apply(%s, %s): %v", seat, a, err)
				}
			}
		}
		view, err := json.Marshal(s.View(0))
		if err != nil {
			t.Fatal(err)
		}
		var wire struct {
			ToMove *int `json:"to_move"`
		}
		if err := json.Unmarshal(view, &wire); err != nil || wire.ToMove != nil {
			t.Errorf("to_move in %s, %v", view, err)
		}
	})
}

func TestBoard(t *testing.T) {
	s := start(t, "")
	play(t, s, 2, 3, 3, 3, 4) // the position that the agentarena/1 document shows
	const want = "```\n .......\n .......\n .......\n ...O...\n ...X...\n ..XOX..\n abcdefg\n```"
	for _, seat := range []game.Seat{0, 1, game.Spectator} {
		if got, ok := s.Board(seat); got != want || !ok {
			t.Errorf("seat %s:\n%s", seat, cmp.Diff(want, got))
		}
	}
}

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}
