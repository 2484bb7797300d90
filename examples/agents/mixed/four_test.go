package mixed_test

import (
	"fmt"
	"testing"

	arena "github.com/matchreferee/arena"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
)

// TestFourKinds has each of the four carriers on at least two of the nine seats of one match, and then each of them on a side of
// Connect Four and chess.
func TestFourKinds(t *testing.T) {
	h := newHall(t)
	kinds := []func(*testing.T, string) arena.Seat{h.function, h.called, h.posted, h.connected}
	var village []arena.Seat
	for i := range 9 {
		village = append(village, kinds[i%4](t, fmt.Sprint("villager-", i)))
	}
	t.Run("werewolf", func(t *testing.T) {
		only(t, h.match(t, "werewolf", werewolf.New(), village...))
	})
	for i := range 4 {
		x, o := village[i], village[(i+1)%4]
		t.Run("connect-four "+x.Carrier+" "+o.Carrier, func(t *testing.T) {
			only(t, h.match(t, fmt.Sprint("connect-four-", i), connectfour.New(), x, o))
		})
		t.Run("chess "+x.Carrier+" "+o.Carrier, func(t *testing.T) {
			if testing.Short() {
				t.Skip("some hundred moves")
			}
			only(t, h.match(t, fmt.Sprint("chess-", i), chess.New(), x, o))
		})
	}
}
