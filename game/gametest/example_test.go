package gametest_test

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
)

// Countdown is all of a game: the seats take 1 or 2 from a number in turns, and whoever reaches zero wins.
type Countdown struct {
	From int `json:"from"` // where it begins
}

// Left is its state: what is left, and who is to move.
type Left struct {
	N    int       `json:"n"`
	Turn game.Seat `json:"turn"`
}

func (c Countdown) Info() game.Info {
	return game.Info{Name: "countdown", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: c.From, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (c Countdown) Start(game.Setup) (Left, error) { return Left{N: c.From}, nil }

func (Countdown) Turn(s *Left) game.Turn {
	if s.N == 0 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(s.Turn)}
}

func (Countdown) Legal(dst []int, s *Left, _ game.Seat) []int {
	for n := 1; n <= min(2, s.N); n++ {
		dst = append(dst, n)
	}
	return dst
}

func (Countdown) Apply(s *Left, moves []game.Move[int]) {
	s.N -= moves[0].Action
	s.Turn = 1 - s.Turn
}

func (Countdown) View(s *Left, _ game.Seat) any { return *s }

func (Countdown) Outcome(s *Left) game.Outcome {
	out := game.Outcome{Returns: []float64{1, 1}, Reason: "zero"}
	out.Returns[s.Turn] = -1 // the other took the last
	return out
}

// An author's whole test. With NoTranscripts, it needs no files.
func TestCountdown(t *testing.T) {
	gametest.Run(t, game.New(Countdown{From: 10}), gametest.Options{
		Rulesets:      []string{`{"from":1}`},
		NoTranscripts: true,
	})
}

func ExampleRun() {
	// In a file that ends in _test.go, with testdata/transcripts beside it:
	_ = func(t *testing.T) {
		gametest.Run(t, game.New(Countdown{From: 10}), gametest.Options{Rulesets: []string{`{"from":1}`}})
	}
}
