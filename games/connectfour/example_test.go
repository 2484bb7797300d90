package connectfour_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
)

func Example() {
	table, err := connectfour.New().Table([]byte(`{"columns": 5, "rows": 4, "connect": 3}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, column := range []string{"b", "b", "c", "a", "d"} {
		seat := s.Turn().Seats.First()
		move, err := s.Parse(seat, column)
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := s.Play(seat, move); err != nil {
			fmt.Println(err)
			return
		}
	}
	board, _ := s.Board(game.Spectator)
	fmt.Println(board)
	fmt.Println(s.Outcome().Reason, s.Outcome().Returns)
	// Output:
	// ```
	//  .....
	//  .....
	//  .O...
	//  OXXX.
	//  abcde
	// ```
	// connect [1 -1]
}
