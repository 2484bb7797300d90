// Package referee leads matches from the first request to the result.
//
// [Match] decides. It is a state machine and pure: it is told what happened and
// when, and says what to record and what to do next, but reads no clock, starts
// no goroutine and touches nothing outside itself. [Live] drives a match in real
// time, with a [Log] to write to and one [Player] a seat. [Local] plays whole
// matches and is the [Referee] of a single process.
//
// # One move, from arrival to record
//
// A transport hands the bytes of an agent to its protocol package, which makes
// an [Answer]: an action, or a [Fault]. [Seat.Submit] stamps its arrival and
// waits for the verdict. Match.Answer finds the request that it is for, asks
// the rules whether the action is legal, and decides one [Event]. The event is
// appended to the log; only then does the sender hear the [Verdict] and do the
// seats hear of the next requests.
//
// # Consequences are data
//
// A [Policy] says for each kind of fault what is done about it, a [Clock] says
// how long an answer may take. Both are values, one of each a seat, and stand
// in the first line of the record, so that anybody can judge the match again.
// Infrastructure never costs a seat anything: an Internal fault voids.
//
// # Time
//
// Time is fed. An answer is in time when it arrived strictly before its
// deadline plus the grace; at the deadline it is late. An outage of the host is
// no agent's fault: a resume event starts every open move clock anew, while the
// expiry of the match as a whole runs on.
package referee
