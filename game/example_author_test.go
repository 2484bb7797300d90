package game_test

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// Nim is the ruleset: two seats in turn take stones from one heap; who takes the last one wins.
type Nim struct {
	Stones int `json:"stones"` // at the start
	Most   int `json:"most"`   // that one move may take
}

// NimState is all that changes.
type NimState struct {
	Left  int
	Mover game.Seat
}

// NimView is what everybody sees: this game hides nothing.
type NimView struct {
	Left   int       `json:"left"`
	ToMove game.Seat `json:"to_move"`
}

func (r Nim) Info() game.Info {
	return game.Info{
		Name: "nim", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: r.Stones, MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

// Validate is optional, and every ruleset with numbers wants it.
func (r Nim) Validate() error {
	var errs []error
	if r.Stones < 1 || r.Stones > 1000 {
		errs = append(errs, fmt.Errorf("stones: %d, not 1 to 1000", r.Stones))
	}
	if r.Most < 1 {
		errs = append(errs, fmt.Errorf("most: %d, not at least 1", r.Most))
	}
	return errors.Join(errs...)
}

func (r Nim) Start(game.Setup) (NimState, error) { return NimState{Left: r.Stones}, nil }

func (r Nim) Turn(s *NimState) game.Turn {
	if s.Left == 0 {
		return game.Turn{} // over
	}
	return game.Turn{Seats: game.Seats(s.Mover)}
}

func (r Nim) Legal(dst []int, s *NimState, _ game.Seat) []int {
	for n := 1; n <= min(r.Most, s.Left); n++ {
		dst = append(dst, n)
	}
	return dst
}

func (r Nim) Apply(s *NimState, moves []game.Move[int]) {
	s.Left -= moves[0].Action
	s.Mover = 1 - s.Mover
}

func (r Nim) View(s *NimState, _ game.Seat) any { return NimView{s.Left, s.Mover} }

func (r Nim) Outcome(s *NimState) game.Outcome {
	returns := []float64{1, 1}
	returns[s.Mover] = -1
	return game.Outcome{Returns: returns, Reason: "last"}
}

// An author writes rules over types of his own; New makes a game of them.
func Example_author() {
	g := game.New(Nim{Stones: 5, Most: 3})
	table, err := g.Table([]byte(`{"stones": 4}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s\n", table.Info().Name, table.Ruleset())
	_, err = g.Table([]byte(`{"Stones": 4}`))
	fmt.Println(err)
	_, err = g.Table([]byte(`{"stones": 0}`))
	fmt.Println(err)
	// Output:
	// nim {"most":3,"stones":4}
	// game: bad ruleset: Stones: no such member: it is spelt stones
	// game: bad ruleset: stones: 0, not 1 to 1000
}
