package websocket

import (
	"fmt"
	"time"
)

// EventKind says what an [Event] is about.
type EventKind uint8

const (
	Refused EventKind = iota // an upgrade was answered with Status
	Opened                   // an agent or a spectator is connected
	Closed                   // its connection has ended, or one that never said whose it was
)

var eventNames = [...]string{"refused", "opened", "closed"}

// String gives a short name.
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Reason says why a connection was refused or closed, as a stable code.
type Reason string

// Reasons. Those of a refusal come with Refused, the others with Closed.
const (
	ReasonOrigin       Reason = "origin"       // refused: a browser of another site
	ReasonUnauthorized Reason = "unauthorized" // no key that counts, any more
	ReasonScope        Reason = "scope"        // the key is not good for this
	ReasonBusy         Reason = "busy"         // refused: too many connections, of strangers or at all
	ReasonPace         Reason = "pace"         // too many attempts, connections or messages
	ReasonHost         Reason = "host"         // the host could not look up the key
	ReasonHandshake    Reason = "handshake"    // refused: no WebSocket upgrade
	ReasonUnknown      Reason = "unknown"      // no such match to watch
	ReasonHello        Reason = "hello"        // no hello in time, or something else came first
	ReasonPeer         Reason = "peer"         // the other side said goodbye; Code is its own
	ReasonLost         Reason = "lost"         // the connection broke off
	ReasonPing         Reason = "ping"         // two pings unanswered
	ReasonWrite        Reason = "write"        // a write did not end in time
	ReasonSlow         Reason = "slow"         // too many answers waited to be read
	ReasonReplaced     Reason = "replaced"     // a newer connection took over
	ReasonTooLarge     Reason = "too_large"    // a message over the limit
	ReasonProtocol     Reason = "protocol"     // a breach of RFC 6455
	ReasonFlood        Reason = "flood"        // pings, or frames without content
	ReasonShutdown     Reason = "shutdown"     // the transport was closed
	ReasonEnd          Reason = "end"          // of what a spectator watched
)

// Event tells of one connection, for the host's eyes. There is no key in it.
type Event struct {
	Kind   EventKind
	Remote string // address of the other side
	Source string // what its limits are counted by, see [Options.Source]
	Agent  string // slug; "": not known yet, or a key that only watches
	Key    string // the key's name, [transport.Grant.Key]
	Match  string // that a spectator watches
	Status int    // Refused: of the reply
	Reason Reason // Refused, Closed
	Code   int    // Closed: the close code, ours or, with ReasonPeer, theirs; 0: none was sent
	// Replaced says with Opened that an older connection made way.
	Replaced bool
	Lasted   time.Duration // Closed
	// Received and Sent count messages, without pings. Closed.
	Received, Sent int64
	Err            error // nil unless something failed
}
