package chess_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

func Example() {
	table, err := chess.New().Table([]byte(`{"lenient": true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	var record []game.Action
	for _, reply := range []string{`"e4"`, `"e7e5"`, `"Qh5"`, `"Nc6"`, `"Bc4"`, `" Nf6 "`, `"Qxf7#"`} {
		move, err := s.Play(s.Turn().Seats.First(), game.Action(reply))
		if err != nil {
			fmt.Println(err)
			return
		}
		record = append(record, move)
	}
	fmt.Println(record)
	fmt.Println(s.Outcome().Reason, s.Outcome().Returns)
	// Output:
	// ["e2e4" "e7e5" "d1h5" "b8c6" "f1c4" "g8f6" "h5f7"]
	// checkmate [1 -1]
}

func ExamplePosition() {
	p, err := chess.ParseFEN("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range p.Legal(nil) {
		next := p // positions are values: a copy is a branch
		next.Play(m)
		if next.InCheck() && !next.HasLegal() {
			fmt.Println(m, p.SAN(m), next.FEN())
		}
	}
	// Output:
	// h5f7 Qxf7# r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
}

func ExamplePosition_ParseSAN() {
	p := chess.Initial()
	m, err := p.ParseSAN("Nf3")
	fmt.Println(m, err)
	_, err = p.ParseSAN("Nd2")
	fmt.Println(err)
	// Output:
	// g1f3 <nil>
	// "Nd2" is not a legal move here
}
