// Package ludux is the wire format ludux/1 as data: one set of messages that
// travel over a WebSocket which the agent opens, or over signed HTTPS POSTs that
// it answers.
//
// [AppendRequest] writes what asks for a move; [DecodeFromAgent] and
// [DecodeReply] read what comes back, and [ActionResponse.Answer] makes a
// [referee.Answer] of it; [Policy] gives the consequences and the clock that the
// format promises. Agents written in Go read with [DecodeFromArena] and append
// the messages that are theirs. What is left to a transport is the carrier:
// connections, keys, signatures, pings, limits of pace. Nothing here keeps state;
// only a [referee.Request] must not be in use elsewhere at the same time.
//
// # Messages
//
//	to the agent    action_request, welcome, match_start, match_end, timeout_warning, error
//	from the agent  hello, action_response
//	to a spectator  public_state
//
// Members stand in the order of the document, as compact JSON without a new line
// at the end; only quotes, backslashes and control characters are escaped. No
// list of a message is ever null. match_start comes again with a connection or a
// host that is new; match_end is the last of its match. Of a missed deadline an
// agent hears by its next request or by match_end, and by stale_response if its
// answer comes after all; over a WebSocket, by stale_response at once.
//
// # Choices where the format is silent
//
//   - seq is [referee.Request].Ask: the seat's own requests counted from 1. A
//     re-delivery has the same seq, and its issued_at and deadline_ms are those
//     of the moment at which it is written.
//   - ruleset is the game's with move_time_ms behind it, which is left out where
//     there is no such limit. Without any limit, deadline_ms is the hour of
//     [Policy].
//   - agent.version is a number where the agent's version is a whole number, else
//     a string, and null where it has none. rating is null for the unrated.
//   - state is the game's own view; legal_actions has the listed actions in
//     canonical JSON, which ruleset is, too. Where more is accepted than is listed,
//     action_schema follows, and if nothing at all is listed, the game's safe
//     default is.
//   - A request that would not fit [MaxFrame] loses the oldest entries of its
//     longest history, a list right in state whose name holds "history" or ends in
//     "log", and truncated says of which and how many: {"member","omitted"}. What
//     does not fit even so is [ErrTooLarge], never a broken frame.
//   - What an agent sends must have protocol, type, and for a response match_id,
//     seq and an action that is not null. Unknown members and a commentary that is
//     no string are ignored. Bytes that are no UTF-8 and lone surrogates read as
//     U+FFFD, in actions too. Duplicate names at any depth, trailing data, nesting
//     over 32, numbers beyond a float64, a seq with a fraction, and in an action a
//     fraction where listed actions have integers are malformed; the last not where
//     action_schema speaks of type number.
//   - The response to another match, or with another seq, is addressed so that
//     the referee finds it stale; only a seq that is past stands in the record.
//   - seq does not tell apart what seats of the same match are asked, so an agent
//     that has several there says in an optional member seat, a number from 0 to 63
//     behind seq, which of them it answers for. For another seat it is stale; what
//     is no such number is malformed. [ActionResponse] has more.
//   - Where a host filters the words of its agents ([referee.Config].Filter), the
//     filter sees each string of an unlisted action that no listed action has in
//     the same place.
//
// # Commentary
//
// Commentary is cut at [MaxCommentary] code points; tabs and line breaks in it
// become spaces, other control characters U+FFFD. It is the Note of the answer,
// stands in the record, is never scored, and is in no message of this package. While a match
// runs no other seat may see it, and live spectators only where the game hides
// nothing ([game.Info].Hidden); after the end everybody may. It is never to be
// hidden chain of thought, and nobody asks for that.
package ludux

// Protocol is the name and version of the format: the protocol member of each
// message, and the name of its [Policy].
const Protocol = "ludux/1"

// Limits of messages.
const (
	MaxFrame      = 32_768 // bytes of a message, either way
	MaxReply      = 16_384 // bytes of the answer to a POST
	MaxCommentary = 280    // code points of a commentary
	MaxKey        = 512    // bytes of the key in a hello
	MaxMessage    = 200    // code points of an error's message
)
