package gridarena

import (
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

// ProblemType is the content-type of problems.
const ProblemType = "application/problem+json"

// Code is the member code of a problem. Codes stay as they are, for programs.
type Code string

// Codes, and the status that each is answered with.
const (
	CodeMalformed        Code = "malformed"          // 400: not what the endpoint reads; errors names the members
	CodeForbiddenMember  Code = "forbidden_member"   // 400: a member that is never accepted
	CodeUnknownOpponent  Code = "unknown_opponent"   // 400
	CodeUnknownGame      Code = "unknown_game"       // 400: or a ruleset that the game does not know
	CodeUnauthorized     Code = "unauthorized"       // 401: no key, or one that stands for nobody
	CodeMissingScope     Code = "missing_scope"      // 403
	CodeNotYourMatch     Code = "not_your_match"     // 403: another account's
	CodeGated            Code = "gated"              // 403: an opponent that this account may not play yet
	CodeNotFound         Code = "not_found"          // 404
	CodeMethodNotAllowed Code = "method_not_allowed" // 405: the header Allow has those that are
	CodeSlowBody         Code = "slow_body"          // 408
	CodeStaleRevision    Code = "stale_revision"     // 409: reload the observation
	CodeWrongStatus      Code = "wrong_status"       // 409: not the agent's turn, or over
	CodeIDReused         Code = "id_reused"          // 409: with another payload
	CodeRunning          Code = "running"            // 409: a replay comes when the match is over
	CodeTooLarge         Code = "too_large"          // 413
	CodeMediaType        Code = "media_type"         // 415
	CodeIllegalMove      Code = "illegal_move"       // 422
	CodeRateLimited      Code = "rate_limited"       // 429: requests of a source or an account
	CodePollPace         Code = "poll_pace"          // 429: polled too soon while the opponent thinks
	CodeQuotaAccount     Code = "quota_account"      // 429: starts of this account today
	CodeActiveAccount    Code = "active_account"     // 429: matches of this account at once
	CodeQuotaGlobal      Code = "quota_global"       // 429: starts of everybody today
	CodeQuotaHeavy       Code = "quota_heavy"        // 429: heavy starts of everybody today
	CodeInternal         Code = "internal"           // 500
	CodeFull             Code = "full"               // 503: as many matches as the host plays at once
	CodePaused           Code = "paused"             // 503: no new matches for now
	CodeHeavyOff         Code = "heavy_off"          // 503: no matches against heavy opponents for now
	CodeClosing          Code = "closing"            // 503: the server shuts down
)

// Status gives the HTTP status of a code; 500 for one that is unknown.
func (c Code) Status() int {
	switch c {
	case CodeMalformed, CodeForbiddenMember, CodeUnknownOpponent, CodeUnknownGame:
		return 400
	case CodeUnauthorized:
		return 401
	case CodeMissingScope, CodeNotYourMatch, CodeGated:
		return 403
	case CodeNotFound:
		return 404
	case CodeMethodNotAllowed:
		return 405
	case CodeSlowBody:
		return 408
	case CodeStaleRevision, CodeWrongStatus, CodeIDReused, CodeRunning:
		return 409
	case CodeTooLarge:
		return 413
	case CodeMediaType:
		return 415
	case CodeIllegalMove:
		return 422
	case CodeRateLimited, CodePollPace, CodeQuotaAccount, CodeActiveAccount, CodeQuotaGlobal, CodeQuotaHeavy:
		return 429
	case CodeFull, CodePaused, CodeHeavyOff, CodeClosing:
		return 503
	}
	return 500
}

// Problem is a problem document (RFC 9457) of the type about:blank. It is an error
// too. [NewProblem] makes one.
type Problem struct {
	Status int
	Code   Code
	Detail string       // for people; "": not on the wire
	Errors []FieldError // nil: not on the wire
	// RetryAfter is for the header of that name; see [Problem.Seconds]. 0: no such header.
	RetryAfter time.Duration
}

// FieldError says what is wrong with one member of a request.
type FieldError struct {
	Field  string // its name; "diagnostics.nodes" inside another
	Detail string
}

// NewProblem gives a problem with the status that goes with its code.
func NewProblem(code Code, detail string) *Problem {
	return &Problem{Status: code.Status(), Code: code, Detail: detail}
}

// Seconds is the value of the header Retry-After: RetryAfter rounded up, at least
// 1; 0 where there is to be no such header.
func (p *Problem) Seconds() int64 {
	if p.RetryAfter <= 0 {
		return 0
	}
	return int64((p.RetryAfter-1)/time.Second) + 1
}

// Error gives the code and the detail.
func (p *Problem) Error() string {
	if p.Detail == "" {
		return "gridarena: " + string(p.Code)
	}
	return "gridarena: " + string(p.Code) + ": " + p.Detail
}

// Append appends the document as it goes over the wire.
func (p *Problem) Append(dst []byte) []byte {
	dst = append(dst, `{"type":"about:blank","title":`...)
	dst = jsontext.AppendString(dst, title(p.Status))
	dst = append(dst, `,"status":`...)
	dst = jsontext.AppendInt(dst, p.Status)
	dst = append(dst, `,"code":`...)
	dst = jsontext.AppendString(dst, string(p.Code))
	if p.Detail != "" {
		dst = append(dst, `,"detail":`...)
		dst = jsontext.AppendString(dst, p.Detail)
	}
	if p.Errors != nil {
		dst = append(dst, `,"errors":`...)
		dst = jsontext.AppendList(dst, p.Errors, func(dst []byte, e FieldError) []byte {
			dst = append(dst, `{"field":`...)
			dst = jsontext.AppendString(dst, e.Field)
			dst = append(dst, `,"detail":`...)
			return append(jsontext.AppendString(dst, e.Detail), '}')
		})
	}
	return append(dst, '}')
}

// title is what RFC 9110 and RFC 6585 call a status.
func title(status int) string {
	switch status {
	case 400:
		return "Bad Request"
	case 401:
		return "Unauthorized"
	case 403:
		return "Forbidden"
	case 404:
		return "Not Found"
	case 405:
		return "Method Not Allowed"
	case 408:
		return "Request Timeout"
	case 409:
		return "Conflict"
	case 413:
		return "Content Too Large"
	case 415:
		return "Unsupported Media Type"
	case 422:
		return "Unprocessable Content"
	case 429:
		return "Too Many Requests"
	case 503:
		return "Service Unavailable"
	}
	return "Internal Server Error"
}
