package transporttest

import (
	"context"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// Harness is one transport under test, and what reaches around it to the agents.
// What it starts ends with the test that it was made for (testing.T.Cleanup).
type Harness struct {
	// Transport is closed by the kit.
	Transport transport.Transport

	// Agent brings an agent to life that plays as play says, and makes it known to
	// the transport. It returns when Transport.Player would find the agent; the
	// agent itself may connect later. It is called from the test's goroutine, so
	// that it may call t.Fatal.
	//
	// The agent calls play for each request that reaches it, in a goroutine of its
	// own, again where a request is delivered again, and sends what it gives.
	// The context ends when the agent learns, in whatever way its format has,
	// that the request is closed, and when the test ends.
	Agent func(a referee.Agent, play Play)

	// Cut breaks the agent's connection without a word, as a network does; the
	// agent comes back by itself. It does not wait for a play that is running, and
	// is called from inside of some. nil: there are no connections.
	Cut func(slug string)
}

// Play is how an agent behaves: what it sends in answer to a request, in order.
// None: it never answers. Where the format has room for one answer, as in the
// body of a reply, that is the first.
type Play func(ctx context.Context, t Turn) []Reply

// Turn is a request as an agent sees it.
type Turn struct {
	Match string
	// You is the agent's seat, as the format calls it.
	You string
	// Seq tells the requests of a seat apart; the same request has the same one
	// each time it is delivered.
	Seq int64
	// Legal are the listed actions as the format spells them, in the order in
	// which it lists them, which is that of the game.
	Legal []string
	// Left is the time that the agent is told it has. 0: the format does not say.
	Left time.Duration
}

// Reply is something that an agent sends.
type Reply struct {
	Kind   Kind
	Action string // of Turn.Legal; of no meaning in a Malformed or Illegal reply
}

// Kind says what a Reply is like.
type Kind uint8

const (
	Move      Kind = iota // a good answer
	Illegal               // a well-formed answer whose action is not legal
	Malformed             // no answer of the format, but as far as it can be for this request
	Oversized             // a good answer that takes more bytes than the transport reads
)

var kindNames = [...]string{"move", "illegal", "malformed", "oversized"}

// String gives a short name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}
