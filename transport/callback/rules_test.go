package callback_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// rotten is a game whose drawing panics.
type rotten struct{}

type rottenState struct{ Plies int }

func (rotten) Info() game.Info {
	return game.Info{Name: "rotten", Version: "1", MinSeats: 2, MaxSeats: 2, MaxSteps: 4, MaxReturn: 1}
}
func (rotten) Start(game.Setup) (rottenState, error) { return rottenState{}, nil }
func (rotten) Turn(s *rottenState) game.Turn {
	if s.Plies == 4 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.Plies % 2))}
}
func (rotten) Legal(dst []int, _ *rottenState, _ game.Seat) []int { return append(dst, 1, 2) }
func (rotten) Apply(s *rottenState, _ []game.Move[int])           { s.Plies++ }
func (rotten) View(s *rottenState, _ game.Seat) any               { return s.Plies }
func (rotten) Outcome(*rottenState) game.Outcome {
	return game.Outcome{Returns: []float64{0, 0}, Reason: "end"}
}
func (rotten) Board(s *rottenState, seat game.Seat) string {
	if s.Plies == 2 {
		panic(errors.New("out of ink"))
	}
	return "```\n.\n```"
}

// TestRulesPanic has rules that panic while a request is written: the match is
// void, and the process goes on.
func TestRulesPanic(t *testing.T) {
	table, err := game.New(rotten{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	var got events
	tr := newTransport(t, practice(&got))
	s := setupFor(t, "m", "agent")
	s.Table = table
	r, faults := played(t, s, seat(t, tr, "agent", serve(t, good(t))))
	if r.Cause != referee.CauseVoid || r.Rated() || r.Seats[0].Strikes != 0 || r.Seats[0].Moves != 1 {
		t.Errorf("got %v, %+v", r.Cause, r.Seats[0])
	}
	if !slices.Contains(faults, "internal: panic: out of ink") {
		t.Errorf("faults %q", faults)
	}
	if es := got.all(); len(es) != 2 || es[1].Fault != referee.Internal {
		t.Errorf("events %+v", es)
	}
}
