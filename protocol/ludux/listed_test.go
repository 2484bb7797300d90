package ludux

import (
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestListedAccepted: in all four games the referee accepts every listed action as it stands in the message, in every position of some games.
func TestListedAccepted(t *testing.T) {
	for _, tt := range []struct {
		name     string
		game     game.Game
		position string
		seats    int
		turns    int
	}{
		{"connect-four", connectfour.New(), "", 2, 16}, {"grid", grid.New(), "", 2, 3}, {"werewolf", werewolf.New(), "", 7, 40},
		{"chess", chess.New(), "", 2, 3}, {"promotions", chess.New(), "1n2k3/P6P/8/8/8/8/p6p/R3K2R w KQ - 0 1", 2, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			draw := rand.New(rand.NewPCG(3, 3))
			type turn struct {
				seat   game.Seat
				action game.Action
			}
			var turns []turn
			phases := map[string]bool{}
			again := func() *referee.Match {
				m := newMatch(t, tt.game, "", tt.position, tt.seats)
				for _, p := range turns {
					r, ok := m.Open(p.seat)
					if !ok {
						t.Fatalf("seat %v is not asked", p.seat)
					}
					play(t, m, began, &r, p.action)
				}
				return m
			}
			for len(turns) < tt.turns {
				list := requests(again())
				if len(list) == 0 {
					break
				}
				for _, r := range list {
					asked := read(t, write(t, r))
					phases[asked.Phase] = true
					if len(asked.LegalActions) == 0 {
						t.Fatal("nothing is listed")
					}
					for _, a := range asked.LegalActions {
						m := again()
						play(t, m, began, r, a)
					}
				}
				r := list[draw.IntN(len(list))]
				legal := r.Legal(nil)
				turns = append(turns, turn{r.Seat, legal[draw.IntN(len(legal))]})
			}
			if tt.name == "werewolf" && len(phases) != 3 {
				t.Errorf("only %v", phases)
			}
		})
	}
}
