package gridarena

import (
	"time"
)

// ProblemType is the content-type of problems.
const ProblemType = "application/problem+json"

// Code is the member code of a problem. Codes stay as they are, for programs.
type Code string

// Codes, and the status that each is answered with.
const (
	CodeMalformed        Code = "malformed"          // 400: not the JSON that the endpoint reads; errors names the members
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
	CodeInProgress       Code = "in_progress"        // 409: the same request is being worked on
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

// Problem is a problem document (RFC 9457) of the type about:blank. It is an error
// too. The zero value is not one: see [NewProblem].
type Problem struct {
	Status int
	Code   Code
	Detail string // for people; "" is left out
	Errors []FieldError
	// RetryAfter is the header of that name, in whole seconds, rounded up. 0: no such header.
	RetryAfter time.Duration
}

// FieldError says what is wrong with one member of a request.
type FieldError struct {
	Field  string // its name; "diagnostics.nodes" inside another
	Detail string
}

// NewProblem gives a problem with the status that goes with its code.
func NewProblem(code Code, detail string) *Problem { panic("soon") }

// Error gives the code and the detail.
func (p *Problem) Error() string { panic("soon") }

// Append appends the document as it goes over the wire.
func (p *Problem) Append(dst []byte) []byte { panic("soon") }
