package werewolf_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// rolesOf reads the deal behind a state, a letter a seat.
func rolesOf(s *game.State, seats int) string {
	deal := make([]byte, seats)
	for i := range deal {
		role, _ := s.View(game.Seat(i)).(werewolf.View).YourRole.Get()
		deal[i] = role[0]
	}
	return string(deal)
}

// TestResample: what it draws for a seat are all the deals that this seat must reckon with, and no others; worked out by hand.
func TestResample(t *testing.T) {
	x := dealt(t, "", "wwsvvvvv")
	x.act("0:kill 7", "1:kill 6", "2:peek 1")
	x.lot(7)
	// Seat 7 is dead and known as a villager. To seat 6 any two of 0 to 5 may be the werewolves, and any other of these the seer.
	hidden := dealt(t, `{"reveal_roles":false}`, "vwsvvv")
	hidden.act("1:kill 5", "2:peek 0")
	hidden.silence()
	hidden.act("1:vote 4", "2:vote 4")
	// Seat 5 was killed and is no werewolf; neither is seat 4, for the match goes on.
	prey := dealt(t, `{"reveal_roles":false}`, "wwsvvvvv")
	prey.act("0:kill 7", "1:kill 7")
	few := dealt(t, `{"reveal_roles":false}`, "wwsvvvvv")
	few.act("0:kill 7", "1:kill 7")
	few.silence()
	few.act("3:vote 0")
	few.act("1:kill 6")
	few.silence()
	few.act("3:vote 5")
	paired := dealt(t, `{"reveal_roles":false}`, "wwsvvvvv")
	paired.act()
	paired.silence()
	paired.act("3:vote 5")
	paired.act("0:kill 6", "1:kill 7")
	tie := dealt(t, "", "wwsvvvvv")
	tie.act("0:kill 7", "1:kill 6", "2:peek 3")
	for _, tt := range []struct {
		name  string
		x     round
		seat  game.Seat
		deals int
	}{
		{"a villager", x, 6, 15 * 4},
		{"a dead villager", x, 7, 21 * 5}, // two of seven and one of the other five
		{"the seer, who saw seat 1", x, 2, 5},
		{"a werewolf", x, 0, 5}, // one of 2 to 6 is the seer
		{"a villager where roles stay hidden", hidden, 3, 3 * 4},
		{"the seer where roles stay hidden", hidden, 2, 2},                       // it saw seat 0 to be none: seat 1 or 3
		{"a villager who does not know what the prey was", prey, 6, 15 * 5},      // no werewolf, but perhaps the seer
		{"a villager who counts four alive", few, 3, 3 * 2 * 5},                  // so one werewolf of 1, 2 and 4 lives, and either 0 or 5 was the other
		{"a villager, before a lot that takes two werewolves", paired, 4, 6 * 5}, // 5, who is dead, is none of them
		{"a villager, before a lot between 6 and 7", tie, 5, 10 * 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seats := len(tt.x.look(0).Players)
			real := rolesOf(tt.x.State, seats)
			found := map[string]int{}
			for n := range uint64(25 * tt.deals) {
				made, ok := tt.x.Resample(tt.seat, game.SeedFrom(n).Stream("resample", 0))
				if !ok {
					t.Fatal("nothing is drawn")
				}
				if d := cmp.Diff(asJSON(t, tt.x.View(tt.seat)), asJSON(t, made.View(tt.seat))); d != "" {
					t.Fatalf("seat %d sees another state:\n%s", tt.seat, d)
				}
				found[rolesOf(made, seats)]++
			}
			if len(found) != tt.deals || found[real] == 0 {
				t.Errorf("%d deals, not %d: %v", len(found), tt.deals, slices.Sorted(maps.Keys(found)))
			}
		})
	}
}
