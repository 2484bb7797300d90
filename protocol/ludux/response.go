package ludux

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/fit"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// ActionResponse answers an [ActionRequest].
//
// The format's document does not know Seat. It is for an agent that has several
// seats in one match, for seq counts for each of them by itself, and so requests
// that are open together may have the same. Agents with one seat never send it.
type ActionResponse struct {
	MatchID    string
	Seq        int64       // of the request
	Seat       *game.Seat  // of the request; nil, and left out, unless the agent has several in the match
	Action     game.Action // JSON, not null
	Commentary string      // for spectators; "" is left out
}

// Kind is [KindActionResponse].
func (*ActionResponse) Kind() Kind { return KindActionResponse }

// Append appends the message; see [Message].
func (m *ActionResponse) Append(dst []byte) []byte {
	dst = head(dst, KindActionResponse)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = append(dst, `,"seq":`...)
	dst = jsontext.AppendInt(dst, m.Seq)
	if m.Seat != nil {
		dst = append(dst, `,"seat":`...)
		dst = jsontext.AppendInt(dst, *m.Seat)
	}
	dst = append(dst, `,"action":`...)
	dst = append(dst, m.Action...)
	if m.Commentary != "" {
		dst = append(dst, `,"commentary":`...)
		dst = jsontext.AppendString(dst, m.Commentary)
	}
	return append(dst, '}')
}

func (m *ActionResponse) read(r *reader) {
	m.MatchID = r.text("match_id", true)
	m.Seq = r.int("seq", true, math.MaxInt64)
	if r.Has("seat") {
		m.Seat = new(r.seat(true))
	}
	action, err := r.Get("action")
	if err == nil {
		m.Action, err = readAction(&action)
	}
	if err != nil {
		r.fail(err)
	}
	if c, err := r.Text("commentary"); err == nil {
		m.Commentary = clean(c, MaxCommentary)
	}
}

// DecodeFromAgent reads a message that an agent sends: a [*Hello] or an
// [*ActionResponse]. Every error is a [*FrameError]. The message shares no memory
// with frame.
func DecodeFromAgent(frame []byte) (Message, error) {
	if len(frame) > MaxFrame {
		return nil, &FrameError{Code: CodeFrameTooLarge, Err: fmt.Errorf("a message has at most %d bytes", MaxFrame)}
	}
	r, err := open(frame)
	if err != nil {
		return nil, &FrameError{Code: CodeMalformed, Err: err}
	}
	var m Message
	kind, err := r.kind()
	if err == nil {
		err = r.finite()
	}
	switch {
	case err != nil:
	case kind == KindActionResponse:
		a := new(ActionResponse)
		a.read(r)
		m, err = a, errors.Join(r.errs...)
	case kind == KindHello:
		h := new(Hello)
		h.read(r)
		m, err = h, errors.Join(r.errs...)
	default:
		err = fmt.Errorf("type is %s, neither %q nor %q", jsontext.Quote(string(kind)), KindActionResponse, KindHello)
	}
	if err != nil {
		match, _ := r.Text("match_id")
		seq, _ := r.Int("seq", math.MaxInt64)
		bad := &FrameError{Code: CodeMalformed, MatchID: match, Seq: seq, Err: err}
		if seat, err := r.Int("seat", 63); err == nil {
			bad.Seat = new(game.Seat(seat))
		}
		return nil, bad
	}
	return m, nil
}

// DecodeReply judges the body of the answer to a POST that carried request r, of
// which MaxReply+1 bytes are enough: an answer, or the fault that it is. It shares no
// memory with body. r is used, and so must not be in use elsewhere.
func DecodeReply(body []byte, r *referee.Request) referee.Answer {
	if len(body) > MaxReply {
		return (&FrameError{Code: CodeFrameTooLarge, Err: fmt.Errorf("an answer has at most %d bytes", MaxReply)}).Answer(r)
	}
	m, err := DecodeFromAgent(body)
	if err != nil {
		var bad *FrameError
		errors.As(err, &bad)
		return bad.Answer(r)
	}
	a, ok := m.(*ActionResponse)
	if !ok {
		return (&FrameError{Code: CodeMalformed, Err: fmt.Errorf("type is %q, not %q", m.Kind(), KindActionResponse)}).Answer(r)
	}
	return a.Answer(r)
}

// Answer makes of a response what the referee judges, the seat's open request
// being r; nil if none is. A response to another match, for another seat, to
// another request or to none is addressed so that it is stale, whatever has opened
// by the time that it is handed in. r is used, and so must not be in use elsewhere.
func (m *ActionResponse) Answer(r *referee.Request) referee.Answer {
	a := referee.Answer{To: address(m.MatchID, m.Seq, m.Seat, r), Action: m.Action, Note: m.Commentary}
	if r == nil || a.To.N != r.Ask {
		return a // stale, so that nobody reads the action
	}
	var err error
	if a.Action, err = fit.Action(m.Action, r); err != nil {
		return referee.Answer{To: a.To, Fault: referee.Malformed, Detail: err.Error()}
	}
	return a
}

// address names request seq of a match, and of a seat unless that is nil, where it
// is r or one before it in the same match. All else becomes a request that never
// opens, for they count from 1: one that is still to come may be open when the
// answer is handed in, which would then count without having been held against it.
func address(match string, seq int64, seat *game.Seat, r *referee.Request) referee.Address {
	if r == nil || match != r.Match() || seat != nil && *seat != r.Seat || seq < 1 || seq > int64(r.Ask) {
		seq = 0
	}
	return referee.Address{By: referee.ByAsk, N: int32(seq)}
}

// clean makes one line of a text, of at most so many code points; carriage returns become spaces like other line breaks.
func clean(s string, most int) string { return jsontext.Line(strings.ReplaceAll(s, "\r", " "), most) }
