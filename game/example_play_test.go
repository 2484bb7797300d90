package game_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
)

// A game played by hand, without a referee. Actions are JSON; whatever an agent sends goes through Check or Play.
func Example_play() {
	table, err := game.New(Nim{Stones: 5, Most: 3}).Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, answer := range []game.Action{" 3.0", "3", "2"} {
		mover := s.Turn().Seats.First()
		recorded, err := s.Play(mover, answer)
		if err != nil {
			fmt.Printf("seat %s: %v\n", mover, err)
			continue // nothing has changed: the same seat answers again
		}
		fmt.Printf("seat %s takes %s, %d left\n", mover, recorded, s.View(game.Spectator).(NimView).Left)
	}
	o := s.Outcome()
	fmt.Println(s.Turn().Over(), o.Returns, o.Places(), o.Reason)
	// Output:
	// seat 0 takes 3, 2 left
	// seat 1: game: illegal move: "3" is not among the legal moves: 1, 2
	// seat 1 takes 2, 0 left
	// true [-1 1] [2 1] last
}
