package chess

import (
	"errors"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
)

// Rules is the ruleset; [Default] has the defaults.
type Rules struct {
	Repetition   int  `json:"repetition"`    // the occurrence of a position that draws the game: 3 or 5
	MoveLimit    int  `json:"move_limit"`    // moves of both sides without capture or pawn move that draw it: 50 or 75
	Lenient      bool `json:"lenient"`       // text other than UCI is read, see [Position.Read]; the record holds UCI all the same
	ForfeitDraws bool `json:"forfeit_draws"` // who forfeits against a side that cannot mate draws, see [Position.CanMate]
}

// Default gives the default ruleset: draws at the third occurrence and after 50 moves, UCI alone, and forfeits that draw against a side that
// cannot mate, as running out of time does under article 6.9 of FIDE's Laws.
func Default() Rules { return Rules{Repetition: 3, MoveLimit: 50, ForfeitDraws: true} }

// New gives the game with its default ruleset, [Default].
func New() game.Game { return game.New(Default()) }

// Validate reports each field that has none of its values.
func (r Rules) Validate() error {
	var errs []error
	if r.Repetition != 3 && r.Repetition != 5 {
		errs = append(errs, fmt.Errorf("repetition: %d, not 3 or 5", r.Repetition))
	}
	if r.MoveLimit != 50 && r.MoveLimit != 75 {
		errs = append(errs, fmt.Errorf("move_limit: %d, not 50 or 75", r.MoveLimit))
	}
	return errors.Join(errs...)
}

// Info tells of a game of perfect information for two, won with 1 and lost with -1.
//
// Its MaxSteps is 118 * 2 * MoveLimit: 11,800 plies under the default ruleset, 17,700 with 75 moves (8,850 of each side). At most 118 moves of a
// game start the clock anew. Sixteen pawns have 96 steps to go and 30 pieces can be taken, 126 in all; but a pawn that goes all the way up its
// file and one of the other side that goes all the way down the same file cannot both exist, so of 16 pawns at least 8 do not: each starts
// further on, stops short, or takes something, which is one move and not two. Each of the 118 comes within 2 * MoveLimit plies of the
// one before, and none can follow after all of them, as the last takes the last piece but the kings.
func (r Rules) Info() game.Info {
	return game.Info{
		Name: "chess", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 118 * 2 * r.MoveLimit,
		MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

// State is a game up to some point: a position, and the moves that led there from where the game began. Copy it by [Rules.Clone], not by =.
type State struct {
	pos     Position
	history []ply // what is below its length never changes, so that clones share it
	end     ending
}

// ply is a move and the key of the position before it.
type ply struct {
	key  uint64
	move Move
}

// ending tells why a game is over.
type ending uint8

const (
	running ending = iota
	checkmate
	stalemate
	insufficient
	repetition
	moveLimit
)

// Current gives the position on the board.
func (s *State) Current() Position { return s.pos }

// Moves gives the moves since the game began, the oldest first. The list is the caller's, never nil.
func (s *State) Moves() []Move {
	moves := make([]Move, len(s.history))
	for i := range s.history {
		moves[i] = s.history[i].move
	}
	return moves
}

// Last gives the newest move, [NoMove] if there is none.
func (s *State) Last() Move {
	if len(s.history) == 0 {
		return NoMove
	}
	return s.history[len(s.history)-1].move
}

// Start gives the position of a FEN, or the usual one. A game that starts in mate, in stalemate or without the material to mate is over; a halfmove
// clock beyond the limit draws only once a move has been made.
func (r Rules) Start(setup game.Setup) (State, error) {
	s := State{pos: initial}
	if setup.Position != "" {
		p, err := ParseFEN(setup.Position)
		if err != nil {
			return State{}, fmt.Errorf("position: %w", err)
		}
		s.pos = p
		s.end = s.immobile()
	}
	return s, nil
}

// Clone gives a copy that goes its own way. It shares the moves so far and takes memory for more once it needs it.
func (r Rules) Clone(s *State) State {
	c := *s
	c.history = c.history[:len(c.history):len(c.history)]
	return c
}

// Turn goes back and forth between the seats: 0 is white, 1 is black.
func (r Rules) Turn(s *State) game.Turn {
	if s.end != running {
		return game.Turn{}
	}
	return game.Turn{Seats: 1 << s.pos.side}
}

// Legal lists the legal moves in the order of [Position.Legal].
func (r Rules) Legal(dst []Action, s *State, _ game.Seat) []Action {
	var room [MaxLegal]Move
	moves := s.pos.Legal(room[:0])
	n := len(dst)
	dst = slices.Grow(dst, len(moves))[:n+len(moves)]
	for i, m := range moves {
		dst[n+i] = Action{Move: m}
	}
	return dst
}

// Apply makes a move and sees whether the game is over. Mate counts before everything else: the move that mates wins, whatever the clock says.
func (r Rules) Apply(s *State, moves []game.Move[Action]) {
	if len(s.history) == cap(s.history) {
		grown := make([]ply, len(s.history), max(512, 2*len(s.history)))
		copy(grown, s.history)
		s.history = grown
	}
	m := moves[0].Action.Move
	s.history = append(s.history, ply{s.pos.key, m})
	s.pos.Play(m)
	s.end = s.immobile()
	switch {
	case s.end != running:
	case s.occurred(r.Repetition):
		s.end = repetition
	case int(s.pos.halfmove) >= 2*r.MoveLimit:
		s.end = moveLimit
	}
}

// immobile tells whether the position by itself ends the game.
func (s *State) immobile() ending {
	switch {
	case s.pos.HasLegal():
		if s.pos.InsufficientMaterial() {
			return insufficient
		}
		return running
	case s.pos.InCheck():
		return checkmate
	}
	return stalemate
}

// occurred tells whether the position is there for the nth time at least. What was before the last capture or pawn move cannot come back,
// nor can a position within four plies; and the same side is to move every second ply.
func (s *State) occurred(n int) bool {
	reach := min(int(s.pos.halfmove), len(s.history))
	for back := 4; back <= reach; back += 2 {
		if s.history[len(s.history)-back].key == s.pos.key {
			if n--; n == 1 {
				return true
			}
		}
	}
	return false
}

// Outcome has the reason "checkmate", "stalemate", "insufficient_material", "threefold_repetition" or "fivefold_repetition", "fifty_moves"
// or "seventy_five_moves".
func (r Rules) Outcome(s *State) game.Outcome {
	o := game.Outcome{Returns: []float64{0, 0}}
	switch s.end {
	case checkmate:
		o.Reason = "checkmate"
		o.Returns[s.pos.side], o.Returns[s.pos.side.Other()] = -1, 1
	case stalemate:
		o.Reason = "stalemate"
	case insufficient:
		o.Reason = "insufficient_material"
	case repetition:
		o.Reason = "threefold_repetition"
		if r.Repetition == 5 {
			o.Reason = "fivefold_repetition"
		}
	case moveLimit:
		o.Reason = "fifty_moves"
		if r.MoveLimit == 75 {
			o.Reason = "seventy_five_moves"
		}
	}
	return o
}

// Forfeit gives the game to the seat that is not in out; but if that seat cannot mate and the ruleset has it so, it is a draw. It is one if both
// seats are in out, too, or none. The reason is "forfeit", or "forfeit_insufficient_material" where the material decided; a referee has its own
// word for it, the fault that did it.
func (r Rules) Forfeit(s *State, out game.SeatSet) game.Outcome {
	o := game.Outcome{Returns: []float64{0, 0}, Reason: "forfeit"}
	if out != game.Seats(0) && out != game.Seats(1) {
		return o
	}
	loser := out.First()
	if winner := Color(1 - loser); r.ForfeitDraws && !s.pos.CanMate(winner) {
		o.Reason = "forfeit_insufficient_material"
		return o
	}
	o.Returns[loser], o.Returns[1-loser] = -1, 1
	return o
}

// Default is the first legal move in the alphabetical order of UCI: legal, and no more than that.
func (r Rules) Default(s *State, _ game.Seat) Action {
	var room [MaxLegal]Move
	best, text := NoMove, ""
	for _, m := range s.pos.Legal(room[:0]) {
		if t := m.String(); best == NoMove || t < text {
			best, text = m, t
		}
	}
	return Action{Move: best}
}
