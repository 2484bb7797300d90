package gametest

import (
	"cmp"
	"slices"

	"github.com/matchreferee/arena/game"
)

// probes are a few moves of a trace, its own and others', that checks put to seats that may not make them.
func (tr *trace) probes(most int) []game.Action {
	seen := map[game.Action]bool{}
	var all []game.Action
	add := func(a game.Action) {
		if !seen[a] && len(all) < most {
			seen[a] = true
			all = append(all, a)
		}
	}
	for _, step := range tr.steps {
		for _, m := range step {
			add(m.Action)
		}
	}
	return all
}

// outsiders are the moves of Chance and Host that a trace has seen made or offered.
func (tr *trace) outsiders(most int) []game.Action {
	seen := map[game.Action]bool{}
	var all []game.Action
	add := func(a game.Action) {
		if !seen[a] && len(all) < most {
			seen[a] = true
			all = append(all, a)
		}
	}
	for i, step := range tr.steps {
		for _, m := range step {
			if m.Seat < 0 {
				add(m.Action)
			}
		}
		for _, a := range tr.states[i].Legal(nil, game.Chance) {
			add(a)
		}
		for _, a := range tr.states[i].Legal(nil, game.Host) {
			add(a)
		}
	}
	return all
}

func sortedAsks(asks []game.Ask) []game.Ask {
	return slices.SortedFunc(slices.Values(asks), func(a, b game.Ask) int { return cmp.Compare(a.ID, b.ID) })
}
