package game

// Info is what a game says of itself. It may depend on the ruleset.
type Info struct {
	Name      string  // as on the wire: "connect-four"
	Version   string  // of the rules, as on the wire: "1.0.0"
	MinSeats  int     // 1 to MaxSeats
	MaxSeats  int     // MinSeats to game.MaxSeats
	MaxSteps  int     // the most Applies a game can take, those of Chance and Host included
	MinReturn float64 // the least an Outcome can return to a seat
	MaxReturn float64 // the most
	ZeroSum   bool    // returns always sum to zero
	Hidden    bool    // some seat may not know all: needs a Resampler
	Open      bool    // some moves cannot be listed: needs a Checker and a Former
}

// Setup is what a match starts from. It holds no seed: Start is not random, Chance moves first where it must.
type Setup struct {
	Seats    int      // how many play
	Names    []string // display names, cleaned by the host; missing ones are filled up before the rules see them, so len(Names) == Seats
	Position string   // where to start, in the game's own notation (a FEN); "" is the usual start; refused unless the rules are a Positioner
}

// Rules is all that an author must write. The implementing type is the ruleset: a small struct with json tags
// whose value, given to [New], holds the defaults.
//
// S is the whole state. It must be copied whole by =: arrays, strings, numbers and [Log], no slices or maps that change
// (or write a [Cloner]). Only Apply changes *s. All methods are deterministic and safe for concurrent use on different
// states: no randomness, no clock, no package variables that change. Round every product of floats by float64(), or use integers:
// fused multiplication differs between machines.
//
// Moves are checked before Apply: right seats, in seat order, legal. Typed callers must see to that themselves.
type Rules[S any, A comparable] interface {
	// Info describes the game under this ruleset.
	Info() Info
	// Start gives the first state; its error is about the setup (a bad Position).
	Start(Setup) (S, error)
	// Turn says who may act.
	Turn(s *S) Turn
	// Legal appends the listable legal moves of an acting seat, in a fixed order. It is asked for Chance too
	// (equal odds) unless the rules are a Chancer, and for Host.
	Legal(dst []A, s *S, seat Seat) []A
	// Apply makes the moves; it never fails, and keeps nothing of moves.
	Apply(s *S, moves []Move[A])
	// View is what a seat, or Spectator, may know: a new value that marshals to JSON and shares no memory with *s that Apply may change.
	View(s *S, seat Seat) any
	// Outcome is asked for only when Turn is over.
	Outcome(s *S) Outcome
}

// Game is rules with their default ruleset. [New] makes one; a host may wrap it. Safe for concurrent use.
type Game interface {
	// Info describes the game under the default ruleset.
	Info() Info
	// Table fixes the ruleset: JSON decoded over the defaults, so that members left out keep them; nil or empty means all defaults.
	// Unknown, duplicate and miscased names, wrong types and values that Validate refuses are errors
	// that name the field, joined where there are several, and wrap [ErrRuleset].
	Table(ruleset []byte) (*Table, error)
}
