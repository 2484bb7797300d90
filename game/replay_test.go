package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// TestReplay plays random games and gets each of their states back from the steps.
func TestReplay(t *testing.T) {
	kinds := rapid.SliceOfN(rapid.SampledFrom([]string{"one", "joint", "independent", "free", "host", "lot"}), 1, 5)
	rapid.Check(t, func(t *rapid.T) {
		ruleset, err := json.Marshal(map[string]any{"script": kinds.Draw(t, "script")})
		if err != nil {
			t.Fatal(err)
		}
		table, err := newSalon().Table(ruleset)
		if err != nil {
			t.Fatal(err)
		}
		setup := game.Setup{Seats: 3}
		s, err := table.Start(setup)
		if err != nil {
			t.Fatal(err)
		}
		var steps []game.Step
		var kept []*game.State
		var prints []string
		scratch := new(game.State)
		for !s.Turn().Over() {
			kept, prints = append(kept, s.Clone()), append(prints, game.Dump(s))
			seats := []game.Seat{}
			for seat := range s.Turn().Seats.All() {
				seats = append(seats, seat)
			}
			if s.Turn().Host && (len(seats) == 0 || s.Steps()%3 == 0) {
				seats = []game.Seat{game.Host}
			}
			if s.Turn().Chance {
				seats = []game.Seat{game.Chance}
			} else if s.Turn().Mode != game.Joint {
				seats = seats[:1]
			}
			var step game.Step
			for _, seat := range seats {
				a := rapid.SampledFrom(s.Legal(nil, seat)).Draw(t, "move")
				recorded, err := s.Check(seat, a)
				if err != nil || recorded != a {
					t.Fatalf("listed %s by %s was recorded as %s, %v", a, seat, recorded, err)
				}
				step = append(step, move{seat, a})
			}
			scratch.Set(s)
			if len(step) == 1 {
				if _, err := scratch.Play(step[0].Seat, step[0].Action); err != nil {
					t.Fatal(err)
				}
			} else if err := scratch.Apply(step); err != nil {
				t.Fatal(err)
			}
			if err := s.Apply(step); err != nil {
				t.Fatal(err)
			}
			if a, b := game.Dump(s), game.Dump(scratch); a != b || s.Turn() != scratch.Turn() || s.Steps() != scratch.Steps() {
				t.Fatalf("Apply and Play differ:\n%s", cmp.Diff(a, b))
			}
			steps = append(steps, step)
		}
		for i, k := range kept {
			if now := game.Dump(k); now != prints[i] {
				t.Fatalf("the clone at step %d changed:\n%s", i, cmp.Diff(prints[i], now))
			}
			again, err := table.Replay(setup, steps[:i])
			if err != nil || game.Dump(again) != prints[i] || again.Steps() != i {
				t.Fatalf("replay to step %d: %v", i, err)
			}
		}
		if _, err := table.Replay(setup, append(steps, steps[0])); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), fmt.Sprint("step ", len(steps))) {
			t.Fatalf("a step too many: %v", err)
		}
	})
}

func TestSetOtherTable(t *testing.T) {
	a, b := begin(t, game.New(heap{Size: 9, Most: 2}), ""), begin(t, game.New(heap{Size: 3, Most: 3}), "")
	a.Set(b)
	if legal := a.Legal(nil, 0); len(legal) != 3 {
		t.Errorf("after Set from another table: %v", legal)
	}
	a.Set(a)
	if legal := a.Legal(nil, 0); len(legal) != 3 {
		t.Errorf("after Set from itself: %v", legal)
	}
	a.Set(begin(t, newSalon("one"), ""))
	if a.Turn().Seats != game.Seats(1) || len(a.Legal(nil, 1)) != 3 {
		t.Errorf("after Set from another game: %+v", a.Turn())
	}
	b.Set(a)
	apply(t, b, move{1, `{"type":"say"}`})
	if a.Turn().Over() || !b.Turn().Over() {
		t.Error("Set shares the state")
	}
}
