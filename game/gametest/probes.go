package gametest

import (
	"cmp"
	"slices"

	"github.com/matchreferee/arena/game"
)

// few are different actions in the order they came, at most so many.
type few struct {
	most int
	list []game.Action
}

func (f *few) add(a game.Action) {
	if len(f.list) < f.most && !slices.Contains(f.list, a) {
		f.list = append(f.list, a)
	}
}

// probes are a few moves of a trace, its own and others', that checks put to seats that may not make them.
func (tr *trace) probes(most int) []game.Action {
	some := few{most: most}
	for _, step := range tr.steps {
		for _, m := range step {
			some.add(m.Action)
		}
	}
	return some.list
}

// outsiders are the moves of Chance and Host that a trace has seen made or offered.
func (tr *trace) outsiders(most int) []game.Action {
	some := few{most: most}
	for i, step := range tr.steps {
		for _, m := range step {
			if m.Seat < 0 {
				some.add(m.Action)
			}
		}
		for _, a := range tr.states[i].Legal(nil, game.Chance) {
			some.add(a)
		}
		for _, a := range tr.states[i].Legal(nil, game.Host) {
			some.add(a)
		}
	}
	return some.list
}

func sortedAsks(asks []game.Ask) []game.Ask {
	return slices.SortedFunc(slices.Values(asks), func(a, b game.Ask) int { return cmp.Compare(a.ID, b.ID) })
}
