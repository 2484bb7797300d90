package rating_test

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/rating"
)

// A league of three, in pairs with swapped seats.
func ExampleBradleyTerry() {
	var games []rating.Game
	for k := range 40 {
		for _, couple := range [][2]string{{"ada", "bob"}, {"bob", "cyd"}, {"ada", "cyd"}} {
			first := rating.Duel(couple[0], couple[1], []float64{1, 1, 0.5, 0}[k%4])
			second := rating.Duel(couple[1], couple[0], []float64{0.5, 1, 0, 0.5, 1}[k%5])
			first.Pair = fmt.Sprint(couple, k)
			second.Pair = first.Pair
			games = append(games, first, second)
		}
	}
	fit, err := rating.BradleyTerry(games, rating.BTOptions{})
	if err != nil {
		panic(err)
	}
	d, err := fit.Difference("ada", "cyd")
	if err != nil {
		panic(err)
	}
	i := d.Interval(0.95)
	fmt.Printf("ada less cyd: %.0f Elo, from %.0f to %.0f\n", d.Elo, i.Low, i.High)

	// Somebody who never took a point cannot be placed.
	_, err = rating.BradleyTerry(append(games, rating.Duel("ada", "dan", 1)), rating.BTOptions{})
	var apart *rating.NotConnectedError
	fmt.Println(errors.As(err, &apart), err)
	// Output:
	// ada less cyd: 12 Elo, from -40 to 64
	// true rating: results do not connect 2 groups of players: {ada, bob, cyd} {dan}
}
