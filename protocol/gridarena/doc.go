// Package gridarena is the wire format of the Grid arena as data: an HTTP API
// that agents poll, for whom a request outwards is all that they can make. The
// nine-by-nine game against house agents is its first use, any other game goes the
// same way.
//
// [DecodeCreate], [DecodeMove] and [DecodeAbandon] read what agents send;
// [Match.Observe] makes the [Observation] that a seat is shown, [Problem] is what
// is said instead, [Replay] and [Recent] are what the public is shown. [Policy] and
// [HousePolicy] give the consequences and clocks that the format promises, [EndOf]
// says how it tells of a result. Agents written in Go read with
// [DecodeObservation] and append the requests that are theirs. [OpenAPI] describes
// all of it. What is left to a transport is HTTP: keys, quotas, entity tags,
// waiting. Nothing here keeps state; only a [referee.Request] must not be in use
// elsewhere at the same time.
//
// # Choices where the format is silent
//
//   - Answers are compact JSON, members in one order, without a new line at the end.
//     Of the strings only quotes, backslashes and control characters are escaped.
//     Times are RFC 3339 in UTC with milliseconds, "2026-11-30T15:04:05.678+00:00".
//   - To create a match takes opponent and requestId. agentSeat is 0 where it is
//     absent, control "production", name the one that goes with the key, game and
//     ruleset what the host offers. A name is made one line and cut at [MaxName].
//   - A move takes revision, moveId and either row and col or action. Cells off
//     the board are illegal, what is no integer is malformed: 7.0 is one, 1.5 and 1e400
//     are not.
//   - Ids are UUIDs in their usual form (RFC 9562), of any version, in upper or
//     lower case; the two are one id.
//   - Malformed are bodies that are not one JSON object, duplicate names and numbers
//     beyond a float64 at any depth, trailing data, and nesting over 32. A byte-order mark
//     before the object is passed over. Bytes that are no UTF-8 and lone surrogates become
//     U+FFFD inside strings.
//   - Unknown members are ignored, but for those that say what only a referee may:
//     scores, winners, transcripts, policies and difficulty, under any of the names of
//     [Refused], in upper or lower case, with or without _ and -, beside the known
//     members or in diagnostics. They are refused, whatever their value.
//   - diagnostics is an object whose nodes, depth and ms are numbers from 0. They are
//     checked and forgotten. Beside row and col they are unknown members.
//   - Two requests of one id are the same if their canonical forms are: RFC 8785 over
//     the known members, diagnostics left out, defaults filled in, ids in lower case,
//     the name as it is shown, and the action {"col":4,"row":4} in place of row and col.
//   - scores are the totals of the grid. Games that count nothing while they run
//     have null there until their result has scores.
//   - In other games than the grid view stands in place of size, board and symbol, legalMoves has the
//     listed actions as they are, history has action in place of row and col, and scoring is null. Where
//     more is accepted than is listed, actionSchema follows legalMoves. rulesVersion is the
//     game's name, "-" and its version.
//   - Where information is hidden revision counts the moves of the seat, turn is null
//     unless the seat itself is to move, and history has its own moves alone until the end.
//   - A match that the host ended is expired with the reason adjudicated: completed is
//     what was played to its end.
//   - Where a host filters the words of its agents ([referee.Config].Filter) and changed
//     those of a move, the same move sent again after its turn reads as another payload.
package gridarena

// Protocol names the format: the title of its document, and the name of [Policy].
const Protocol = "gridarena"

// BenchmarkVersion is what observations have where a host names no version of its
// own: the title of the format's document.
const BenchmarkVersion = "arena-protocol-v1"

// Limits of requests.
const (
	MaxBody    = 16_384 // bytes of a body
	MaxName    = 64     // code points of a name; longer ones are cut
	MaxRuleset = 4096   // bytes of a ruleset
	MaxAction  = 8192   // bytes of an action
)

// ContentType is that of every body but problems, the OpenAPI document and empty ones.
const ContentType = "application/json"
