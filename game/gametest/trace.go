package gametest

import (
	"math/rand/v2"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// ground is one ruleset with one setup: where random games start.
type ground struct {
	table *game.Table
	setup game.Setup
}

// trace is one random game. Its states are never moved: a check that plays on does so on clones.
type trace struct {
	ground
	steps  []game.Step
	states []*game.State // states[i] is the position after i steps
	prints []string      // what was inside states[i] when it came about; nil unless the check wants it
	look   []int         // the plies that costly checks look at, in order
	next   game.Step     // the step under way when the game stopped
	err    error         // why the game went no further, where it is not over
}

// last is where the game ended.
func (tr *trace) last() *game.State { return tr.states[len(tr.states)-1] }

// play draws one random game into tr, which holds what was played even if the rules panic. Whatever stops a game before its end is left
// in tr.err, for the check that owns it.
func (k *kit) play(t *rapid.T, tr *trace, prints bool) error {
	s, err := tr.table.Start(tr.setup)
	if err != nil {
		return err
	}
	tr.add(s, prints)
	for most := tr.table.Info().MaxSteps; !s.Turn().Over(); {
		if len(tr.steps) > most { // one more than allowed: the play check tells
			break
		}
		tr.next, tr.err = k.step(t, s)
		if tr.err == nil {
			tr.err = s.Apply(tr.next)
		}
		if tr.err != nil {
			break
		}
		tr.steps, tr.next = append(tr.steps, tr.next), nil
		tr.add(s, prints)
	}
	tr.sample(t, k.opts.Every)
	return nil
}

func (tr *trace) add(s *game.State, prints bool) {
	tr.states = append(tr.states, s.Clone())
	if prints {
		tr.prints = append(tr.prints, game.Dump(s))
	}
}

// sample chooses the plies to look at: each every-th one and the last; 0 looks at 16 or so.
func (tr *trace) sample(t *rapid.T, every int) {
	if every == 0 {
		every = max(1, len(tr.states)/16)
	}
	first := 0
	if every > 1 {
		first = rapid.IntRange(0, every-1).Draw(t, "first ply looked at")
	}
	for i := first; i < len(tr.states); i += every {
		tr.look = append(tr.look, i)
	}
	if n := len(tr.states) - 1; len(tr.look) == 0 || tr.look[len(tr.look)-1] != n {
		tr.look = append(tr.look, n)
	}
}

// fork gives a state of the trace that may be moved.
func (tr *trace) fork(ply int) *game.State { return tr.states[ply].Clone() }

// seats are those of the setup.
func (gr *ground) seats() game.SeatSet { return game.FirstSeats(gr.setup.Seats) }

// observers are the seats and Spectator.
func (gr *ground) observers() []game.Seat {
	var all []game.Seat
	for s := range gr.seats().All() {
		all = append(all, s)
	}
	return append(all, game.Spectator)
}

// everybody is observers, Chance and Host.
func (gr *ground) everybody() []game.Seat { return append(gr.observers(), game.Chance, game.Host) }

// lot gives a source for rules that want one, drawn from t.
func lot(t *rapid.T, label string) *rand.Rand {
	return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, label), 0))
}
