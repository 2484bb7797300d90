package ludux

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// PublicState tells a spectator how a match stands: what everybody may know and
// nothing else. Who is to move, and after how many steps, is left out where
// information is hidden.
type PublicState struct {
	MatchID   string
	Turn      int64  // steps of seats so far; 0 where information is hidden
	Phase     string // "": the game has none
	ToMove    []game.Seat
	State     json.RawMessage // the game's view for spectators; nil is null
	Board     string          // a drawing; "": the game has none
	Result    *PublicResult   // nil: the match goes on
	Truncated *Truncation     // nil: State is whole
}

// PublicResult is how a match ended.
type PublicResult struct {
	Cause   referee.Cause
	Reason  string    // a code
	Rated   bool      // the result says something about strength
	Returns []float64 // by seat; empty after a match that does not count
	Scores  []int64   // likewise, and where there are none
	Places  []int     // likewise, 1 for the best
}

// AppendPublic appends the message about a public position of a match. On error,
// which wraps [ErrTooLarge] or is that of a view that does not marshal, dst is as it was.
func AppendPublic(dst []byte, match string, p *referee.Public) ([]byte, error) {
	m := PublicState{MatchID: match, Turn: int64(p.Turn), Phase: p.Phase, Board: p.Board}
	for s := range p.Seats.All() {
		m.ToMove = append(m.ToMove, s)
	}
	state, err := appendView(make([]byte, 0, 1024), p.View)
	if err != nil {
		return dst, fmt.Errorf("ludux: view of spectators: %w", err)
	}
	m.State = state
	if r := p.Result; r != nil {
		m.Result = &PublicResult{Cause: r.Cause, Reason: r.Reason, Rated: r.Rated(), Returns: r.Returns, Scores: r.Scores, Places: r.Places}
	}
	out := m.Append(dst)
	if over := len(out) - len(dst) - MaxFrame; over > 0 {
		if m.Board, over = "", over-len(m.Board); over > 0 { // the state says it all
			if m.State, m.Truncated = cutHistory(m.State, over); m.Truncated == nil {
				return dst, fmt.Errorf("%w: public state of %s", ErrTooLarge, match)
			}
		}
		out = m.Append(dst)
	}
	return out, nil
}

// Kind is [KindPublicState].
func (*PublicState) Kind() Kind { return KindPublicState }

// Append appends the message; see [Message].
func (m *PublicState) Append(dst []byte) []byte {
	dst = head(dst, KindPublicState)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = append(dst, `,"turn":`...)
	dst = jsontext.AppendInt(dst, m.Turn)
	dst = append(dst, `,"phase":`...)
	dst = appendText(dst, m.Phase)
	dst = append(dst, `,"to_move":`...)
	dst = jsontext.AppendList(dst, m.ToMove, jsontext.AppendInt)
	dst = append(dst, `,"state":`...)
	dst = jsontext.AppendRaw(dst, m.State)
	dst = append(dst, `,"board":`...)
	dst = appendText(dst, m.Board)
	dst = append(dst, `,"result":`...)
	if r := m.Result; r == nil {
		dst = append(dst, "null"...)
	} else {
		dst = append(dst, `{"cause":`...)
		dst = jsontext.AppendString(dst, r.Cause.String())
		dst = append(dst, `,"reason":`...)
		dst = jsontext.AppendString(dst, r.Reason)
		dst = append(dst, `,"rated":`...)
		dst = strconv.AppendBool(dst, r.Rated)
		dst = appendStanding(dst, r.Returns, r.Scores, r.Places)
		dst = append(dst, '}')
	}
	return append(appendTruncation(dst, m.Truncated), '}')
}

func (m *PublicState) read(r *reader) {
	m.MatchID, m.Turn, m.Phase = r.text("match_id", true), r.int("turn", false, math.MaxInt32), r.text("phase", false)
	m.ToMove = numbers(r, "to_move", func(x float64) (game.Seat, bool) {
		return game.Seat(x), x == math.Trunc(x) && x >= 0 && x < game.MaxSeats
	})
	if s, err := r.Get("state"); err == nil {
		m.State = json.RawMessage(s.Raw)
	}
	m.Board = r.text("board", false)
	if raw := r.object("result"); raw != nil {
		r.inside("result", string(raw), func(in *reader) {
			m.Result = &PublicResult{Cause: in.cause(), Reason: in.text("reason", false), Rated: in.bool("rated")}
			m.Result.Returns, m.Result.Scores, m.Result.Places = in.standing()
		})
	}
	m.Truncated = r.truncation()
}

// appendText appends a string, null for "".
func appendText(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return jsontext.AppendString(dst, s)
}
