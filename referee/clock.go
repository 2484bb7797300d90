package referee

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Time is a moment, counted in milliseconds from 1970-01-01 UTC. The lines of a
// record count from its start event instead.
type Time int64

const never = Time(math.MaxInt64)

// ms gives a duration in milliseconds, rounded down.
func ms(d time.Duration) Time { return Time(d / time.Millisecond) }

// add is t+d that stays below never. d is not negative.
func (t Time) add(d Time) Time {
	if t > 0 && d >= never-t {
		return never - 1
	}
	return min(t+d, never-1)
}

// duration gives a span of time, at most what a Duration holds.
func (t Time) duration() time.Duration { return millis(int64(t)) }

// Starts says when the clock of a request starts to run.
type Starts uint8

const (
	// AtOpen starts the clock as the request opens, with the event before it on record.
	AtOpen Starts = iota
	// AtSent waits for the transport to say that it sends: [Seat.Sent]. A request
	// that is never sent is ended by Expiry alone.
	AtSent
)

// Clock says how much time one seat has. The zero Clock sets no limit at all,
// which suits trusted players in the same process. Every duration is a whole
// number of milliseconds, zero or more.
type Clock struct {
	// Move is the time for one request. 0: no such limit.
	Move time.Duration
	// Base is the seat's budget over the whole match, to which Increment is
	// added after each of its moves (Fischer). Base 0: no budget. Base alone is
	// a budget for the whole match.
	Base, Increment time.Duration
	// Grace is how long after its deadline an answer still counts, because
	// networks take time. Agents are not told of it and no budget pays for it.
	Grace time.Duration
	// Expiry ends the whole match this long after its start, whether or not the
	// host was up all the time.
	// The smallest one of all seats counts. 0: no such limit.
	Expiry time.Duration
	// Starts says when the clock of a request starts.
	Starts Starts
	// Warn asks for a warning this long before a deadline, for requests with a
	// limit of at least WarnFrom and of more than Warn. 0: no warnings.
	Warn, WarnFrom time.Duration
	// Back is the time in which an agent that went away must return, or it is a
	// Disconnected fault. 0: only its move clock and budget bound the absence.
	Back time.Duration
}

// Validate reports one error for each bad field.
func (c *Clock) Validate() error {
	if *c == (Clock{}) {
		return nil
	}
	var errs []error
	for _, f := range []struct {
		name string
		d    time.Duration
	}{
		{"move", c.Move}, {"base", c.Base}, {"increment", c.Increment}, {"grace", c.Grace}, {"expiry", c.Expiry},
		{"warn", c.Warn}, {"warn_from", c.WarnFrom}, {"back", c.Back},
	} {
		switch {
		case f.d < 0:
			errs = append(errs, fmt.Errorf("clock.%s: %v is negative", f.name, f.d))
		case f.d%time.Millisecond != 0:
			errs = append(errs, fmt.Errorf("clock.%s: %v is not a whole number of milliseconds", f.name, f.d))
		}
	}
	if c.Increment > 0 && c.Base == 0 {
		errs = append(errs, errors.New("clock.increment: needs a base"))
	}
	if c.Starts > AtSent {
		errs = append(errs, fmt.Errorf("clock.starts: %d is unknown", c.Starts))
	}
	if c.Starts == AtSent && c.Expiry == 0 && c.Move+c.Base > 0 {
		errs = append(errs, errors.New("clock.expiry: a clock that starts when a request is sent needs one, or a request that is never sent never ends"))
	}
	return errors.Join(errs...)
}
