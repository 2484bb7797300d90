package gametest

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// whoChecks are about moves that no agent chooses, and about seats that act at the same time.
func whoChecks() []check {
	return []check{
		{name: "chance", needs: []string{"determinism"}, game: checkChance},
		{name: "host", needs: []string{"determinism"}, game: checkHost},
		{name: "independent", needs: []string{"view"}, game: checkIndependent},
		{name: "default", needs: []string{"legal"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Defaulter }) }, game: checkDefault},
	}
}

// checkChance: where it is Chance's turn there is a draw, legal as it stands, and the seed alone decides it.
func checkChance(_ *kit, t *rapid.T, tr *trace) error {
	if no, ok := errors.AsType[*errNoMove](tr.err); ok && no.seat == game.Chance {
		return at(len(tr.steps), "%v", no)
	}
	for _, i := range tr.look {
		s := tr.states[i]
		if !s.Turn().Chance {
			continue
		}
		again, err := tr.table.Replay(tr.setup, tr.steps[:i])
		if err != nil {
			return at(i, "the game cannot be played again: %v", err)
		}
		for range 4 {
			seed := game.SeedFrom(rapid.Uint64().Draw(t, "seed"))
			a, ok := s.Chance(seed)
			if !ok {
				return at(i, "it is Chance's turn, and there is no draw")
			}
			if b, _ := again.Chance(seed); a != b {
				return at(i, "one seed draws %s, and then %s: it must be all that decides", a, b)
			}
			got, err := s.Check(game.Chance, a)
			if err != nil {
				return at(i, "Chance draws %s, which Check refuses: %v", a, err)
			}
			if got != a {
				return at(i, "Chance draws %s, which Check changes to %s", a, got)
			}
		}
	}
	return nil
}

// checkHost: what the host owes is well-formed, its answers are taken, and nothing is asked twice.
func checkHost(k *kit, t *rapid.T, tr *trace) error {
	if no, ok := errors.AsType[*errNoMove](tr.err); ok && no.seat == game.Host {
		return at(len(tr.steps), "%v (Options.Host makes up answers)", no)
	}
	answered := map[int64]bool{}
	for i, s := range tr.states {
		asks := s.Asks()
		if s.Turn().Host && len(asks) == 0 {
			return at(i, "it is the host's turn, and nothing is asked of it")
		}
		for n, ask := range asks {
			switch {
			case slices.ContainsFunc(asks[:n], func(b game.Ask) bool { return b.ID == ask.ID }):
				return at(i, "two asks have the ID %d", ask.ID)
			case answered[ask.ID]:
				return at(i, "the ask %d was answered, and is there again", ask.ID)
			case !tr.seats().Has(ask.Seat):
				return at(i, "the ask %d is on behalf of seat %s", ask.ID, ask.Seat)
			case ask.Kind == "":
				return at(i, "the ask %d has no Kind", ask.ID)
			case !json.Valid(ask.Body):
				return at(i, "the ask %d has a Body that is no JSON: %s", ask.ID, clip(string(ask.Body)))
			}
		}
		if i == len(tr.steps) {
			break
		}
		left := gone(asks, tr.states[i+1].Asks())
		if step := tr.steps[i]; step[0].Seat == game.Host {
			if len(left) == 0 {
				return at(i+1, "the host's answer settles none of its asks")
			}
			for _, id := range left {
				answered[id] = true
			}
		}
	}
	return checkAskOrder(k, t, tr)
}

// gone lists what is asked before and no more after.
func gone(before, after []game.Ask) []int64 {
	var ids []int64
	for _, ask := range before {
		if !slices.ContainsFunc(after, func(a game.Ask) bool { return a.ID == ask.ID }) {
			ids = append(ids, ask.ID)
		}
	}
	return ids
}

// checkDefault: the safe default is legal as it stands, whenever a seat may act, and a game that nobody plays otherwise ends too.
func checkDefault(k *kit, t *rapid.T, tr *trace) error {
	for i, s := range tr.states {
		for seat := range s.Turn().Seats.All() {
			a, ok := s.Default(seat)
			if !ok {
				continue
			}
			got, err := s.Check(seat, a)
			if err != nil {
				return at(i, "the default %s of seat %s is refused: %v", a, seat, err)
			}
			if got != a {
				return at(i, "the default %s of seat %s is recorded as %s", a, seat, got)
			}
		}
	}
	from := rapid.SampledFrom(tr.look).Draw(t, "left at ply")
	s := tr.fork(from)
	for most := tr.table.Info().MaxSteps; !s.Turn().Over(); {
		if s.Steps() > most {
			return at(from, "when all play their defaults from here, the game goes on after Info.MaxSteps = %d steps", most)
		}
		step, err := k.idleStep(t, s)
		if step == nil || err != nil {
			return nil // no defaults here, or no move for Chance or Host, which other checks tell
		}
		if err := s.Apply(step); err != nil {
			return at(from, "when all play their defaults from here, %s is refused after %d steps: %v", stepText(step), s.Steps(), err)
		}
	}
	return nil
}

// idleStep is what happens next in s if all seats leave it to their defaults; nil if there is one without.
func (k *kit) idleStep(t *rapid.T, s *game.State) (game.Step, error) {
	turn := s.Turn()
	if turn.Chance || turn.Host {
		who := game.Chance
		if turn.Host {
			who = game.Host
		}
		a, err := k.move(t, s, who)
		return game.Step{{Seat: who, Action: a}}, err
	}
	var step game.Step
	for seat := range turn.Seats.All() {
		a, ok := s.Default(seat)
		if !ok {
			return nil, nil
		}
		step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
		if turn.Mode != game.Joint {
			break
		}
	}
	return step, nil
}
