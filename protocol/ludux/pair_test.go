package ludux

import "github.com/matchreferee/arena/game"

// pair is over after one joint turn of two, in which a seat may play nothing but its own number.
type pair struct{}

type pairState struct{ Over bool }

func (pair) Info() game.Info {
	return game.Info{Name: "pair", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 1}
}

func (pair) Start(game.Setup) (pairState, error) { return pairState{}, nil }

func (pair) Turn(s *pairState) game.Turn {
	if s.Over {
		return game.Turn{}
	}
	return game.Turn{Seats: game.FirstSeats(2)}
}

func (pair) Legal(dst []int, _ *pairState, seat game.Seat) []int { return append(dst, int(seat)) }
func (pair) Apply(s *pairState, _ []game.Move[int])              { s.Over = true }
func (pair) View(s *pairState, _ game.Seat) any                  { return *s }
func (pair) Outcome(*pairState) game.Outcome {
	return game.Outcome{Returns: []float64{0, 0}, Reason: "done"}
}
