package referee

import "fmt"

// Fault sorts the ways in which an answer, or the lack of one, can be wrong. A
// short detail goes with it; see the protocol packages for the codes that they use.
type Fault uint8

const (
	NoFault      Fault = iota
	Late               // not all there before the deadline, grace added; on the millisecond is late
	Malformed          // the bytes are no answer of the protocol
	BadNonce           // the answer does not prove which request it is for
	Illegal            // an action that the rules refuse
	Oversized          // more bytes than allowed
	Unreachable        // the agent could not be asked; callback tells by detail at which step
	Disconnected       // the agent went away
	BadProtocol        // broke the carrier's rules: detail status, redirect, panic
	Stale              // for a request that is closed, or never was: refused whatever the policy, and free
	Internal           // on the host's side, as when rules panic: voids whatever the policy

	faultCount
)

var faultNames = [faultCount]string{"", "late", "malformed", "bad_nonce", "illegal", "oversized", "unreachable", "disconnected", "bad_protocol", "stale", "internal"}

// String gives the fault's name as it stands in a record; "" for NoFault.
func (f Fault) String() string { return nameOf(faultNames[:], int(f), "Fault") }

// MarshalText and UnmarshalText use the names of String.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText refuses unknown names.
func (f *Fault) UnmarshalText(b []byte) error { return parseName(f, faultNames[:], b, "fault") }

// Do is what the referee does about a fault.
type Do uint8

const (
	DoForfeit   Do = iota // the seat loses; in the zero Policy, for whatever an agent does wrong
	DoStrike              // a strike for the seat; after the pause it gets a new request
	DoReject              // its sender hears that it was refused, and that is all; request and time go on
	DoDefault             // the referee plays the safe default of the rules; as bad as a strike, see Policy.Strikes
	DoEliminate           // the seat is out, and from here on has its safe defaults played for it
	DoVoid                // the match is void

	doCount
)

var doNames = [doCount]string{"forfeit", "strike", "reject", "default", "eliminate", "void"}

// String gives the consequence's name as it stands in a record.
func (d Do) String() string { return nameOf(doNames[:], int(d), "Do") }

// MarshalText uses the names of String.
func (d Do) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText refuses unknown names.
func (d *Do) UnmarshalText(b []byte) error { return parseName(d, doNames[:], b, "consequence") }

func nameOf(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

func parseName[T ~uint8](to *T, names []string, b []byte, kind string) error {
	for i, n := range names {
		if n == string(b) {
			*to = T(i)
			return nil
		}
	}
	return fmt.Errorf("referee: unknown %s %q", kind, b)
}
