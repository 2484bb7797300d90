package gametest

import (
	"slices"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

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
