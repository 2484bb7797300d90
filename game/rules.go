package game

import (
	"errors"
	"fmt"
	"math"
)

// Info is what a game says of itself; another ruleset may make it say something else.
type Info struct {
	Name      string  // as on the wire: "connect-four"
	Version   string  // of the rules, as on the wire: "1.0.0"
	MinSeats  int     // 1 to MaxSeats
	MaxSeats  int     // MinSeats to game.MaxSeats
	MaxSteps  int     // the most Applies a game can take, whoever moves in them: a seat, Chance or Host; 0 or more
	MinReturn float64 // the least an Outcome can return to a seat
	MaxReturn float64 // the most
	ZeroSum   bool    // returns always sum to zero
	Hidden    bool    // there are secrets between seats; the rules must be a Resampler
	Open      bool    // Legal cannot name every move; the rules must be a Checker and a Former
}

// validate reports each member that no game can have.
func (i *Info) validate() error {
	var errs []error
	if i.MinSeats < 1 || i.MaxSeats < i.MinSeats || i.MaxSeats > MaxSeats {
		errs = append(errs, fmt.Errorf("info: %d to %d seats", i.MinSeats, i.MaxSeats))
	}
	if i.MaxSteps < 0 {
		errs = append(errs, fmt.Errorf("info: %d steps at most", i.MaxSteps))
	}
	if !(i.MinReturn <= i.MaxReturn) || math.IsInf(i.MinReturn, 0) || math.IsInf(i.MaxReturn, 0) {
		errs = append(errs, fmt.Errorf("info: returns from %v to %v", i.MinReturn, i.MaxReturn))
	}
	return errors.Join(errs...)
}

// Setup is all that Start goes by. There is no seed in it, for nothing random happens there: a game that begins with a deal or a throw gives Chance the first move.
type Setup struct {
	Seats    int      // how many play
	Names    []string // display names, cleaned by the host; missing ones are filled up before the rules see them, so len(Names) == Seats
	Position string   // where to start, in the game's own notation (a FEN); "" for the usual one; any other is an error if there is no Positioner
}

// Rules is the one interface that a game has to implement. The type that does so doubles as the ruleset: its fields, with
// json tags, are the options, and [New] takes the value of it in which they are at their defaults.
//
// S is the whole state. An assignment must be a full copy of it, which it is with arrays, strings, numbers and [Log]; a state with
// maps or slices that are written to needs a [Cloner]. No method but Apply may change *s. Equal arguments give equal results, and calls on different
// states may run at once: no randomness, no clock, no package variables that change. Where floats are multiplied, put float64() around each product, or do without floats:
// fused multiplication differs between machines.
//
// Before Apply somebody has made sure that these seats may act, that their moves are legal and that they come in seat order: [State] does, and who calls the typed rules directly has to.
type Rules[S any, A comparable] interface {
	// Info describes the game under this ruleset.
	Info() Info
	// Start gives the first state; its error is about the setup (a bad Position).
	Start(Setup) (S, error)
	// Turn tells whose move it is.
	Turn(s *S) Turn
	// Legal appends the legal moves of an acting seat as far as they can be listed, in an order that never varies. Unless the rules are a Chancer
	// it is asked for Chance as well, whose listed moves are equally likely; and it is asked for Host.
	Legal(dst []A, s *S, seat Seat) []A
	// Apply makes the moves. It cannot fail, and must not hold on to the slice.
	Apply(s *S, moves []Move[A])
	// View is what a seat, or Spectator, may know, as a fresh value fit for encoding/json. It must stay as it is when Apply goes on to change *s.
	View(s *S, seat Seat) any
	// Outcome tells how it ended. It is called once nobody is left to act, never before.
	Outcome(s *S) Outcome
}

// Game is what the rest of the module knows of a set of rules. It comes from [New], and as it is an interface, a host may put its own around it. Safe for concurrent use.
type Game interface {
	// Info describes the game under the default ruleset.
	Info() Info
	// Table fixes the ruleset: JSON decoded over the defaults, so that members left out keep them; nil or empty means all defaults.
	// A name that is unknown, given twice or in the wrong case, a wrong type and values that Validate refuses are errors
	// that name the field, joined where there are several, and wrap [ErrRuleset]. So are rulesets with an Info that no game can have:
	// seats out of range, MaxSteps below 0, MinReturn over MaxReturn, returns that are no numbers or infinite.
	Table(ruleset []byte) (*Table, error)
}
