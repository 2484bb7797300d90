package ludux

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// FrameError says why bytes from an agent are no message.
type FrameError struct {
	Code    Code       // [CodeMalformed] or [CodeFrameTooLarge]
	MatchID string     // "" where none can be read
	Seq     int64      // 0 where none can be read
	Seat    *game.Seat // nil where none can be read
	Err     error      // fit for the agent's eyes
}

// Error names the code and what is wrong.
func (e *FrameError) Error() string { return "ludux: " + string(e.Code) + ": " + e.Err.Error() }

// Unwrap gives Err.
func (e *FrameError) Unwrap() error { return e.Err }

// Reply is what the sender is told.
func (e *FrameError) Reply() *Error {
	return &Error{Code: e.Code, Message: e.Err.Error(), MatchID: e.MatchID, Seq: e.Seq}
}

// Answer makes a fault of it, for the seat that it can be laid to, whose open
// request is r; nil if none is. Where neither match nor seq could be read, it is
// about that request.
func (e *FrameError) Answer(r *referee.Request) referee.Answer {
	a := referee.Answer{Fault: referee.Malformed, Detail: e.Err.Error()}
	if e.Code == CodeFrameTooLarge {
		a.Fault = referee.Oversized
	}
	match, seq := e.MatchID, e.Seq
	if r != nil && match == "" {
		match = r.Match()
	}
	if r != nil && seq == 0 {
		seq = int64(r.Ask)
	}
	a.To = address(match, seq, e.Seat, r)
	return a
}

// ErrorOf gives what a seat's agent is told of the verdict on its answer to
// request seq of a match; false where all is well.
func ErrorOf(v referee.Verdict, match string, seq int64) (*Error, bool) {
	e := &Error{MatchID: match, Seq: seq, Message: v.Detail}
	switch v.Code {
	case referee.OK, referee.Duplicate:
		return nil, false
	case referee.Over:
		e.Code = CodeMatchOver
	case referee.Refused:
		switch v.Fault {
		case referee.Illegal:
			e.Code = CodeIllegalAction
		case referee.Oversized:
			e.Code = CodeFrameTooLarge
		case referee.Late:
			e.Code = CodeStaleResponse
		case referee.Internal: // the host's, which ends the match
			e.Code = CodeMatchOver
		default:
			e.Code = CodeMalformed
		}
	default:
		e.Code = CodeStaleResponse
	}
	return e, true
}
