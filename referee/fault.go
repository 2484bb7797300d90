package referee

import "fmt"

// Fault is what went wrong with an answer. A short detail goes with it; see the
// protocol packages for the codes that they use.
type Fault uint8

const (
	NoFault      Fault = iota
	Late               // not there strictly before deadline plus grace
	Malformed          // the bytes are no answer of the protocol
	BadNonce           // the answer does not prove which request it is for
	Illegal            // an action that the rules refuse
	Oversized          // more bytes than allowed
	Unreachable        // the agent could not be asked: detail resolve, refused_address, connect, tls
	Disconnected       // the agent went away
	BadProtocol        // broke the carrier's rules: detail status, redirect, panic
	Stale              // answered what is not open: always refused, never punished
	Internal           // the host's own, a panic of the rules among them: always voids

	faultCount
)

var faultNames = [faultCount]string{"", "late", "malformed", "bad_nonce", "illegal", "oversized", "unreachable", "disconnected", "bad_protocol", "stale", "internal"}

// String gives the fault's name as it stands in a record; "" for NoFault.
func (f Fault) String() string { return nameOf(faultNames[:], int(f), "Fault") }

// MarshalText and UnmarshalText use the names of String.
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText refuses unknown names.
func (f *Fault) UnmarshalText(b []byte) error { return parseName(f, faultNames[:], b, "fault") }

// Do is the consequence of a fault.
type Do uint8

const (
	DoForfeit   Do = iota // the seat loses; the zero Policy does so for every fault of an agent
	DoStrike              // count it, and ask again after a pause
	DoReject              // tell the sender; the request stays open and its clock runs on
	DoDefault             // the game's safe default is played for the seat; it counts like a strike
	DoEliminate           // the seat is out; its safe defaults are played to the end
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
