package werewolf_test

import (
	"maps"
	"slices"
	"strings"
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

// plausible holds what the seer of a state has seen against who was alive when.
func (x round) plausible(seats int) {
	x.Helper()
	roles := rolesOf(x.State, seats)
	seer := game.Seat(strings.IndexByte(roles, 's'))
	died := map[game.Seat]int{} // in which night, counted double, or after which day
	for _, e := range x.look(game.Spectator).PublicLog {
		switch seat, _ := e.Seat.Get(); e.Type {
		case "death":
			died[seat] = 2 * e.Day
		case "eliminated":
			died[seat] = 2*e.Day + 1
		}
	}
	for _, p := range x.look(seer).Private.Peeks {
		switch at := 2 * p.Day; {
		case died[seer] > 0 && died[seer] <= at:
			x.Errorf("%s: the seer, dead, saw seat %d in night %d", roles, p.Target, p.Day)
		case died[p.Target] > 0 && died[p.Target] < at, p.Target == seer:
			x.Errorf("%s: the seer looked at seat %d in night %d", roles, p.Target, p.Day)
		case p.IsWerewolf != (roles[p.Target] == 'w'):
			x.Errorf("%s: the seer saw seat %d wrongly", roles, p.Target)
		}
	}
}

// TestResampleAtTheEnd: when everything is known, nothing else can be.
func TestResampleAtTheEnd(t *testing.T) {
	x := dealt(t, "", "wwsvvvvv")
	x.act("2:peek 1")
	x.silence()
	x.act("2:vote 0", "3:vote 0")
	x.act("1:kill 3")
	x.silence()
	x.act("2:vote 1", "4:vote 1")
	if !x.Turn().Over() {
		t.Fatal("it goes on")
	}
	for seat := game.Spectator; seat < 8; seat++ {
		if made, ok := x.Resample(seat, game.SeedFrom(1).Stream("resample", 0)); !ok || game.Dump(made) != game.Dump(x.State) {
			t.Errorf("seat %s: another state", seat)
		}
	}
}

// TestResampleIsFair: a seer that knows nearly everything, of a large table, gets each deal that is left about as often as the others, and so
// cannot tell the real one by its being drawn too often.
func TestResampleIsFair(t *testing.T) {
	const draws = 2000
	x := dealt(t, "", "wwwsvvvvvvvvvvv")
	for seat := range game.Seat(12) {
		if seat == 2 || seat == 3 {
			continue
		}
		x.act("3:peek " + seat.String())
		x.silence()
		x.act()
	}
	found := map[string]int{} // the third werewolf is 2, or one of 12 to 14
	for n := range uint64(draws) {
		made, ok := x.Resample(3, game.SeedFrom(n).Stream("resample", 0))
		if !ok {
			t.Fatal("nothing is drawn")
		}
		found[rolesOf(made, 15)]++
	}
	if len(found) != 4 {
		t.Errorf("%d deals, not 4", len(found))
	}
	for deal, n := range found {
		if n < draws/4-100 || n > draws/4+100 { // five standard deviations
			t.Errorf("%s: %d of %d", deal, n, draws)
		}
	}
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
	paired.act("0:kill 6", "1:kill 7", "2:peek 3")
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
				if a, ok := made.Chance(game.SeedFrom(n)); ok { // a lot: what the seer asked tonight shows after it
					if _, err := made.Play(game.Chance, a); err != nil {
						t.Fatal(err)
					}
				}
				round{t, made}.plausible(seats)
			}
			if len(found) != tt.deals || found[real] == 0 {
				t.Errorf("%d deals, not %d: %v", len(found), tt.deals, slices.Sorted(maps.Keys(found)))
			}
		})
	}
}
