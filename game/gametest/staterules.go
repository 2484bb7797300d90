package gametest

import (
	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// stateChecks are about states: the same moves make the same state, and nothing but its own moves changes one.
func stateChecks() []check {
	return []check{
		{name: "reads", needs: []string{"check"}, game: checkReads},
		{name: "forks", needs: []string{"reads"}, game: checkForks, prints: true},
		{name: "determinism", needs: []string{"forks"}, game: checkDeterminism},
	}
}

// checkDeterminism: asked twice, a state says the same; played twice, moves lead to the same state.
func checkDeterminism(_ *kit, _ *rapid.T, tr *trace) error {
	probes := tr.probes(8)
	for _, i := range tr.look {
		first := tr.lookAll(tr.states[i], probes)
		if d := first.diff(tr.lookAll(tr.states[i], probes)); d != "" {
			return at(i, "the state says something else when it is asked again: %s", d)
		}
	}
	s, err := tr.table.Start(tr.setup)
	if err != nil {
		return at(0, "starting again from the same setup: %v", err)
	}
	for i, next := 0, 0; i < len(tr.states); i++ {
		if i == tr.look[next] {
			next++
			if d := tr.lookAll(tr.states[i], probes).diff(tr.lookAll(s, probes)); d != "" {
				return at(i, "the same moves lead to something else when they are played again: %s", d)
			}
			if a, b := game.Dump(tr.states[i]), game.Dump(s); a != b {
				return at(i, "the same moves lead to another state when they are played again:\n  %s\n  %s", clip(a), clip(b))
			}
		}
		if i < len(tr.steps) {
			if err := s.Apply(tr.steps[i]); err != nil {
				return at(i, "the next step was taken, and is refused when it is played again: %v", err)
			}
		}
	}
	return nil
}

// checkReads: looking at a state changes nothing in it, not even out of sight.
func checkReads(_ *kit, t *rapid.T, tr *trace) error {
	probes := tr.probes(8)
	for _, i := range tr.look {
		s := tr.fork(i)
		before := game.Dump(s)
		reads := []struct {
			name string
			read func()
		}{
			{"looking at it", func() { tr.lookAll(s, probes) }},
			{"Forfeit", func() { s.Forfeit(game.Seats(0)) }},
			{"Resample", func() { s.Resample(0, lot(t, "resample")) }},
		}
		for _, r := range reads {
			r.read()
			if after := game.Dump(s); after != before {
				return at(i, "%s changes the state:\n  %s\n  %s", r.name, clip(before), clip(after))
			}
		}
	}
	return nil
}

// checkForks: a state goes its own way. A copy holds all that it holds, and stays as it is when the state moves on, or another copy;
// what Apply was given is not kept.
func checkForks(k *kit, t *rapid.T, tr *trace) error {
	for i, s := range tr.states {
		if now := game.Dump(s); now != tr.prints[i] {
			return at(i, "playing on changed a copy of this earlier state:\n  %s\n  %s\nIs there a slice or map in the state that Apply changes, and no Clone?",
				clip(tr.prints[i]), clip(now))
		}
	}
	for _, i := range tr.look {
		if i == len(tr.steps) {
			break
		}
		if err := k.forkTwice(t, tr, i); err != nil {
			return err
		}
	}
	return nil
}

// forkTwice sends two copies of a state different ways.
func (k *kit) forkTwice(t *rapid.T, tr *trace, i int) error {
	one, two := tr.fork(i), tr.fork(i)
	if err := one.Apply(tr.steps[i]); err != nil {
		return at(i, "a copy of the state refuses the step that the state took: %v", err)
	}
	after := game.Dump(one)
	other, err := k.step(t, two)
	if err != nil {
		return at(i, "a copy of the state has no move: %v", err)
	}
	if err := two.Apply(other); err != nil {
		return at(i, "a copy of the state refuses the step %s: %v", stepText(other), err)
	}
	if now := game.Dump(one); now != after {
		return at(i+1, "another copy of the state before it took %s, and changed this one:\n  %s\n  %s", stepText(other), clip(after), clip(now))
	}
	three := tr.fork(len(tr.states) - 1)
	three.Set(tr.states[i])
	if now := game.Dump(three); now != tr.prints[i] {
		return at(i, "Set does not make a copy:\n  %s\n  %s", clip(tr.prints[i]), clip(now))
	}
	if err := three.Apply(other); err != nil {
		return at(i, "a state made by Set refuses the step %s: %v", stepText(other), err)
	}
	if now := game.Dump(tr.states[i]); now != tr.prints[i] {
		return at(i, "a copy of the state took %s, and changed it:\n  %s\n  %s", stepText(other), clip(tr.prints[i]), clip(now))
	}
	return nil
}
