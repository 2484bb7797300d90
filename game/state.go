package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
)

// State is a match at some point of it. Play, Apply and Set change it; who wants to keep it takes a Clone first.
// The other methods only read: they may run at the same time as one another, but not beside the three. Clones are independent.
// The zero State is empty: all that it may be asked is to Set.
//
// Bytes from outside never make a State panic; rules may, and their panics pass through. After a panic in Play or Apply the State is of no use.
type State struct {
	p       position
	turn    Turn
	steps   int
	chances int
}

// Turn tells whose move it is.
func (s *State) Turn() Turn { return s.turn }

// Steps counts the Applies so far, whoever moved in them: a seat, Chance or Host.
func (s *State) Steps() int { return s.steps }

// Legal appends the listable legal moves of seat, in the rules' order: none for who may not act now.
func (s *State) Legal(dst []Action, seat Seat) []Action {
	if !s.turn.May(seat) {
		return dst
	}
	return s.p.legal(dst, seat)
}

// Check decides whether seat may make the move a, any bytes at all, now: at its arrival, once. It gives the move as it is to be recorded
// (canonical, text cut); checking that again gives the same. In a joint turn each seat's move is checked against the state
// before any of them. Every error wraps [ErrIllegal] and carries a hint that the mover may read.
func (s *State) Check(seat Seat, a Action) (Action, error) {
	if err := s.mayAct(seat); err != nil {
		return "", err
	}
	return s.p.check(seat, a)
}

// Play is Check and Apply of a single move, and gives what is to be recorded. It is refused in a joint turn of several seats.
// On error the state is unchanged.
func (s *State) Play(seat Seat, a Action) (Action, error) {
	if err := s.mayAct(seat); err != nil {
		return "", err
	}
	if s.turn.Mode == Joint && s.turn.Seats&(s.turn.Seats-1) != 0 {
		return "", errJoint
	}
	recorded, err := s.p.play(seat, a, &s.turn)
	if err != nil {
		return "", err
	}
	s.count(seat)
	return recorded, nil
}

// Apply makes the moves of one step, each as Check returned it: in a joint turn those of all its seats in seat order, else a single one.
// On error the state is unchanged. It keeps nothing of step.
func (s *State) Apply(step Step) error {
	if err := s.fits(step); err != nil {
		return err
	}
	if err := s.p.apply(step); err != nil {
		return err
	}
	s.turn = s.p.turn()
	s.count(step[0].Seat)
	return nil
}

func (s *State) count(seat Seat) {
	s.steps++
	if seat == Chance {
		s.chances++
	}
}

var (
	errOver  = fmt.Errorf("%w: the game is over", ErrIllegal)
	errNoAct = fmt.Errorf("%w: it is not your turn", ErrIllegal)
	errJoint = errors.New("game: a joint turn of several seats takes all moves in one Apply")
)

func (s *State) mayAct(seat Seat) error {
	if s.turn.May(seat) {
		return nil
	}
	if s.turn.Over() {
		return errOver
	}
	return errNoAct
}

// fits checks the seats of a step against the turn.
func (s *State) fits(step Step) error {
	if s.turn.Over() {
		return errOver
	}
	if s.turn.Mode == Joint && s.turn.Seats != 0 {
		if len(step) != s.turn.Seats.Len() {
			return fmt.Errorf("game: a step of %d moves where %d seats act together", len(step), s.turn.Seats.Len())
		}
		rest := s.turn.Seats
		for i, m := range step {
			if m.Seat != rest.First() {
				return fmt.Errorf("game: move %d of the step is of seat %s, not %s", i, m.Seat, rest.First())
			}
			rest &= rest - 1
		}
		return nil
	}
	if len(step) != 1 {
		return fmt.Errorf("game: a step of %d moves where each is its own", len(step))
	}
	return s.mayAct(step[0].Seat)
}

// View gives what seat, or Spectator, may know: a new value of the game's exported view type, so that a Go program asserts it and needs no JSON.
// It is nil for Chance and Host.
func (s *State) View(seat Seat) any {
	if !seat.Valid() && seat != Spectator {
		return nil
	}
	return s.p.view(seat)
}

// Outcome says how the game ended; it is for a state whose turn is over, and zero before.
func (s *State) Outcome() Outcome {
	if !s.turn.Over() {
		return Outcome{}
	}
	return s.p.outcome()
}

// Forfeit says how the game ends if the seats of out play no more, where the rules have a say in it.
func (s *State) Forfeit(out SeatSet) (Outcome, bool) { return s.p.forfeit(out) }

// Clone gives an independent copy, fit for another goroutine.
func (s *State) Clone() *State {
	c := *s
	c.p = s.p.clone()
	return &c
}

// Set makes s a copy of from and keeps its own memory where it can: playouts without garbage. The two may be of different tables.
func (s *State) Set(from *State) {
	if s.p == nil || !s.p.set(from.p) {
		s.p = from.p.clone()
	}
	s.turn, s.steps, s.chances = from.turn, from.steps, from.chances
}

// Default gives a move that an acting seat can always fall back on; ok is false if the rules have none or seat may not act.
func (s *State) Default(seat Seat) (a Action, ok bool) {
	if !s.turn.May(seat) {
		return "", false
	}
	return s.p.defaultOf(seat)
}

// Chance draws Chance's move. The nth one of a match, from 0, uses stream ("chance", n) of its seed; the odds are the rules' own,
// else equal among the listed moves. The state is unchanged. ok is false where it is not Chance's turn.
func (s *State) Chance(seed Seed) (a Action, ok bool) {
	if !s.turn.Chance {
		return "", false
	}
	return s.p.chance(seed.Stream("chance", uint64(s.chances)))
}

// Asks gives the questions that wait for the host: none unless the turn is also the Host's. The list is the caller's.
func (s *State) Asks() []Ask {
	if !s.turn.Host {
		return nil
	}
	return s.p.asks()
}

// Form gives the JSON Schema of the moves that an acting seat has beyond the listed ones; nil: none.
func (s *State) Form(seat Seat) json.RawMessage {
	if !s.turn.May(seat) {
		return nil
	}
	return s.p.form(seat)
}

// Text writes a move of this state for people and language models. Of what is no move it gives the text unchanged.
func (s *State) Text(a Action) string { return s.p.text(a) }

// Parse reads the text of a move: a listed move's text exactly, else whatever the rules' Parser makes of it. The move is still to be checked.
// Errors wrap [ErrIllegal] and hint at what is accepted.
func (s *State) Parse(seat Seat, text string) (Action, error) {
	if err := s.mayAct(seat); err != nil {
		return "", err
	}
	return s.p.parse(seat, text)
}

// Board draws what seat, or Spectator, sees as text; ok is false where the game has no such text.
func (s *State) Board(seat Seat) (text string, ok bool) {
	if !seat.Valid() && seat != Spectator {
		return "", false
	}
	return s.p.board(seat)
}

// SVG appends a picture of what seat, or Spectator, sees; ok is false, and dst as it was, where the game has no pictures.
func (s *State) SVG(dst []byte, seat Seat) (svg []byte, ok bool) {
	if !seat.Valid() && seat != Spectator {
		return dst, false
	}
	return s.p.svg(dst, seat)
}

// Position writes the state in the game's own notation, where it has one.
func (s *State) Position() (string, bool) { return s.p.notation() }

// Resample gives another state that looks the same to seat, where the rules can make one; it counts the same steps.
func (s *State) Resample(seat Seat, r *rand.Rand) (*State, bool) {
	p, ok := s.p.resample(seat, r)
	if !ok {
		return nil, false
	}
	return &State{p: p, turn: p.turn(), steps: s.steps, chances: s.chances}, true
}

// As gives a copy of the state in its own type; ok is false if that is not S. Tests and analysis may have it, players must not: it holds every secret.
func As[S any](s *State) (S, bool) {
	if p, ok := s.p.(interface{ typed() S }); ok {
		return p.typed(), true
	}
	var none S
	return none, false
}

// Dump prints the whole typed state, unexported fields and what pointers, slices and maps lead to included, in a canonical form:
// states print the same if and only if they hold the same values. For tests: it shows what no player may see.
func Dump(s *State) string { return s.p.dump() }
