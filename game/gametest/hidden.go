package gametest

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// resamples is how many states are made up for each seat at each ply.
const resamples = 3

// checkHidden is non-interference: from a state that a seat cannot tell from the real one, by the author's own word, nothing that reaches
// this seat, or the public, may differ. And the author's word is tried: such a state must play on to a proper end,
// and over all games at least one must differ from the real one.
func checkHidden(k *kit, t *rapid.T, tr *trace) error {
	if !tr.table.Info().Hidden {
		return nil
	}
	probes := append(tr.probes(8), tr.outsiders(8)...)
	for _, i := range tr.look {
		s := tr.states[i]
		if s.Turn().Over() { // all may be told now
			continue
		}
		dump, public := game.Dump(s), lookAt(s, game.Spectator, nil)
		for seat := range tr.seats().All() {
			private := lookAt(s, seat, probes)
			for range resamples {
				other, ok := s.Resample(seat, lot(t, "resample"))
				if !ok {
					return at(i, "Info.Hidden is set, and there is no Resample")
				}
				k.resampled++
				if game.Dump(other) == dump {
					continue
				}
				k.different++
				if other.Turn().Over() {
					return at(i, "Resample for seat %s gives a state in which the game is over", seat)
				}
				if d := private.diff(lookAt(other, seat, probes)); d != "" {
					return at(i, "what Resample changes for seat %s is hidden from it, but shows: for %s, %s", seat, seat, d)
				}
				if d := public.diff(lookAt(other, game.Spectator, nil)); d != "" {
					return at(i, "what Resample changes for seat %s is hidden from it, but shows: for spectator, %s", seat, d)
				}
				if err := k.plausible(t, tr, other); err != nil {
					return at(i, "Resample for seat %s gives a state that cannot be: %v\n  %s", seat, err, clip(game.Dump(other)))
				}
				break
			}
		}
	}
	return nil
}

// plausible plays a made-up state to its end, as the checks on real games want it.
func (k *kit) plausible(t *rapid.T, tr *trace, made *game.State) error {
	s := made.Clone()
	return guarded(func() error {
		most := tr.table.Info().MaxSteps
		for !s.Turn().Over() {
			if s.Steps() > most {
				return fmt.Errorf("the game goes on after %d steps", most)
			}
			step, err := k.step(t, s)
			if err == nil {
				err = s.Apply(step)
			}
			if err != nil {
				return fmt.Errorf("after %d more steps: %w", s.Steps()-made.Steps(), err)
			}
		}
		return outcomeError(tr.table.Info(), tr.setup.Seats, s.Outcome())
	})
}

func afterHidden(k *kit) error {
	if k.resampled > 0 && k.different == 0 {
		return fmt.Errorf("in all games, each of %d states that Resample gave is the one it was given: it hides nothing, so nothing was checked", k.resampled)
	}
	return nil
}

// checkPublic: where Info does not say Hidden, whoever looks can tell what others can tell. Two moves that somebody could have made instead
// of each other lead to views that differ for all who look, or for none.
func checkPublic(k *kit, t *rapid.T, tr *trace) error {
	if tr.table.Info().Hidden {
		return nil
	}
	for _, i := range tr.look {
		if i == len(tr.steps) || tr.states[i].Turn().Mode == game.Independent { // there seats work apart until they are done
			continue
		}
		if tr.states[i+1].Turn().Over() {
			continue
		}
		s := tr.fork(i)
		other, err := k.step(t, s)
		if err == nil {
			err = s.Apply(other)
		}
		if err != nil {
			return at(i, "the state has no other step: %v", err)
		}
		var same, differ []game.Seat
		for _, seat := range tr.observers() {
			if viewText(s, seat) == viewText(tr.states[i+1], seat) {
				same = append(same, seat)
			} else {
				differ = append(differ, seat)
			}
		}
		if len(same) > 0 && len(differ) > 0 && !s.Turn().Over() {
			return at(i+1, "Info.Hidden is not set, but views of %v tell this step from %s and those of %v do not", differ, stepText(other), same)
		}
	}
	return nil
}
