package house_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/house"
	"github.com/matchreferee/arena/referee"
)

// A match between two house players, in this process and without a record.
func Example() {
	table, err := chess.New().Table(nil)
	if err != nil {
		panic(err)
	}
	hard, err := house.ByName("hard")
	if err != nil {
		panic(err)
	}
	setup := referee.Setup{ID: "practice-1", Table: table, Secret: game.SeedFrom(1), Seats: make([]referee.SeatInfo, 2)}
	result, err := new(referee.Local).Play(context.Background(), setup, house.Random(), hard)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Cause, result.Reason, result.Returns)
	// Output: play checkmate [-1 1]
}
