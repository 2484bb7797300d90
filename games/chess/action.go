package chess

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode"

	"github.com/matchreferee/arena/game"
)

// Action is what a seat sends: in JSON a string, "e2e4". All actions that the game lists or records are a Move and nothing else. What came in as
// other text keeps that text until [Rules.Check] reads it, or says how it should have been written; the Move is NoMove then.
type Action struct {
	Move   Move
	length uint8
	text   [maxText]byte // of what is not UCI; white space around it is one space before it
}

// maxText bounds text that may yet be a move, in bytes: the longest SAN has 8.
const maxText = 13

// String gives the move in UCI, or the text that is not.
func (a Action) String() string {
	if a.length > 0 {
		return string(a.text[:a.length])
	}
	return a.Move.String()
}

// MarshalText is String.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

var errForm = errors.New(`a move is a string in UCI: the square a piece leaves, the one it reaches, and what a pawn becomes, as in "e2e4" or "e7e8q"`)

// UnmarshalJSON reads a string. What could not be a move in any notation is an error already.
func (a *Action) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil || len(data) == 0 || data[0] != '"' {
		return errForm
	}
	if m, ok := readUCI(text); ok {
		*a = Action{Move: m}
		return nil
	}
	trimmed := strings.TrimSpace(text)
	if trimmed != text {
		text = " " + trimmed
	}
	if trimmed == "" || len(text) > maxText || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%.32q cannot be a move: %w", text, errForm)
	}
	*a = Action{length: uint8(len(text))}
	copy(a.text[:], text)
	return nil
}

// Check takes a legal move as it is. Other text is read if the ruleset is lenient; else it is refused, with the right form if it can be told.
func (r Rules) Check(s *State, _ game.Seat, a Action) (Action, error) {
	if a.length > 0 {
		return r.read(&s.pos, a.String())
	}
	if s.pos.IsLegal(a.Move) {
		return a, nil
	}
	if m := s.pos.kingTakesRook(a.Move); r.Lenient && m != NoMove {
		return Action{Move: m}, nil
	}
	return Action{}, s.pos.Check(a.Move)
}

// Parse reads text as Check does.
func (r Rules) Parse(s *State, _ game.Seat, text string) (Action, error) {
	return r.read(&s.pos, text)
}

func (r Rules) read(p *Position, text string) (Action, error) {
	m, err := p.Read(text)
	switch {
	case err == nil && (r.Lenient || m.String() == text):
		return Action{Move: m}, nil
	case err == nil:
		return Action{}, fmt.Errorf("%.16q is not UCI, and only UCI counts here: write %s", text, m)
	case r.Lenient:
		return Action{}, err
	case errors.Is(err, ErrNotation):
		return Action{}, fmt.Errorf("%.16q is %w: %w", text, ErrNotation, errForm)
	}
	return Action{}, fmt.Errorf("%w (only UCI counts here, as in e2e4 or e7e8q)", err)
}

// Text is the move in UCI.
func (r Rules) Text(_ *State, a Action) string { return a.String() }

// moves are all there are on any board, in the order of their numbers: by the square they leave, the square they reach and, last, what a pawn
// becomes. numbers has 1 more than the number, by from, to<<6 and the kind<<12.
var moves, numbers = makeMoves()

func makeMoves() ([]Action, [1 << 15]uint16) {
	var list []Action
	var numbers [1 << 15]uint16
	add := func(m Move) {
		list = append(list, Action{Move: m})
		numbers[m] = uint16(len(list))
	}
	for from := range Square(64) {
		for reach := bishopAttacks(from, 0) | rookAttacks(from, 0) | knightAttacks[from]; reach != 0; reach &= reach - 1 {
			to := Square(bits.TrailingZeros64(reach))
			add(MakeMove(from, to, NoKind))
			up, down := pawnAttacks[White][from]|from.bit()<<8, pawnAttacks[Black][from]|from.bit()>>8
			if from.Rank() == 6 && up&to.bit() != 0 || from.Rank() == 1 && down&to.bit() != 0 {
				for _, k := range [...]Kind{Knight, Bishop, Rook, Queen} {
					add(MakeMove(from, to, k))
				}
			}
		}
	}
	return list, numbers
}

// Actions are all moves that any piece can make on any board, 1968 of them.
func (r Rules) Actions() []Action { return append([]Action(nil), moves...) }

// Index numbers the moves as Actions lists them; what is none of them gets -1.
func (r Rules) Index(a Action) int {
	if a.length > 0 || int(a.Move) >= len(numbers) {
		return -1
	}
	return int(numbers[a.Move]) - 1
}
