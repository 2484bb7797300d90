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

// checkOutcome: a finished game has a result of the kind that Info promises.
func checkOutcome(_ *kit, _ *rapid.T, tr *trace) error {
	s := tr.last()
	if !s.Turn().Over() {
		return nil
	}
	if err := outcomeError(tr.table.Info(), tr.setup.Seats, s.Outcome()); err != nil {
		return at(len(tr.steps), "%v", err)
	}
	out := s.Outcome()
	for i := range out.Returns { // the caller's to change
		out.Returns[i] += 1000
	}
	for i := range out.Scores {
		out.Scores[i] += 1000
	}
	if err := outcomeError(tr.table.Info(), tr.setup.Seats, s.Outcome()); err != nil {
		return at(len(tr.steps), "changing the Outcome that was given changes the next: %v", err)
	}
	return nil
}

// outcomeError says what is wrong with a result.
func outcomeError(info game.Info, seats int, out game.Outcome) error {
	if len(out.Returns) != seats {
		return fmt.Errorf("the outcome has %d returns for %d seats", len(out.Returns), seats)
	}
	sum := 0.0
	for seat, r := range out.Returns {
		if !(r >= info.MinReturn && r <= info.MaxReturn) {
			return fmt.Errorf("the outcome returns %v to seat %d, outside Info's %v to %v", r, seat, info.MinReturn, info.MaxReturn)
		}
		sum += r
	}
	if info.ZeroSum && !(sum > -1e-9 && sum < 1e-9) {
		return fmt.Errorf("ZeroSum is set in Info, and the outcome returns %v, which sum to %v", out.Returns, sum)
	}
	if len(out.Scores) != 0 && len(out.Scores) != seats {
		return fmt.Errorf("the outcome has %d scores for %d seats", len(out.Scores), seats)
	}
	if !reasonCode.MatchString(out.Reason) {
		return fmt.Errorf("the outcome has the reason %q: a code of lower-case letters, digits, - and _ is wanted", out.Reason)
	}
	return nil
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
