package house_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
	"github.com/matchreferee/arena/referee"
)

// villagersWin plays a match with one player for all seats that are dealt a werewolf and another for the rest, and gives what the villagers got.
func villagersWin(t failer, seats int, seed uint64, villagers, wolves referee.Player) float64 {
	t.Helper()
	s := setup(t, "", seats, seed)
	state, err := s.Table.Start(game.Setup{Seats: seats})
	if err != nil {
		t.Fatal(err)
	}
	deal, _ := state.Chance(s.Secret)
	if _, err := state.Play(game.Chance, deal); err != nil {
		t.Fatal(err)
	}
	players, villager := make([]referee.Player, seats), game.Spectator
	for i := range players {
		if role, _ := state.View(game.Seat(i)).(werewolf.View).YourRole.Get(); role == werewolf.Werewolf {
			players[i] = wolves
		} else {
			players[i], villager = villagers, game.Seat(i)
		}
	}
	return play(t, s, players...).Returns[villager]
}

// gain is by how many points of win rate one way to seat a side is better than another over the same deals, and half the width of its 95% interval.
func gain(won, before []bool) (points, half float64) {
	n := float64(len(won))
	sum, squares := 0.0, 0.0
	for i := range won {
		d := 0.0
		if won[i] {
			d++
		}
		if before[i] {
			d--
		}
		sum += d
		squares += float64(d * d)
	}
	mean := sum / n
	deviation := math.Sqrt((squares/n - float64(mean*mean)) / (n - 1))
	return 100 * mean, 100 * 1.96 * deviation
}

// TestReasonerBeatsRandom: over 2,000 matches of nine seats, as either side, it wins at least 5 points more often than random play against the same
// random others; the 95% interval lies above that.
func TestReasonerBeatsRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	const games, seats, least = 2000, 9, 5
	random, reasoner := house.Random(), house.Reasoner()
	var plain, village, pack [2][]bool // won by villagers, by werewolves
	for seed := range uint64(games) {
		for _, x := range []struct {
			won               *[2][]bool
			villagers, wolves referee.Player
		}{{&plain, random, random}, {&village, reasoner, random}, {&pack, random, reasoner}} {
			got := villagersWin(t, seats, seed, x.villagers, x.wolves)
			x.won[0], x.won[1] = append(x.won[0], got == 1), append(x.won[1], got == -1)
		}
	}
	for side, won := range map[string][2][]bool{"villagers": {village[0], plain[0]}, "werewolves": {pack[1], plain[1]}} {
		points, half := gain(won[0], won[1])
		t.Logf("%s: %.1f points better, +-%.1f", side, points, half)
		if points-half < least {
			t.Errorf("%s: %.1f points better, +-%.1f: not surely %d", side, points, half, least)
		}
	}
}

// TestReasonerAtEveryTable: matches of every size and ruleset go to their end by the rules, with no fault of anybody.
func TestReasonerAtEveryTable(t *testing.T) {
	players := []referee.Player{house.Random(), house.Reasoner(), loudmouth()}
	for seats := werewolf.MinSeats; seats <= werewolf.MaxSeats; seats++ {
		for i, ruleset := range []string{"", `{"max_days":4,"reveal_roles":false}`} {
			table := make([]referee.Player, seats)
			for s := range table {
				table[s] = players[(s*7+seats+i)%3]
			}
			r := play(t, setup(t, ruleset, seats, uint64(seats)), table...)
			var none referee.SeatResult
			for s, seat := range r.Seats {
				if seat.Faults != none.Faults || seat.Out || seat.Strikes != 0 {
					t.Errorf("%d seats, %q: seat %d: %+v", seats, ruleset, s, seat)
				}
			}
		}
	}
}

// loudmouth says whatever the reasoner listens to, true or not, and what only looks like it.
func loudmouth() referee.Player {
	return referee.Inline(func(r *referee.Request) referee.Answer {
		lot := r.Rand()
		if r.Form() == nil {
			listed := r.Listed()
			return referee.Answer{Action: listed[lot.IntN(len(listed))]}
		}
		are := []string{"a", "no", "the"}[lot.IntN(3)]
		text := fmt.Sprintf("I am the seer: %d is %s werewolf; %d is a werewolf.", lot.IntN(20)-1, are, lot.IntN(15))
		a, err := r.Parse("say " + text[:len(text)-lot.IntN(3)])
		if err != nil {
			return referee.Answer{Fault: referee.BadProtocol, Detail: err.Error()}
		}
		return referee.Answer{Action: a}
	})
}
