package lease

import (
	"errors"
	"fmt"
	"time"
)

// Options configure a Lease. The zero value shares one hold within this process.
// Processes that share a store use the same Options.
type Options struct {
	// Store keeps who holds the lease and who waits. nil: a [Memory] of its own.
	Store Store
	// Holders is how many may compute at a time, 1 to 1024. 0: 1.
	Holders int
	// Bound is how long a hold lasts at most, however it is renewed: up to an hour.
	// Whoever needs more claims again for the rest. 0: 30 s.
	Bound time.Duration
	// TTL is how long a process may be silent before its holds and places are
	// free, 100 ms to 1 h. 0: 10 s.
	TTL time.Duration
	// Poll is how often the store is looked at while somebody waits, for what
	// other processes have done, 1 ms to TTL/2. 0: 50 ms.
	Poll time.Duration
	// Patience lets a claim that has waited so long go before all that have not,
	// whatever the classes; of several the oldest. 0: classes are never passed over.
	Patience time.Duration
	// Queue is how many claims may wait, and PerAccount how many of one account;
	// more are refused with [ErrFull]. 0: 64 and 16. At most 4096.
	Queue, PerAccount int
	// Failed is told when the store begins to fail, by its error, and by nil when it
	// answers again. It must be quick and call nothing of the Lease. nil: nobody is.
	Failed func(error)
	// Now gives the time of day, which the processes of a host share. nil: time.Now.
	Now func() time.Time
}

const (
	maxHolders  = 1024
	maxQueue    = 4096
	maxDuration = time.Hour
)

// validate gives one error for each bad field.
func (o *Options) validate() error {
	var errs []error
	number := func(field string, value, most int) {
		if value < 0 || value > most {
			errs = append(errs, fmt.Errorf("lease: %s: %d is not in 0 to %d", field, value, most))
		}
	}
	duration := func(field string, value, least, most time.Duration) {
		if value != 0 && (value < least || value > most) {
			errs = append(errs, fmt.Errorf("lease: %s: %v is not in %v to %v", field, value, least, most))
		}
	}
	number("Holders", o.Holders, maxHolders)
	number("Queue", o.Queue, maxQueue)
	number("PerAccount", o.PerAccount, maxQueue)
	duration("Bound", o.Bound, time.Millisecond, maxDuration)
	duration("TTL", o.TTL, 100*time.Millisecond, maxDuration)
	ttl := o.TTL
	if ttl == 0 {
		ttl = defaultTTL
	}
	duration("Poll", o.Poll, time.Millisecond, ttl/2)
	duration("Patience", o.Patience, time.Millisecond, 24*time.Hour)
	return errors.Join(errs...)
}

const defaultTTL = 10 * time.Second

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Store == nil {
		o.Store = new(Memory)
	}
	if o.Holders == 0 {
		o.Holders = 1
	}
	if o.Bound == 0 {
		o.Bound = 30 * time.Second
	}
	if o.TTL == 0 {
		o.TTL = defaultTTL
	}
	if o.Poll == 0 {
		o.Poll = min(50*time.Millisecond, o.TTL/2)
	}
	if o.Queue == 0 {
		o.Queue = 64
	}
	if o.PerAccount == 0 {
		o.PerAccount = 16
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}
