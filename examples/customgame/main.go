// Command customgame plays a game whose rules live in this module: a cautious player, who holds at 20, against players who toss a coin.
//
//	go run . [-seed N] [-players N]
//
// The same seed gives the same game.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/matchreferee/arena/game"
)

func main() {
	seed := flag.Uint64("seed", 1, "what decides the game")
	players := flag.Int("players", 2, "2 to 4")
	flag.Parse()
	if err := play(os.Stdout, game.SeedFrom(*seed), *players); err != nil {
		log.Fatal(err)
	}
}

// play writes one game to w.
func play(w io.Writer, seed game.Seed, players int) error {
	table, err := newPig().Table(nil)
	if err != nil {
		return err
	}
	s, err := table.Start(game.Setup{Seats: players, Names: []string{"Cautious"}})
	if err != nil {
		return err
	}
	for !s.Turn().Over() {
		seat, a := choose(s, seed)
		text := s.Text(a)
		if _, err := s.Play(seat, a); err != nil {
			return err
		}
		switch text {
		case "roll":
		case "hold", "1":
			board, _ := s.Board(game.Spectator)
			fmt.Fprintf(w, "%s\n%s\n", text, board)
		default:
			fmt.Fprintf(w, "%s ", text)
		}
	}
	out := s.Outcome()
	fmt.Fprintf(w, "%s: points %v, places %v\n", out.Reason, out.Scores, out.Places())
	return nil
}

// choose gives the next move: the die's, or one of the player whose turn it is.
func choose(s *game.State, seed game.Seed) (game.Seat, game.Action) {
	if a, ok := s.Chance(seed); ok {
		return game.Chance, a
	}
	seat := s.Turn().Seats.First()
	legal := s.Legal(nil, seat)
	if v := s.View(seat).(View); seat == 0 && len(legal) > 1 {
		if v.Sum >= 20 {
			return seat, legal[1] // hold
		}
		return seat, legal[0]
	}
	return seat, legal[seed.Stream("coin", uint64(s.Steps())).IntN(len(legal))]
}
