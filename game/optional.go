package game

import (
	"encoding/json"
	"math/rand/v2"
)

// Optional interfaces of rules. [New] asserts each; [Table.Features] tells which are there and [Table.NearMisses] which have the right name and the wrong shape.
type (
	// Validator checks a ruleset: each bad field has its own error, and errors.Join makes them one.
	Validator interface{ Validate() error }

	// Cloner copies a state that = does not copy whole.
	Cloner[S any] interface{ Clone(s *S) S }

	// Checker says which moves are legal if Legal leaves some out or takes long. It is asked for acting seats only, Chance and Host included,
	// with any value of A, and gives what the record is to hold (its texts shortened and cleaned, say); checking that again changes nothing more.
	// It must accept whatever Legal lists, unchanged, and keep ordinary seats from the moves of Chance and of Host. Its error is a hint for the mover.
	Checker[S any, A comparable] interface {
		Check(s *S, seat Seat, a A) (A, error)
	}

	// Former describes by a JSON Schema what seat may play besides the listed moves; nil if there is nothing of the kind at present.
	Former[S any] interface {
		Form(s *S, seat Seat) json.RawMessage
	}

	// Defaulter gives the safe default of an acting seat, played where its holder cannot. No state may make it illegal.
	Defaulter[S any, A comparable] interface {
		Default(s *S, seat Seat) A
	}

	// Chancer draws Chance's move where odds are unequal or outcomes too many to list; then Checker must know them.
	Chancer[S any, A comparable] interface {
		Chance(s *S, r *rand.Rand) A
	}

	// Asker appends the questions that wait for the host.
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

	// Parser reads text other than that of the listed moves, which is looked up before, character by character. Text with two meanings is an error
	// that says so; the parser does not pick one.
	Parser[S any, A comparable] interface {
		Parse(s *S, seat Seat, text string) (A, error)
	}

	// Labeler gives what players of this game call a seat ("X", "white"): one short line, another for each seat, the same throughout
	// every match under this ruleset.
	Labeler interface{ Label(seat Seat) string }

	// Boarder draws what seat sees as text.
	Boarder[S any] interface{ Board(s *S, seat Seat) string }

	// Drawer appends an SVG picture of the state with only what seat sees in it.
	Drawer[S any] interface {
		SVG(dst []byte, s *S, seat Seat) []byte
	}

	// Positioner writes a state in the game's own notation; its Start reads Setup.Position.
	Positioner[S any] interface{ Position(s *S) string }

	// Resampler draws another state in which all that seat sees would be the same as in *s, and as much of the rest as possible is not.
	Resampler[S any] interface {
		Resample(s *S, seat Seat, r *rand.Rand) S
	}

	// Forfeiter decides how a game ends in which the seats of out can play no more.
	Forfeiter[S any] interface {
		Forfeit(s *S, out SeatSet) Outcome
	}
)

// Ask is a question of the rules to the host, who answers it by a move of [Host] that repeats the ID.
type Ask struct {
	ID   int64           // unique in the match; made of the seat and a count of its own steps, so that it does not hang on who was quicker
	Seat Seat            // the one it is asked for
	Kind string          // a code of the game's: "request_file", "judge"
	Body json.RawMessage // the question itself
}
