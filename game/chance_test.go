package game_test

import (
	"fmt"
	"testing"

	"github.com/matchreferee/arena/game"
)

// TestChance draws as the documentation of State.Chance says, and counts chance moves only.
func TestChance(t *testing.T) {
	seed := game.SeedFrom(7)
	s := begin(t, newSalon("lot", "one", "lot", "lot"), "")
	for n := range uint64(3) {
		if n == 1 {
			apply(t, s, move{1, `{"type":"say"}`})
		}
		want := fmt.Sprintf(`{"target":%d,"type":"lot"}`, seed.Stream("chance", n).IntN(1000))
		got, ok := s.Chance(seed)
		if !ok || string(got) != want {
			t.Fatalf("draw %d: %s, want %s", n, got, want)
		}
		if again, _ := s.Clone().Chance(seed); again != got {
			t.Fatalf("the clone drew %s", again)
		}
		var set game.State
		set.Set(s)
		if again, _ := set.Chance(seed); again != got {
			t.Fatalf("the state set to it drew %s", again)
		}
		if other, ok := s.Resample(0, seed.Stream("test", n)); !ok {
			t.Fatal("not resampled")
		} else if again, _ := other.Chance(seed); again != got {
			t.Fatalf("the resampled state drew %s", again)
		}
		apply(t, s, move{game.Chance, got})
	}
}

// dice lets chance roll, with equal odds, until six.
type dice struct{}

type diceState struct{ last int }

func (dice) Info() game.Info {
	return game.Info{Name: "dice", Version: "1.0.0", MinSeats: 1, MaxSeats: 1, MaxSteps: 1000}
}
func (dice) Start(game.Setup) (diceState, error) { return diceState{}, nil }
func (dice) Turn(s *diceState) game.Turn         { return game.Turn{Chance: s.last != 6} }
func (dice) Legal(dst []int, _ *diceState, _ game.Seat) []int {
	return append(dst, 1, 2, 3, 4, 5, 6)
}
func (dice) Apply(s *diceState, moves []game.Move[int]) { s.last = moves[0].Action }
func (dice) View(s *diceState, _ game.Seat) any         { return s.last }
func (dice) Outcome(*diceState) game.Outcome {
	return game.Outcome{Returns: []float64{0}, Reason: "six"}
}

func TestChanceEqualOdds(t *testing.T) {
	var counts [7]int
	for n := range uint64(200) {
		s := begin(t, game.New(dice{}), "")
		seed := game.SeedFrom(n)
		for !s.Turn().Over() {
			u := seed.Stream("chance", uint64(s.Steps())).Uint64()
			want := 1 + int(float64(u>>11)/(1<<53)*6) // another way to the same number
			a, ok := s.Chance(seed)
			if !ok || string(a) != fmt.Sprint(want) {
				t.Fatalf("seed %d, roll %d: %s, want %d", n, s.Steps(), a, want)
			}
			counts[want]++
			apply(t, s, move{game.Chance, a})
		}
	}
	for roll, n := range counts[1:] {
		if n < 130 {
			t.Errorf("%d came %d times in 200 games", roll+1, n)
		}
	}
}
