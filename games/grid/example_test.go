package grid_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
)

// Seat 0 completes a column, which lies in one area; seat 1 has three in a row over two areas; and d6 stops the fourth.
func Example() {
	table, err := grid.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cell := range []string{"h1", "e6", "h2", "f6", "h3", "g6", "d6"} {
		seat := s.Turn().Seats.First()
		move, err := s.Parse(seat, cell)
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := s.Play(seat, move); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, m := range s.View(game.Spectator).(grid.View).History {
		if m.Total() > 0 {
			fmt.Printf("seat %d, row %d, col %d: %+v\n", m.Seat, m.Row, m.Col, m.Points)
		}
	}
	board, _ := s.Board(game.Spectator)
	fmt.Println(board)
	// Output:
	// seat 0, row 2, col 7: {Offence:1 Area:1 Defence:0}
	// seat 1, row 5, col 6: {Offence:1 Area:0 Defence:0}
	// seat 0, row 5, col 3: {Offence:0 Area:0 Defence:1}
	// ```
	// 1 ... ... .X.
	// 2 ... ... .X.
	// 3 ... ... .X.
	//
	// 4 ... ... ...
	// 5 ... ... ...
	// 6 ... XOO O..
	//
	// 7 ... ... ...
	// 8 ... ... ...
	// 9 ... ... ...
	//   abc def ghi
	// X 3: offence 1, area 1, defence 1
	// O 1: offence 1, area 0, defence 0
	// ```
}
