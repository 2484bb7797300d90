package replay

import (
	"errors"
	"fmt"
	"strings"

	"github.com/matchreferee/arena/referee"
)

// Status is the verdict on a record. The zero Status is Invalid.
type Status uint8

const (
	Invalid    Status = iota // a line is wrong: see Report.Fault
	Unfinished               // nothing is wrong so far, but the record does not reach its end
	NotRerun                 // the chain holds to the end, but the rules are not known here: nobody has judged the moves
	Valid                    // every line is what this match must have left
)

// String gives "invalid", "unfinished", "not re-run" or "valid".
func (s Status) String() string {
	switch s {
	case Unfinished:
		return "unfinished"
	case NotRerun:
		return "not re-run"
	case Valid:
		return "valid"
	}
	return "invalid"
}

// ErrUnfinished says that a record does not reach its end.
var ErrUnfinished = errors.New("replay: the record is unfinished")

// Report is what [Verify] found. Where there is a fault, everything else is about
// the lines that were read until it was found.
type Report struct {
	Status Status
	Fault  *LineError // the first wrong line and why; nil unless Status is Invalid

	Events int64    // events read, start and end among them
	Head   [32]byte // leaf hash of the last event read; zero without one
	Root   [32]byte // RFC 6962 Merkle root over the events read
	Seal   *Seal    // nil: not sealed
	Torn   bool     // the last line has no newline: it was cut off

	Start *referee.Start // what the match started from; nil where the first line is wrong or missing
	At    referee.Time   // of the start event, Unix milliseconds
	Last  referee.Time   // of the last event read, Unix milliseconds
	End   *referee.End   // the end event as it is recorded; nil without one

	// Rerun says that the game was played again as far as the events go.
	Rerun bool
	// Opened says that the secret and the salt of the end event open the
	// commitment of the start event.
	Opened bool
	// Result is the result of playing the game again; nil unless that reached a
	// good end.
	Result *referee.Result

	Counts Counts
}

// Counts says how much of a record was played again and how much is taken as
// recorded, because only the host could know it. When an answer came is taken
// as recorded too, within what the clocks and the order of events allow.
type Counts struct {
	Moves int64 // of seats, played defaults among them: judged again by the rules
	Draws int64 // of Chance: drawn again from the secret, once the end reveals it

	HostMoves int64 // of Host: legal, but what they say is as recorded
	Faults    int64 // consequences judged again by the policies; that there was a fault is as recorded
	Claims    int64 // resignations, draw offers and the like
	Rulings   int64 // by the host
	Resumes   int64 // another referee took the match over
}

// Err is nil for a valid record alone; else it is Fault, or wraps
// [ErrUnfinished] or [ErrUnknownRules].
func (r *Report) Err() error {
	switch r.Status {
	case Valid:
		return nil
	case Unfinished:
		end := ""
		if r.Torn {
			end = ", within a line"
		}
		return fmt.Errorf("%w: it ends after %d events%s", ErrUnfinished, r.Events, end)
	case NotRerun:
		return ErrUnknownRules
	}
	if r.Fault == nil {
		return errors.New("replay: nothing was verified")
	}
	return r.Fault
}

// String gives a summary in one line, which is fit for a terminal: what the
// record says is quoted where it is more than a word.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.Status.String())
	if r.Fault != nil {
		fmt.Fprintf(&b, " (%v)", r.Fault)
	}
	if s := r.Start; s != nil {
		fmt.Fprintf(&b, ": %q, %s %s", s.ID, word(s.Game), word(s.Version))
	}
	fmt.Fprintf(&b, ", %d events", r.Events)
	if e := r.End; e != nil && r.Status != Invalid {
		fmt.Fprintf(&b, ", %v by %s", e.Cause, word(e.Reason))
		if e.Ret != nil {
			fmt.Fprintf(&b, ", returns %v", e.Ret)
		}
	}
	switch {
	case r.Torn:
		b.WriteString(", the last line cut off")
	case r.Seal != nil:
		b.WriteString(", sealed")
	case r.End != nil:
		b.WriteString(", not sealed")
	}
	return b.String()
}
