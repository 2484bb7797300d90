package chess_test

import (
	"math/rand/v2"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// tester is a *testing.T, a *testing.B or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// start begins a game under a ruleset, from a FEN or, with "", as usual.
func start(t tester, ruleset, fen string) *game.State {
	t.Helper()
	table, err := chess.New().Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 2, Position: fen})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// uci is the action of a move's text.
func uci(text string) game.Action { return game.Action(`"` + text + `"`) }

// play makes moves, in turn, written in UCI with a space between them.
func play(t tester, s *game.State, moves string) {
	t.Helper()
	for i, m := range strings.Fields(moves) {
		if s.Turn().Over() {
			t.Fatalf("over before ply %d, %s: %s", i+1, m, s.Outcome().Reason)
		}
		if _, err := s.Play(s.Turn().Seats.First(), uci(m)); err != nil {
			t.Fatalf("ply %d, %s: %v", i+1, m, err)
		}
	}
}

// fen is the position of a game.
func fen(t tester, s *game.State) string {
	t.Helper()
	text, ok := s.Position()
	if !ok {
		t.Fatal("no FEN")
	}
	return text
}

// mover is the seat to move.
func mover(s *game.State) game.Seat { return s.Turn().Seats.First() }
