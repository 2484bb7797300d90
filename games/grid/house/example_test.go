package house_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
)

// A match between two opponents of the house, in this process and without a record.
func Example() {
	table, err := grid.New().Table(nil)
	if err != nil {
		panic(err)
	}
	casual, err := house.ByName("casual")
	if err != nil {
		panic(err)
	}
	o := house.Options{Nodes: 300} // weaker than it is in earnest
	v2, err := house.New("hell_v2", o)
	if err != nil {
		panic(err)
	}
	policy, err := house.PolicyOf("hell_v2", o)
	if err != nil {
		panic(err)
	}
	setup := referee.Setup{ID: "practice-1", Table: table, Secret: game.SeedFrom(1), Seats: make([]referee.SeatInfo, 2)}
	result, err := new(referee.Local).Play(context.Background(), setup, casual, v2)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Cause, result.Reason, result.Returns)
	fmt.Println(policy)
	// Output:
	// play points [-1 1]
	// hell_v2/1 (alpha-beta, transposition table; 300 nodes, 9000 ms)
}
