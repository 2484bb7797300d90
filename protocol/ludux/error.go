package ludux

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Code says what an [Error] is about.
type Code string

// The codes of errors.
const (
	CodeStaleResponse Code = "stale_response"  // answers no open request: too late, twice, or for another one; nothing happened
	CodeIllegalAction Code = "illegal_action"  // the rules refuse it; it forfeits a match of two, others go on with a safe default
	CodeMalformed     Code = "malformed"       // no message; request and clock go on as they were
	CodeFrameTooLarge Code = "frame_too_large" // over [MaxFrame] bytes, or [MaxReply] in the answer to a POST; a WebSocket is closed with 1009
	CodeUnauthorized  Code = "unauthorized"    // no key, or none that counts
	CodeRateLimited   Code = "rate_limited"    // too many messages or connections for this key
	CodeMatchOver     Code = "match_over"      // the match has ended
)

// codes are all of them.
var codes = [...]Code{
	CodeStaleResponse, CodeIllegalAction, CodeMalformed, CodeFrameTooLarge, CodeUnauthorized, CodeRateLimited, CodeMatchOver,
}

// Error tells an agent what was wrong with something that it sent.
type Error struct {
	Code       Code
	Message    string        // for people; cut at [MaxMessage] code points
	MatchID    string        // "": of no match; the agent's own words where it named one
	Seq        int64         // as the agent gave it; 0: it gave none
	RetryAfter time.Duration // with [CodeRateLimited]; 0 is left out
}

// Kind is [KindError].
func (*Error) Kind() Kind { return KindError }

// Append appends the message; see [Message]. A match id of the agent's is cut
// at 128 code points, as many as an id may have.
func (m *Error) Append(dst []byte) []byte {
	dst = head(dst, KindError)
	dst = append(dst, `,"code":`...)
	dst = jsontext.AppendString(dst, string(m.Code))
	dst = append(dst, `,"message":`...)
	dst = jsontext.AppendString(dst, clean(m.Message, MaxMessage))
	dst = append(dst, `,"match_id":`...)
	if m.MatchID == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jsontext.AppendString(dst, clean(m.MatchID, 128))
	}
	dst = append(dst, `,"seq":`...)
	if m.Seq <= 0 {
		dst = append(dst, "null"...)
	} else {
		dst = jsontext.AppendInt(dst, m.Seq)
	}
	if m.RetryAfter > 0 {
		dst = append(dst, `,"retry_after_ms":`...)
		dst = appendMS(dst, m.RetryAfter)
	}
	return append(dst, '}')
}

func (m *Error) read(r *reader) {
	m.Code = Code(r.text("code", true))
	if m.Code != "" && !slices.Contains(codes[:], m.Code) {
		r.fail(fmt.Errorf("code is %s, which is unknown", jsontext.Quote(string(m.Code))))
	}
	m.Message, m.MatchID = r.text("message", false), r.text("match_id", false)
	m.Seq = r.int("seq", false, math.MaxInt64)
	m.RetryAfter = r.ms("retry_after_ms", false)
}
