// Package program is the transport to agents that are programs of this machine:
// solvers in any language, entered in matches and tournaments without a server. A
// seat has a process of its own for as long as its match lasts, which is asked over
// its standard input and answers on its standard output.
//
// It is no sandbox: a program runs with the rights of the host's process, and can
// do to its files, network and memory whatever that can. Run only programs that
// you trust.
//
// # The format
//
// A request is one line of JSON: the observation of package
// [github.com/matchreferee/arena/protocol/gridarena], with the status "agent". The
// answer is one line of JSON too:
//
//	{"row":4,"col":4}       on the grid
//	{"action":"e2e4"}       an item of legalMoves, in any other game, and on the grid
//
// Other members are ignored but revision, which may be there to say which
// observation the answer is for; a wrong one is not an answer to this request. A
// program without it must print nothing but one line for each observation that it
// has read: what comes while nothing is asked is dropped, and recorded as stale, but
// what it says at its start, asked or not, is its first answer. When the match is
// over a program that is not thinking gets its last observation, with another
// status, and then the end of its input.
//
// Three things differ from what polling agents are told. The times of history are
// those at which this seat saw the moves. In other games than the grid history has
// the seat's own moves alone, and none of before a restart. A match without an end
// in time is told as one of 24 hours.
//
// # What becomes of a program's misbehaviour
//
//	it cannot be started                          Unreachable   start
//	it ends, or closes its standard output        Disconnected  exited, closed
//	the line is no JSON object, or has no move    Malformed     and what is wrong
//	the line is longer than MaxLine               Oversized
//	more than MaxStray lines that nobody asked for  BadProtocol  flood
//	nothing before the deadline                   Late, as the referee finds
//	too many processes run already                Internal      the host's fault: void
//
// After all of these but Malformed the process is killed, and the next request of
// its seat, if there is one, starts another. So it is when a request closes before
// it was answered: what the process would still say could not be told from an
// answer to the next one. A refused answer that leaves the request open
// ([referee.DoReject]) brings the same observation again, MaxAgain times at most.
//
// # Processes
//
// A program starts when its seat is asked first, with no shell in between, and in a
// process group of its own, which is killed as a whole: at the end of the match,
// [Options].Grace after the end of its input; at once when the match stops before
// its end, or the transport is closed. A child that leaves the group outlives it,
// and on systems without process groups (Windows, Plan 9) any child may that does
// not end with its pipes. Whoever takes a match over after a restart starts the program anew: it sees the
// whole position, but has forgotten what it knew beside it.
package program
