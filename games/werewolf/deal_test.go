package werewolf_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

func undealt(t tester, setup game.Setup) *game.State {
	t.Helper()
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDealIsUniform: 100,000 seeds deal nine seats each of the 252 ways about as often. The critical value of chi-square with 251 degrees of
// freedom is 337.6 at one in 5,000; the seeds are fixed, so the outcome is too.
func TestDealIsUniform(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	const deals, ways, critical = 100_000, 252, 337.6
	s := undealt(t, game.Setup{Seats: 9})
	counts := map[game.Action]int{}
	for n := range uint64(deals) {
		a, ok := s.Chance(game.SeedFrom(n))
		if !ok {
			t.Fatal("nothing is dealt")
		}
		counts[a]++
	}
	if len(counts) != ways {
		t.Fatalf("%d ways to deal, not %d", len(counts), ways)
	}
	chi := 0.0
	for _, a := range slices.Sorted(maps.Keys(counts)) {
		d := float64(counts[a]) - deals/float64(ways)
		chi += float64(d*d) / (deals / float64(ways))
	}
	t.Logf("chi-square %.1f", chi)
	if chi > critical {
		t.Errorf("chi-square %.1f is above %.1f", chi, critical)
	}
}

// TestDealIgnoresNames: who is called what, and who sits where, changes no deal.
func TestDealIgnoresNames(t *testing.T) {
	for seats := werewolf.MinSeats; seats <= werewolf.MaxSeats; seats++ {
		names := make([]string, seats)
		for i := range names {
			names[i] = []string{"wolf", "seer", "", "\xff", "zz"}[i%5]
		}
		plain, named := undealt(t, game.Setup{Seats: seats}), undealt(t, game.Setup{Seats: seats, Names: names})
		slices.Reverse(names)
		reversed := undealt(t, game.Setup{Seats: seats, Names: names})
		different := map[game.Action]bool{}
		for n := range uint64(50) {
			seed := game.SeedFrom(n)
			a, _ := plain.Chance(seed)
			b, _ := named.Chance(seed)
			c, _ := reversed.Chance(seed)
			if a != b || a != c {
				t.Errorf("%d seats, seed %d: %s, %s and %s", seats, n, a, b, c)
			}
			different[a] = true
		}
		if len(different) < 4 {
			t.Errorf("%d seats: 50 seeds deal only %d ways", seats, len(different))
		}
	}
}

// TestDealIsRecorded: it is a move of Chance, which nobody else can make, and nothing about it shows.
func TestDealIsRecorded(t *testing.T) {
	s := undealt(t, game.Setup{Seats: 5})
	if turn := s.Turn(); !turn.Chance || turn.Seats != 0 {
		t.Fatalf("first to act: %+v", turn)
	}
	before := asJSON(t, s.View(game.Spectator))
	deal, _ := s.Chance(game.SeedFrom(1))
	for seat := range game.Seat(5) {
		if _, err := s.Play(seat, deal); err == nil {
			t.Errorf("seat %d deals", seat)
		}
	}
	recorded, err := s.Play(game.Chance, deal)
	if err != nil || recorded != deal {
		t.Fatalf("%s, %v", recorded, err)
	}
	after := s.View(game.Spectator).(werewolf.View)
	after.Phase = "deal"
	if got := asJSON(t, after); got != before {
		t.Errorf("a spectator sees %s, and then %s", before, got)
	}
}
