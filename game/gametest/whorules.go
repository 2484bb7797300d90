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

// arrival is a move that comes in while others may act as well.
type arrival struct {
	owner game.Seat // whose affair it is: an answer of the host belongs to the seat that it was asked for
	move  game.Move[game.Action]
}

func (a arrival) String() string { return stepText(game.Step{a.move}) }

// arrivals draws a few moves of each who may act in s, and a few answers of the host.
func (k *kit) arrivals(t *rapid.T, s *game.State) []arrival {
	const few = 3
	var all []arrival
	add := func(owner game.Seat, m game.Move[game.Action]) {
		if a := (arrival{owner, m}); !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	turn := s.Turn()
	for seat := range turn.Seats.All() {
		for range few {
			if a, err := k.move(t, s, seat); err == nil {
				add(seat, game.Move[game.Action]{Seat: seat, Action: a})
			}
		}
	}
	if !turn.Host {
		return all
	}
	asks := s.Asks()
	for range few {
		a, err := k.move(t, s, game.Host)
		if err != nil {
			break
		}
		made := s.Clone()
		if _, err := made.Play(game.Host, a); err != nil {
			break
		}
		left := gone(asks, made.Asks())
		for _, ask := range asks {
			if len(left) == 1 && ask.ID == left[0] {
				add(ask.Seat, game.Move[game.Action]{Seat: game.Host, Action: a})
			}
		}
	}
	return all
}

// checkIndependent: in an independent turn, what happens for one seat changes nothing that another sees, and the order does not matter.
// What is asked of the host is for the host check.
func checkIndependent(k *kit, t *rapid.T, tr *trace) error {
	probes := tr.probes(8)
	return k.pairs(t, tr, func(i int, one, two arrival) error {
		for _, x := range []struct{ moves, sees arrival }{{one, two}, {two, one}} {
			s, m := tr.fork(i), x.moves.move
			before := lookAt(s, x.sees.owner, probes)
			if err := s.Apply(game.Step{m}); err != nil {
				return at(i, "%s:%s is refused, though Check took it: %v", m.Seat, m.Action, err)
			}
			if d := before.diff(lookAt(s, x.sees.owner, probes)); d != "" {
				return at(i, "the turn is independent, but %s:%s shows for seat %s: %s", m.Seat, m.Action, x.sees.owner, d)
			}
		}
		a, b, err := tr.bothOrders(i, one, two)
		if err != nil {
			return err
		}
		hosts := []string{"Asks", "Legal of host"}
		if d := tr.lookAll(a, probes).without(hosts...).diff(tr.lookAll(b, probes).without(hosts...)); d != "" {
			return at(i, "the turn is independent, but the order of %s and %s matters: %s", one, two, d)
		}
		return nil
	})
}

// checkAskOrder: in an independent turn, what is asked of the host does not depend on the order in which seats moved.
func checkAskOrder(k *kit, t *rapid.T, tr *trace) error {
	return k.pairs(t, tr, func(i int, one, two arrival) error {
		a, b, err := tr.bothOrders(i, one, two)
		if err != nil {
			return nil // the independent check tells
		}
		if x, y := asksText(a.Asks()), asksText(b.Asks()); x != y {
			return at(i, "after %s and %s the host is asked\n%s\nand in the other order\n%s", one, two, x, y)
		}
		return nil
	})
}

// pairs calls f for two arrivals of different owners, in each independent turn that is looked at.
func (k *kit) pairs(t *rapid.T, tr *trace, f func(i int, one, two arrival) error) error {
	for _, i := range tr.look {
		s := tr.states[i]
		if turn := s.Turn(); turn.Mode != game.Independent || turn.Over() {
			continue
		}
		all := k.arrivals(t, s)
		for n, one := range all {
			for _, two := range all[:n] {
				if one.owner == two.owner {
					continue
				}
				if err := f(i, one, two); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// bothOrders makes two arrivals in one order, and in the other.
func (tr *trace) bothOrders(i int, one, two arrival) (a, b *game.State, err error) {
	a, b = tr.fork(i), tr.fork(i)
	for _, x := range []struct {
		s             *game.State
		first, second arrival
	}{{a, one, two}, {b, two, one}} {
		if err := x.s.Apply(game.Step{x.first.move}); err != nil {
			return nil, nil, at(i, "%s is refused, though Check took it: %v", x.first, err)
		}
		if err := x.s.Apply(game.Step{x.second.move}); err != nil {
			return nil, nil, at(i, "the turn is independent, but %s is refused after %s: %v", x.second, x.first, err)
		}
	}
	return a, b, nil
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
