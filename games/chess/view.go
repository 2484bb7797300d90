package chess

import (
	"errors"
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
)

// View is what both seats and spectators see; the names are those of ludux/1.
type View struct {
	FEN            string          `json:"fen"`
	YouAre         game.Opt[Color] `json:"you_are"` // null for a spectator
	MoveHistoryUCI []Move          `json:"move_history_uci"`
	HalfmoveClock  int             `json:"halfmove_clock"`
}

// View gives a View.
func (r Rules) View(s *State, seat game.Seat) any {
	v := View{FEN: s.pos.FEN(), YouAre: game.Null[Color](), MoveHistoryUCI: s.Moves(), HalfmoveClock: int(s.pos.halfmove)}
	if seat.Valid() {
		v.YouAre = game.Some(Color(seat & 1))
	}
	return v
}

// MarshalText is String.
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads "white" or "black".
func (c *Color) UnmarshalText(text []byte) error {
	switch string(text) {
	case "white":
		*c = White
	case "black":
		*c = Black
	default:
		return fmt.Errorf("chess: %.8q is neither white nor black", text)
	}
	return nil
}

// MarshalText is String.
func (m Move) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads a move in UCI; any position may have it.
func (m *Move) UnmarshalText(text []byte) error {
	read, ok := readUCI(string(text))
	if !ok {
		return errors.New("chess: no move in UCI")
	}
	*m = read
	return nil
}

// Label is the color of a seat's pieces.
func (r Rules) Label(seat game.Seat) string { return Color(seat & 1).String() }

// Position is the FEN.
func (r Rules) Position(s *State) string { return s.pos.FEN() }

// Board is the board as text for a language model: a fenced block with White at the bottom, upper-case letters for White's pieces, dots for empty
// squares, and the names of ranks and files; below it who is to move or that the game is over, check, the last move and the FEN.
func (r Rules) Board(s *State, _ game.Seat) string {
	var b strings.Builder
	b.WriteString("```\n")
	for rank := 7; rank >= 0; rank-- {
		b.WriteByte('1' + byte(rank))
		for file := range 8 {
			b.WriteByte(' ')
			b.WriteRune(s.pos.PieceAt(MakeSquare(file, rank)).letter())
		}
		b.WriteByte('\n')
	}
	b.WriteString("  a b c d e f g h\n```\n")
	side := s.pos.side.String()
	check := s.pos.InCheck()
	switch {
	case s.end != running:
		fmt.Fprintf(&b, "The game is over: %s.\n", strings.ReplaceAll(r.Outcome(s).Reason, "_", " "))
	case check:
		fmt.Fprintf(&b, "To move: %s, in check.\n", side)
	default:
		fmt.Fprintf(&b, "To move: %s.\n", side)
	}
	if m := s.Last(); m != NoMove {
		fmt.Fprintf(&b, "Last move: %s, by %s.\n", m, s.pos.side.Other())
	}
	fmt.Fprintf(&b, "FEN: %s", s.pos.FEN())
	return b.String()
}
