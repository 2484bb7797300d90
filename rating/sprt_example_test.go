package rating_test

import (
	"fmt"

	"github.com/matchreferee/arena/rating"
)

// A new version is tested against the last one by pairs with swapped seats, until either hypothesis can be accepted.
func ExampleSPRT() {
	test, err := rating.NewSPRT(rating.SPRTOptions{Elo0: 0, Elo1: 40}) // normalized Elo
	if err != nil {
		panic(err)
	}
	// Half points of the new version in each pair of the schedule; one in ten was void.
	pairs := []int{3, 2, 2, rating.Unusable, 4, 1, 3, 2, 3, 2}
	for i := 0; ; i++ {
		state, err := test.Put(i, pairs[i%len(pairs)])
		if err != nil {
			panic(err)
		}
		if state.Verdict != rating.Continue {
			break
		}
	}
	state := test.State()
	fmt.Printf("%v after %d pairs, %v\n", state.Verdict, state.N, state.Counts)
	e, err := test.Estimate(0.95)
	if err != nil {
		panic(err)
	}
	fmt.Printf("Elo %.0f, from %.0f to %.0f\n", e.Elo, e.Interval.Low, e.Interval.High)
	// Output:
	// H1 after 44 pairs, [0 5 19 15 5]
	// Elo 76, from 29 to 126
}
