package pgn_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess/pgn"
)

// What a match left becomes a game in PGN.
func ExampleRecord() {
	clock := func(s int) game.Opt[time.Duration] { return game.Some(time.Duration(s) * time.Second) }
	record := pgn.Record{
		Moves:  []pgn.Ply{{UCI: "f2f3", Clock: clock(300)}, {UCI: "e7e5", Clock: clock(299)}, {UCI: "g2g4"}, {UCI: "d8h4", Comment: "That was quick."}},
		Result: pgn.BlackWins, Termination: pgn.Normal,
		Tags: []pgn.Tag{{Name: "White", Value: "Ann"}, {Name: "Black", Value: "Bob"}, {Name: "Date", Value: "2026.11.30"}},
	}
	g, err := record.Game()
	if err != nil {
		panic(err)
	}
	if err := pgn.Write(os.Stdout, g); err != nil {
		panic(err)
	}
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "2026.11.30"]
	// [Round "?"]
	// [White "Ann"]
	// [Black "Bob"]
	// [Result "0-1"]
	// [Termination "normal"]
	//
	// 1. f3 {[%clk 0:05:00]} 1... e5 {[%clk 0:04:59]} 2. g4 Qh4# {That was quick.}
	// 0-1
}

// Games are read one after another; what is wrong is named by its place.
func ExampleReader() {
	r := pgn.NewReader(strings.NewReader("1. e4 e5 2. Nf3 {a knight} 1/2-1/2\n\n1. e4 e5 2. Ke3 *\n"))
	for {
		g, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(len(g.Moves), "plies,", g.Result, g.Moves[2].Comments)
	}
	// Output:
	// 3 plies, 1/2-1/2 [a knight]
	// pgn: line 3, column 13: "Ke3" is not a legal move here
}

// A list of openings is played in pairs with the seats swapped.
func ExampleOpenings() {
	list, err := pgn.ReadPGN(strings.NewReader("[Opening \"Sicilian\"] 1. e4 c5 *\n[Opening \"French\"] 1. e4 e6 *\n"), -1)
	if err != nil {
		panic(err)
	}
	for n := range 4 {
		opening, swapped := list.Match(n)
		fmt.Println(n, opening.Name, swapped, opening.Setup().Position)
	}
	// Output:
	// 0 Sicilian false rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
	// 1 Sicilian true rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2
	// 2 French false rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
	// 3 French true rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
}
