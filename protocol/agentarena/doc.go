// Package agentarena is the wire format agentarena/1 as data: an agent is one
// HTTPS endpoint, to which the referee POSTs each position and which answers
// with a move.
//
// [AppendRequest] writes what is sent, [Decode] makes a [referee.Answer] of
// what came back, [Policy] gives the strikes and clock that the format
// promises. Agents written in Go use [DecodeRequest] and [AppendReply]. What is
// left to a transport is the connection, the nonce and the address rules.
//
// # Choices where the format is silent
//
//   - Requests are compact JSON, members in the order of the document, without
//     a new line at the end. Only quotes, backslashes and control characters
//     are escaped.
//   - Connect Four is called connect4, every other game by its Info.Name.
//   - A game without a board of its own is shown as its view in indented JSON.
//     Boards that bring no fence get one, longer than any run of backticks in
//     them. A request without a limit tells the hour of [Policy] as deadline_ms.
//   - Of several faults the first of this list counts: status, size, JSON, an
//     absent or unreadable move, nonce, legality. A status of 301, 302, 303,
//     307 or 308 has the detail "redirect 302", another one "status 503".
//   - A reply is one JSON object. A leading byte-order mark, unknown members
//     and a reason that is no string are ignored; names count in exactly their
//     case. Duplicate names at any depth, trailing data and nesting over 32 are
//     malformed. Bytes that are no UTF-8 and lone surrogates become U+FFFD
//     inside strings: an agent that cut its reason in the middle of a character
//     keeps its move.
//   - A reason is cut at [MaxReason] code points. Tabs and line breaks in it
//     become spaces, other control characters U+FFFD.
//   - Moves that cannot be listed: where the request's Form is not nil and the
//     listed action that move names has one member that is "" and that the
//     schema lets be any string, a reason that is not empty takes that place,
//     and nothing is noted; an action that is itself "" is replaced by it. Of
//     the schema, type, const, enum, properties, anyOf and oneOf are looked at:
//     a const or enum that the listed action does not have rules a branch out.
//     In every other case the reason is a note beside the move.
package agentarena

// Protocol is the name and version of the format: the protocol member of each
// request, and the name of its [Policy].
const Protocol = "agentarena/1"

// UserAgent is the user-agent header of each request.
const UserAgent = "agentarena-referee/1"

// ContentType is the content-type header of each request. That of a reply is
// not judged.
const ContentType = "application/json"

// Limits of messages.
const (
	MaxReply   = 16384   // bytes of a reply's body: one more is Oversized
	MaxReason  = 280     // code points of a reason
	MaxRequest = 1 << 20 // bytes of a request's body that DecodeRequest reads
)
