package main

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
)

func TestRules(t *testing.T) {
	gametest.Run(t, newPig(), gametest.Options{Rulesets: []string{`{"goal":10,"rounds":2}`}})
}

// TestTurns plays a few turns by hand.
func TestTurns(t *testing.T) {
	table, err := newPig().Table([]byte(`{"goal":10}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 2, Names: []string{"Ann", "Bo"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		seat  game.Seat
		text  string
		board string
	}{
		{0, "roll", "> Ann            0\n  Bo             0\n"},
		{game.Chance, "6", "> Ann            0 +6\n  Bo             0\n"},
		{0, "hold", "  Ann            6\n> Bo             0\n"},
		{1, "roll", "  Ann            6\n> Bo             0\n"},
		{game.Chance, "1", "> Ann            6\n  Bo             0\n"}, // a one: the turn is lost
		{0, "roll", "> Ann            6\n  Bo             0\n"},
		{game.Chance, "4", "> Ann            6 +4\n  Bo             0\n"},
		{0, "hold", "  Ann           10\n> Bo             0\n"},
	} {
		a, err := s.Parse(m.seat, m.text)
		if err != nil {
			t.Fatalf("%s %s: %v", m.seat, m.text, err)
		}
		if _, err := s.Play(m.seat, a); err != nil {
			t.Fatalf("%s %s: %v", m.seat, m.text, err)
		}
		if board, _ := s.Board(game.Spectator); board != m.board {
			t.Errorf("after %s of %s the board is\n%s\nnot\n%s", m.text, m.seat, board, m.board)
		}
	}
	if !s.Turn().Over() {
		t.Fatal("the game is not over")
	}
	out := s.Outcome()
	if out.Reason != "goal" || out.Returns[0] != 1 || out.Returns[1] != -1 || out.Scores[0] != 10 || out.Scores[1] != 0 {
		t.Errorf("the outcome is %+v", out)
	}
}

// TestRuleset: each bad field is named.
func TestRuleset(t *testing.T) {
	for _, ruleset := range []string{`{"goal":9}`, `{"rounds":0}`, `{"goal":201,"rounds":5}`, `{"Goal":20}`} {
		if _, err := newPig().Table([]byte(ruleset)); err == nil {
			t.Errorf("%s is accepted", ruleset)
		}
	}
}
