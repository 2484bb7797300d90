package referee

import (
	"encoding/json"

	"github.com/matchreferee/arena/game"
)

// Kind is what an event is about.
type Kind uint8

const (
	KindStart  Kind = iota // the first line: everything a match starts from
	KindSent               // a request went out; only where its clock starts then
	KindMove               // a move, be it of a seat, of Chance or of Host
	KindFault              // an answer, or its absence, was a fault
	KindGone               // a seat's agent went away
	KindBack               // it came back
	KindClaim              // a seat resigned, offered, accepted, declined or abandoned
	KindRule               // the host ruled
	KindSay                // a seat said something
	KindResume             // a referee took the match over
	KindEnd                // the last event

	kindCount
)

var kindNames = [kindCount]string{"start", "sent", "move", "fault", "gone", "back", "claim", "rule", "say", "resume", "end"}

// String gives the kind's name as it stands in a record.
func (k Kind) String() string { return nameOf(kindNames[:], int(k), "Kind") }

// Event is one line of a record. What is rare hangs off X, which is nil where
// nothing of it is set.
type Event struct {
	Kind   Kind
	Seat   game.Seat   // sent, move, fault, gone, back, claim, say
	Ask    int32       // which request: sent, move, fault
	Time   Time        // when it was recorded
	Used   Time        // thinking time charged, in milliseconds: move, fault
	Action game.Action // what was moved; with a fault, what was played instead
	X      *Extra
}

// Extra holds the members that few events have.
type Extra struct {
	Ref    bool   // move: not by the seat itself, which is eliminated
	Note   string // move, fault: what the agent said beside its action
	Meta   []byte // move, fault: canonical JSON object
	Key    string // move: idempotency key
	Raw    string // move with a key: digest of the action as sent, where that is not Action
	Fault  Fault
	Do     Do
	Detail string  // fault, gone
	Got    Address // fault Stale: where the answer was addressed
	Claim  Claim
	Rule   RuleKind
	By     string // rule: who says so
	Reason string // rule
	Ret    []float64
	Win    game.SeatSet // rule win
	To     game.SeatSet // say; empty: everybody
	Text   string       // say
	At     Time         // resume: the wall clock, should it have run backwards
	Start  *Start
	End    *End
}

var noExtra Extra

// x gives the extra of an event for reading.
func (e *Event) x() *Extra {
	if e.X == nil {
		return &noExtra
	}
	return e.X
}

// Start is the body of the start event.
type Start struct {
	ID       string
	Game     string // Info.Name
	Version  string // Info.Version
	Ruleset  json.RawMessage
	Position string
	Names    []string // nil: the agents' names
	Seats    []SeatInfo
	Max      int
	Commit   [32]byte
	Lib      string // which library wrote it
}

// End is the body of the end event. Slices are by seat; nil where all are zero.
type End struct {
	Cause   Cause
	Reason  string
	Ret     []float64
	Scores  []int64
	Places  []int
	Strikes []int
	Faults  [][faultCount]int
	Secret  game.Seed
	Salt    [32]byte
}

// Claim is what a seat asks of the referee beside its moves.
type Claim uint8

const (
	Resign      Claim = iota // the seat gives the match up
	OfferDraw                // to all others still in play
	AcceptDraw               // the one on offer
	DeclineDraw              // the same
	Abandon                  // the seat walks away, which counts as abandonment and not as resignation

	claimCount
)

var claimNames = [claimCount]string{"resign", "offer_draw", "accept_draw", "decline_draw", "abandon"}

// String gives the claim's name as it stands in a record.
func (c Claim) String() string { return nameOf(claimNames[:], int(c), "Claim") }

// RuleKind is what a host rules.
type RuleKind uint8

const (
	RuleVoid    RuleKind = iota // the match does not count
	RuleDraw                    // all share
	RuleWin                     // the seats of Win share the win
	RuleReturns                 // the returns as given

	ruleCount
)

var ruleNames = [ruleCount]string{"void", "draw", "win", "returns"}

// String gives the ruling's name as it stands in a record.
func (r RuleKind) String() string { return nameOf(ruleNames[:], int(r), "RuleKind") }

// Ruling ends a match by the host's word.
type Ruling struct {
	What    RuleKind
	By      string       // who says so: one line, no longer than 64 code points
	Reason  string       // a code: one line, no longer than 64 code points
	Win     game.SeatSet // with RuleWin
	Returns []float64    // with RuleReturns, by seat
}
