package house_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
	"github.com/matchreferee/arena/referee"
)

// A table of seven, all house players, under a seed: it always comes out the same.
func Example() {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	setup := referee.Setup{ID: "village", Table: table, Secret: game.SeedFrom(7), Seats: make([]referee.SeatInfo, 7)}
	players := make([]referee.Player, 7)
	for i := range players {
		players[i] = house.Reasoner()
	}
	var local referee.Local
	result, err := local.Play(context.Background(), setup, players...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Reason, result.Returns)
	// Output:
	// werewolves_win [-1 -1 -1 -1 -1 1 -1]
}
