package referee

import (
	"errors"
	"fmt"
	"time"
)

// Policy says what is done about the faults of one seat. It is data and part of
// the record's first line, so whoever reads the record can decide every fault
// anew. Under the zero Policy an agent loses by its first fault.
type Policy struct {
	// Name says where the policy comes from: the protocol, as a rule.
	Name string
	// What is done about each kind of fault. Stale and Internal are not here:
	// the one is always refused, the other always voids.
	Late, Malformed, BadNonce, Illegal, Oversized, Unreachable, Disconnected, BadProtocol Do
	// Strikes is the number of strikes, played defaults among them, at which Out
	// happens. 0: it never does.
	Strikes int
	// Out is DoForfeit or DoEliminate.
	Out Do
	// Pause separates a strike from the next request. Within a turn, each pause is
	// twice the one before, but no more than PauseMax (0: however long that gets).
	Pause, PauseMax time.Duration
	// Reask: a request that repeats one comes with a full move clock of its own.
	// Otherwise all requests of a turn together have one.
	Reask bool
	// Notes bounds the record: of the answers of a seat that are refused in one
	// turn it keeps this many, while senders hear of all. 0 means 16.
	Notes int
}

// of gives what is done about a fault.
func (p *Policy) of(f Fault) Do {
	switch f {
	case Late:
		return p.Late
	case Malformed:
		return p.Malformed
	case BadNonce:
		return p.BadNonce
	case Illegal:
		return p.Illegal
	case Oversized:
		return p.Oversized
	case Unreachable:
		return p.Unreachable
	case Disconnected:
		return p.Disconnected
	case BadProtocol:
		return p.BadProtocol
	case Stale:
		return DoReject
	}
	return DoVoid
}

func (p *Policy) notes() int {
	if p.Notes == 0 {
		return 16
	}
	return p.Notes
}

// pause is how long to wait before the nth retry of a turn, n from 1.
func (p *Policy) pause(n int) Time {
	d := p.Pause
	for range min(n-1, 40) {
		if d >= 24*time.Hour || p.PauseMax > 0 && d >= p.PauseMax {
			break
		}
		d *= 2
	}
	if p.PauseMax > 0 {
		d = min(d, p.PauseMax)
	}
	return ms(d)
}

// policyFaults are the faults that a policy decides about, in record order.
var policyFaults = [...]Fault{Late, Malformed, BadNonce, Illegal, Oversized, Unreachable, Disconnected, BadProtocol}

// Validate reports one error for each bad field: consequences that would keep
// a match waiting for ever, and those that need safe defaults where the game
// has none.
func (p *Policy) Validate(c *Clock, defaults bool) error {
	if *p == (Policy{}) {
		return nil
	}
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("policy.%s: %s", field, fmt.Sprintf(format, args...)))
	}
	if len(p.Name) > 64 {
		bad("name", "longer than 64 bytes")
	}
	for _, f := range policyFaults {
		do := p.of(f)
		switch {
		case do >= doCount:
			bad(f.String(), "%d is no consequence", do)
		case do == DoStrike && p.Strikes == 0:
			bad(f.String(), "strike needs a limit of strikes, or the match never ends")
		case (do == DoDefault || do == DoEliminate) && !defaults:
			bad(f.String(), "%v needs a game with safe defaults", do)
		}
	}
	if p.Late == DoReject {
		bad("late", "a late answer cannot be rejected and waited for: the match never ends")
	}
	if p.Disconnected == DoReject && c.Back != 0 {
		bad("disconnected", "reject needs a clock whose back is 0")
	}
	if p.Strikes < 0 {
		bad("strikes", "%d is negative", p.Strikes)
	}
	switch p.Out {
	case DoForfeit:
	case DoEliminate:
		if !defaults {
			bad("out", "eliminate needs a game with safe defaults")
		}
	default:
		bad("out", "%v is neither forfeit nor eliminate", p.Out)
	}
	for _, f := range []struct {
		name string
		d    time.Duration
	}{{"pause", p.Pause}, {"pause_max", p.PauseMax}} {
		if f.d < 0 || f.d%time.Millisecond != 0 {
			bad(f.name, "%v is not a whole, non-negative number of milliseconds", f.d)
		}
	}
	if p.Notes < 0 || p.Notes > 1000 {
		bad("notes", "%d is not in 0 to 1000", p.Notes)
	}
	return errors.Join(errs...)
}
