package referee

import "github.com/matchreferee/arena/game"

// By says what the number of an Address counts.
type By uint8

const (
	ByOpen By = iota // no number: the open request
	ByAsk            // Request.Ask
	ByTurn           // Request.Turn
	ByNth            // Request.Nth
)

// Address names the request that an answer belongs to. The zero Address names
// none: the answer goes to the one that is open for the seat.
type Address struct {
	By By
	N  int32
}

// Limits of what an answer may carry; what is longer is cut (text) or a fault.
const (
	MaxAction = 64 << 10 // bytes of an action: more is Oversized
	MaxNote   = 4096     // code points of a note
	MaxDetail = 200      // code points of a detail
	MaxMeta   = 1024     // bytes of canonical JSON: more is dropped
	MaxKey    = 128      // bytes of an idempotency key: more is Malformed
	MaxText   = 4096     // code points of Say
)

// Answer is what came from an agent, or what went wrong instead.
type Answer struct {
	To     Address
	Action game.Action // any bytes: the rules judge them
	Fault  Fault       // what the protocol package found wrong with the bytes; NoFault: they hold Action
	Detail string      // more about Fault, as a short code or sentence; cleaned, and cut to MaxDetail
	Note   string      // words beside the move; protocol packages cut them to their own limits
	Meta   []byte      // a JSON object in canonical form, up to MaxMeta bytes, of figures about the answer
	// Key is an idempotency key, unique within seat and match. It goes
	// before the address: whoever repeats key and action gets the verdict of the
	// first time, even from a referee that crashed in between. After a refusal the
	// key is free again.
	Key     string
	Arrived Time // of its last byte; 0: the moment of Submit
}

// Code says what became of an answer.
type Code uint8

const (
	OK        Code = iota // recorded as the seat's move
	Duplicate             // same key and action as a move before: its verdict again
	KeyReused             // same key, another action: nothing happened
	WasStale              // for a request that is not open: nothing happened
	Refused               // a fault: see Fault and Do
	Over                  // the match is over

	codeCount
)

var codeNames = [codeCount]string{"ok", "duplicate", "key_reused", "stale", "refused", "over"}

// String gives a short name of the code.
func (c Code) String() string { return nameOf(codeNames[:], int(c), "Code") }

// Verdict is the referee's word on one answer.
type Verdict struct {
	Code    Code
	Fault   Fault  // where refused
	Do      Do     // its consequence
	Event   int64  // position in the record, from 0; -1: not recorded, or not told while information is hidden
	Strikes int    // the seat's, now
	Detail  string // fit for the agent's eyes
}
