// Package websocket reaches agents that open a WebSocket to the referee, and is
// the client for agents written in Go. The format is ludux/1 (package
// [github.com/matchreferee/arena/protocol/ludux]); the carrier is RFC 6455, a
// message a text frame.
//
// # A connection
//
// The key of an agent comes in the upgrade, as Authorization: Bearer, or in a
// first message, hello. Never in the URL: there it would stand in logs. Who has
// play for a scope is welcomed and takes all the seats that its agent has, in all
// matches: of each it hears match_start and, if one is open, the request, with the
// seq that it had and the time that is left. So an agent that was cut off goes on
// where it was, and one that connects before its match, or after it began, needs
// nothing else.
//
// An agent has one connection. A newer one takes its place, whichever of the
// agent's keys opened it: the welcome of the newer says so, and the older hears
// error rate_limited and is closed with 4001. It should not connect again.
//
// What an agent is to be told of a seat is kept as state, not in a queue: a request
// that closed before it could be written is not written. So nobody who reads
// slowly holds up a match or takes memory, and what was not read is there for the
// next connection. Only answers to what the agent itself has sent wait in a line,
// which is bounded.
//
// Answers find their seat by match_id and seq. An agent that has several seats of
// one match says by seat which one it answers for ([ludux.ActionResponse]), as the
// client of this package does; else its answer is for the lowest seat whose open
// request has that seq, and it has to answer those in order.
//
// # What is not a message
//
// Bytes that are no message, and binary frames, are answered with error malformed,
// and the connection goes on. Text that is no UTF-8 is read with U+FFFD in its
// place, as in all formats of this library, and not closed with 1007. More than
// [ludux.MaxFrame] bytes, in one frame or in many, are not read: error
// frame_too_large, close 1009. Where exactly one request of the agent is open, or
// the message names its match, the fault is laid to that seat and recorded.
//
// # Closing
//
//	1000, 1001  the agent's goodbye
//	1001        ours: the host shuts down; connect again
//	1002        a breach of RFC 6455
//	1008        after an error message: unauthorized, or rate_limited where the agent went on;
//	            without one: no hello in time, a flood of pings or empty fragments, answers that nobody reads
//	1009        after error frame_too_large
//	1013        the host could not look up the key; try again
//	4001        replaced by a newer connection
//
// A connection without a sign of life is pinged every [Options.Ping]. When two pings
// in a row have brought none, the connection is cut: 30 to 45 s after the agent
// vanished. With each ping the key is looked up again, so that a revoked one is out
// within 15 s. The seats of an agent without a connection are gone
// ([referee.Seat.Gone]), from the start of the match on if it never had one, and
// back when it connects; what that costs, their policy and clock say. Why each
// connection closed, [Options.Observe] is told.
//
// # What is left to the host
//
// TLS; [net/http.Server.ReadHeaderTimeout], which bounds how slowly an upgrade may
// come; the number of files that the process may open. HTTP/2 has no upgrade: a
// server that speaks TLS must offer http/1.1 too, as net/http does.
package websocket

// Close codes of this package besides those of RFC 6455.
const (
	// CloseReplaced says that a newer connection of the agent has taken the place
	// of this one.
	CloseReplaced = 4001
)

// Subprotocol is selected where the client offers it. It changes nothing.
const Subprotocol = "ludux.v1"
