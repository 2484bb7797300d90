package gametest

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

var reasonCode = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// endChecks are about results and about positions to start from.
func endChecks() []check {
	return []check{
		{name: "outcome", needs: []string{"play"}, game: checkOutcome},
		{name: "forfeit", needs: []string{"outcome"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Forfeiter }) }, game: checkForfeit},
		{name: "position", needs: []string{"determinism"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Positioner }) }, game: checkPosition},
	}
}

// checkForfeit: whoever can play no more comes out no better than the best of the others.
func checkForfeit(_ *kit, t *rapid.T, tr *trace) error {
	for _, i := range tr.look {
		s := tr.states[i]
		if s.Turn().Over() || tr.setup.Seats < 2 {
			continue
		}
		all := tr.seats()
		out := game.Seats(game.Seat(rapid.IntRange(0, tr.setup.Seats-1).Draw(t, "out")))
		if tr.setup.Seats > 2 && rapid.Bool().Draw(t, "two out") {
			out = out.With(game.Seat(rapid.IntRange(0, tr.setup.Seats-1).Draw(t, "out too")))
		}
		o, ok := s.Forfeit(out)
		if !ok {
			continue
		}
		if err := outcomeError(tr.table.Info(), tr.setup.Seats, o); err != nil {
			return at(i, "forfeit of %s: %v", seatsText(out), err)
		}
		best := func(seats game.SeatSet) float64 {
			top := o.Returns[seats.First()]
			for seat := range seats.All() {
				top = max(top, o.Returns[seat])
			}
			return top
		}
		if best(out) > best(all&^out) {
			return at(i, "forfeit of %s returns %v: those who are out win", seatsText(out), o.Returns)
		}
	}
	return nil
}

func seatsText(x game.SeatSet) string { return fmt.Sprint(slices.Collect(x.All())) }

// checkPosition: a game that starts from the notation of a state goes on as that state would.
func checkPosition(_ *kit, _ *rapid.T, tr *trace) error {
	for _, i := range tr.look {
		s := tr.states[i]
		pos, ok := s.Position()
		if !ok || s.Turn().Over() {
			continue
		}
		setup := tr.setup
		setup.Position = pos
		started, err := tr.table.Start(setup)
		if err != nil {
			return at(i, "the position %q is refused as a start: %v", pos, err)
		}
		if again, _ := started.Position(); again != pos {
			return at(i, "the position %q comes back as %q", pos, again)
		}
		if a, b := s.Turn(), started.Turn(); a != b {
			return at(i, "the position %q has the turn %+v, and as a start %+v", pos, a, b)
		}
		for _, seat := range tr.everybody() {
			if a, b := s.Legal(nil, seat), started.Legal(nil, seat); !slices.Equal(a, b) {
				return at(i, "the position %q has the legal moves %s for %s, and as a start %s", pos, a, seat, b)
			}
		}
	}
	return nil
}
