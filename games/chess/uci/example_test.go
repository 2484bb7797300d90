package uci_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/uci"
	"github.com/matchreferee/arena/referee"
)

// An engine plays both sides of a position, with a thousand nodes for each move. (Not run as a test, for it needs the engine.)
func Example() {
	engine, err := uci.Open(context.Background(), uci.Options{
		Path: "/usr/games/stockfish", Nodes: 1000, Fresh: true, Set: []uci.Setting{{Name: "Hash", Value: "1"}},
	})
	if err != nil {
		panic(err)
	}
	defer engine.Close()
	table, err := chess.New().Table(nil)
	if err != nil {
		panic(err)
	}
	setup := referee.Setup{
		ID: "rook-ending", Table: table, Start: game.Setup{Position: "7k/R7/6K1/8/8/8/8/8 w - - 0 1"}, Seats: make([]referee.SeatInfo, 2),
	}
	result, err := new(referee.Local).Play(context.Background(), setup, engine, engine)
	if err != nil {
		panic(err)
	}
	fmt.Println(engine.Name(), result.Reason, result.Returns) // Stockfish 15.1 checkmate [1 -1]
}
