package game

import (
	"encoding/json"
	"math/rand/v2"
)

// Optional interfaces of rules. [New] asserts each; [Table.Features] tells which are there and [Table.NearMisses] which have the right name and the wrong shape.
type (
	// Validator checks a ruleset: one error a bad field, joined by errors.Join.
	Validator interface{ Validate() error }

	// Cloner copies a state that = does not copy whole.
	Cloner[S any] interface{ Clone(s *S) S }

	// Checker decides legality where Legal is not complete, or slow. It is asked for acting seats only, Chance and Host included,
	// with any value of A, and gives the move as it is recorded (text cut and cleaned); doing it twice changes nothing more.
	// It must accept whatever Legal lists, as it is, and refuse to a seat what only Chance or Host may do. Its error is a hint for the mover.
	Checker[S any, A comparable] interface {
		Check(s *S, seat Seat, a A) (A, error)
	}

	// Former gives the JSON Schema of the moves that seat has beyond Legal; nil: none now.
	Former[S any] interface {
		Form(s *S, seat Seat) json.RawMessage
	}

	// Defaulter gives the safe default of an acting seat, played where its holder cannot: always legal.
	Defaulter[S any, A comparable] interface {
		Default(s *S, seat Seat) A
	}

	// Chancer draws Chance's move where odds are unequal or outcomes too many to list; then Checker must know them.
	Chancer[S any, A comparable] interface {
		Chance(s *S, r *rand.Rand) A
	}

	// Asker appends what the host owes now.
	Asker[S any] interface {
		Asks(dst []Ask, s *S) []Ask
	}

	// Indexed declares a finite move space, known beforehand: fast text of actions, numbers for learning programs.
	// Index(Actions()[i]) is i; of anything else, below 0 or at least len(Actions()).
	Indexed[A comparable] interface {
		Actions() []A
		Index(a A) int
	}

	// Texter writes a move for people and language models ("d", "e2e4"). Without it the text is the content of a JSON string, or the JSON.
	// Legal moves of one state have different texts.
	Texter[S any, A comparable] interface{ Text(s *S, a A) string }

	// Parser reads text that no listed move has (listed text is matched first, exactly). Ambiguous text is refused with a hint, never guessed.
	Parser[S any, A comparable] interface {
		Parse(s *S, seat Seat, text string) (A, error)
	}

	// Labeler gives what players of this game call a seat ("X", "white"): one short line, another for each seat, the same throughout
	// every match under this ruleset.
	Labeler interface{ Label(seat Seat) string }

	// Boarder draws what seat sees as text.
	Boarder[S any] interface{ Board(s *S, seat Seat) string }

	// Drawer appends an SVG picture of what seat sees, no more.
	Drawer[S any] interface {
		SVG(dst []byte, s *S, seat Seat) []byte
	}

	// Positioner writes a state in the game's own notation; its Start reads Setup.Position.
	Positioner[S any] interface{ Position(s *S) string }

	// Resampler gives a state that seat cannot tell from *s, as different from it as can be.
	Resampler[S any] interface {
		Resample(s *S, seat Seat, r *rand.Rand) S
	}

	// Forfeiter decides how a game ends in which the seats of out can play no more.
	Forfeiter[S any] interface {
		Forfeit(s *S, out SeatSet) Outcome
	}
)

// Ask is owed by the host; its answer is a move of Host that names ID.
type Ask struct {
	ID   int64           // unique in the match, and the same whatever the order of arrivals: made from seat and that seat's step
	Seat Seat            // on whose behalf
	Kind string          // "use_tool", "request_file", "judge"
	Body json.RawMessage // what is asked
}
