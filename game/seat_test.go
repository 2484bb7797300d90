package game_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

func TestSeatString(t *testing.T) {
	for seat, want := range map[game.Seat]string{0: "0", 63: "63", game.Spectator: "spectator", game.Chance: "chance", game.Host: "host"} {
		if got := seat.String(); got != want {
			t.Errorf("%d: %q, want %q", int8(seat), got, want)
		}
		if want := seat >= 0; seat.Valid() != want {
			t.Errorf("%s.Valid() is not %v", seat, want)
		}
	}
	for _, s := range []game.Seat{-4, -128, 64, 127} {
		if s.Valid() {
			t.Errorf("Seat(%d) is valid", int8(s))
		}
	}
}

func TestSeatSetEmpty(t *testing.T) {
	var empty game.SeatSet
	if empty.First() != game.Spectator || empty.Len() != 0 || len(slices.Collect(empty.All())) != 0 {
		t.Errorf("the empty set: first %s, len %d", empty.First(), empty.Len())
	}
	for _, n := range []int{-5, 0} {
		if x := game.FirstSeats(n); x != 0 {
			t.Errorf("FirstSeats(%d) = %b", n, x)
		}
	}
	for _, n := range []int{64, 65, 1000} {
		if x := game.FirstSeats(n); x.Len() != 64 || !x.Has(63) {
			t.Errorf("FirstSeats(%d) = %b", n, x)
		}
	}
}

// TestSeatSetModel compares with a sorted slice.
func TestSeatSetModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seat := rapid.Map(rapid.Int8(), func(n int8) game.Seat { return game.Seat(n) })
		var set game.SeatSet
		var model []game.Seat
		same := func() {
			if got := slices.Collect(set.All()); !slices.Equal(got, model) {
				t.Fatalf("seats:\n%s", cmp.Diff(model, got))
			}
			if set.Len() != len(model) || set != game.Seats(model...) {
				t.Fatalf("Len %d, want %d", set.Len(), len(model))
			}
			if len(model) > 0 && set.First() != model[0] {
				t.Fatalf("First %s, want %s", set.First(), model[0])
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"with": func(t *rapid.T) {
				s := seat.Draw(t, "seat")
				set = set.With(s)
				if s >= 0 && s < 64 && !slices.Contains(model, s) {
					model = append(model, s)
					slices.Sort(model)
				}
			},
			"without": func(t *rapid.T) {
				s := seat.Draw(t, "seat")
				set = set.Without(s)
				model = slices.DeleteFunc(model, func(m game.Seat) bool { return m == s })
			},
			"has": func(t *rapid.T) {
				s := seat.Draw(t, "seat")
				if set.Has(s) != slices.Contains(model, s) {
					t.Fatalf("Has(%s) is %v", s, set.Has(s))
				}
			},
			"first": func(t *rapid.T) {
				n := rapid.IntRange(0, 64).Draw(t, "n")
				set, model = game.FirstSeats(n), nil
				for i := range n {
					model = append(model, game.Seat(i))
				}
			},
			"": func(*rapid.T) { same() },
		})
	})
}

func TestTurn(t *testing.T) {
	tests := []struct {
		turn game.Turn
		over bool
		may  []game.Seat
	}{
		{game.Turn{}, true, nil},
		{game.Turn{Phase: "done", Mode: game.Free}, true, nil},
		{game.Turn{Chance: true}, false, []game.Seat{game.Chance}},
		{game.Turn{Host: true}, false, []game.Seat{game.Host}},
		{game.Turn{Seats: game.Seats(1, 3), Host: true, Mode: game.Free}, false, []game.Seat{1, 3, game.Host}},
	}
	for _, tt := range tests {
		if tt.turn.Over() != tt.over {
			t.Errorf("%+v: over is %v", tt.turn, tt.turn.Over())
		}
		var may []game.Seat
		for _, s := range []game.Seat{0, 1, 2, 3, 63, 64, game.Spectator, game.Chance, game.Host, -4} {
			if tt.turn.May(s) {
				may = append(may, s)
			}
		}
		if !slices.Equal(may, tt.may) {
			t.Errorf("%+v: %v may act, want %v", tt.turn, may, tt.may)
		}
	}
	for mode, want := range map[game.Mode]string{game.Joint: "joint", game.Independent: "independent", game.Free: "free", 9: "Mode(9)"} {
		if mode.String() != want {
			t.Errorf("%d: %q", mode, mode)
		}
	}
}

func TestPlaces(t *testing.T) {
	tests := []struct {
		returns []float64
		want    []int
	}{
		{nil, []int{}},
		{[]float64{1, -1}, []int{1, 2}},
		{[]float64{0, 0}, []int{1, 1}},
		{[]float64{-1, 2, 2, 0}, []int{4, 1, 1, 3}},
	}
	for _, tt := range tests {
		if d := cmp.Diff(tt.want, game.Outcome{Returns: tt.returns}.Places()); d != "" {
			t.Errorf("%v: %s", tt.returns, d)
		}
	}
}
