package eco_test

import (
	"fmt"

	"github.com/matchreferee/arena/games/chess/eco"
)

func Example() {
	book, err := eco.Load()
	if err != nil {
		panic(err)
	}
	o, ok := book.FindUCI([]string{"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "h2h3"})
	fmt.Println(ok, o.Code, o.Name, o.Plies)
	// Output: true C70 Ruy Lopez: Morphy Defense 6
}
