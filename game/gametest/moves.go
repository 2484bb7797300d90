package gametest

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// errNoMove says that somebody whose turn it is has nothing to play; the check that owns it depends on who.
type errNoMove struct {
	seat game.Seat
	err  error
}

func (e *errNoMove) Error() string {
	return fmt.Sprintf("seat %s may act and has no move: %v", e.seat, e.err)
}

func (e *errNoMove) Unwrap() error { return e.err }

// step draws what happens next in s: all moves of a joint turn, or the move of one of those who may act. Moves are as Check returned them.
func (k *kit) step(t *rapid.T, s *game.State) (game.Step, error) {
	turn := s.Turn()
	if turn.Mode == game.Joint && turn.Seats != 0 {
		var step game.Step
		for seat := range turn.Seats.All() {
			a, err := k.move(t, s, seat)
			if err != nil {
				return nil, err
			}
			step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
		}
		return step, nil
	}
	var who []game.Seat
	for seat := range turn.Seats.All() {
		who = append(who, seat)
	}
	if turn.Chance {
		who = append(who, game.Chance)
	}
	if turn.Host {
		who = append(who, game.Host)
	}
	seat := rapid.SampledFrom(who).Draw(t, "who")
	a, err := k.move(t, s, seat)
	return game.Step{{Seat: seat, Action: a}}, err
}

// move draws one legal move of seat, as Check returns it.
func (k *kit) move(t *rapid.T, s *game.State, seat game.Seat) (game.Action, error) {
	offers := k.offers(t, s, seat)
	err := errors.New("nothing is listed")
	for len(offers) > 0 {
		i := rapid.IntRange(0, len(offers)-1).Draw(t, "move")
		var a game.Action
		if a, err = s.Check(seat, offers[i]); err == nil {
			return a, nil
		}
		offers = append(offers[:i:i], offers[i+1:]...)
	}
	return "", &errNoMove{seat, err}
}

// offers lists what seat could play: the listed moves, what the author's options make up, and, for open games, a variant of a listed move.
func (k *kit) offers(t *rapid.T, s *game.State, seat game.Seat) []game.Action {
	offers := s.Legal(nil, seat)
	switch seat {
	case game.Chance:
		if len(offers) == 0 {
			if a, ok := s.Chance(game.SeedFrom(rapid.Uint64().Draw(t, "chance seed"))); ok {
				offers = append(offers, a)
			}
		}
	case game.Host:
		if k.opts.Host == nil {
			break
		}
		if asks := s.Asks(); len(asks) > 0 {
			ask := rapid.SampledFrom(asks).Draw(t, "ask")
			offers = append(offers, k.opts.Host(lot(t, "host"), ask))
		}
	default:
		if k.opts.Open != nil {
			if a, ok := k.opts.Open(lot(t, "open"), s.Clone(), seat); ok {
				offers = append(offers, a)
			}
		}
		if k.open && len(offers) > 0 {
			offers = append(offers, game.Action(mutate(t, string(rapid.SampledFrom(offers).Draw(t, "variant of")))))
		}
	}
	return offers
}
