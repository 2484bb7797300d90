package polling

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// Limits are what a host lets agents do. The zero value is what the Grid arena
// promises at most; a number may be lower or, for hosts with the machines for it,
// higher. Days are those of UTC.
type Limits struct {
	Starts      int // of an account in a day. 0: 2
	Active      int // matches of an account at a time. 0: 1
	ActiveTotal int // matches of all at a time. 0: 4
	StartsTotal int // of all in a day. 0: 12
	HeavyTotal  int // of those, against heavy opponents. 0: 2

	// Pace is how long an agent waits between two looks at a match while the
	// opponent thinks. 0: 2 s.
	Pace time.Duration
	// Account and Source bound the requests of an account, and of the network
	// address that they come from (of IPv6 the /64), duplicates among them. 0: 5
	// a second and 30 at once, and 20 a second and 100 at once.
	Account, Source Rate
	// Tracked is how many accounts, and how many sources, are kept in mind at
	// a time; beyond that the longest silent one is forgotten. 0: 10,000.
	Tracked int
	// Proxies are the addresses of the host's own reverse proxies. What they say
	// in X-Forwarded-For of where a request comes from is believed; what others
	// say is not.
	Proxies []netip.Prefix

	// Paused lets no match begin until [Admission.Resume].
	Paused bool
	// Heavy lets matches against heavy opponents begin, from the start; see
	// [Admission.AllowHeavy]. They are off by default: the host has to have the
	// machine for them.
	Heavy bool
	// Gate says whether an account may play against an opponent that is gated.
	// nil: none may. Safe for concurrent use.
	Gate func(account, opponent string) bool

	// Retention is how long a match is kept after its end, and with it the id of
	// the request that began it. 0: 30 days.
	Retention time.Duration
}

// Rate is so many requests a second, on the average, and so many at once.
type Rate struct {
	PerSecond float64
	Burst     int
}

const (
	defaultTracked   = 10_000
	maxTracked       = 1_000_000
	defaultPace      = 2 * time.Second
	defaultRetention = 30 * 24 * time.Hour
	maxRetention     = 10 * 365 * 24 * time.Hour
	maxRate          = 1e6
)

// validate gives one error for each bad field.
func (l *Limits) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("polling: Limits.%s: %s", field, fmt.Sprintf(format, args...)))
	}
	for _, f := range []struct {
		name  string
		value int
	}{
		{"Starts", l.Starts},
		{"Active", l.Active},
		{"ActiveTotal", l.ActiveTotal},
		{"StartsTotal", l.StartsTotal},
		{"HeavyTotal", l.HeavyTotal},
	} {
		if f.value < 0 {
			bad(f.name, "%d is negative", f.value)
		}
	}
	if l.Pace < 0 || l.Pace > time.Minute {
		bad("Pace", "%v is not in 0 to 1m", l.Pace)
	}
	for _, f := range []struct {
		name string
		rate Rate
	}{{"Account", l.Account}, {"Source", l.Source}} {
		if f.rate == (Rate{}) {
			continue
		}
		if !(f.rate.PerSecond > 0 && f.rate.PerSecond <= maxRate) {
			bad(f.name+".PerSecond", "%v is not over 0 and up to %v", f.rate.PerSecond, maxRate)
		}
		if f.rate.Burst < 1 || f.rate.Burst > maxRate {
			bad(f.name+".Burst", "%d is not in 1 to %v", f.rate.Burst, maxRate)
		}
	}
	if l.Tracked < 0 || l.Tracked > maxTracked {
		bad("Tracked", "%d is not in 0 to %d", l.Tracked, maxTracked)
	}
	for i, p := range l.Proxies {
		if !p.IsValid() {
			bad(fmt.Sprintf("Proxies[%d]", i), "not a valid prefix")
		}
	}
	if l.Retention < 0 || l.Retention > maxRetention {
		bad("Retention", "%v is not in 0 to %v", l.Retention, maxRetention)
	}
	return errors.Join(errs...)
}

// fill replaces zero values by their defaults.
func (l *Limits) fill() {
	number := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	number(&l.Starts, 2)
	number(&l.Active, 1)
	number(&l.ActiveTotal, 4)
	number(&l.StartsTotal, 12)
	number(&l.HeavyTotal, 2)
	number(&l.Tracked, defaultTracked)
	if l.Pace == 0 {
		l.Pace = defaultPace
	}
	if l.Account == (Rate{}) {
		l.Account = Rate{PerSecond: 5, Burst: 30}
	}
	if l.Source == (Rate{}) {
		l.Source = Rate{PerSecond: 20, Burst: 100}
	}
	if l.Retention == 0 {
		l.Retention = defaultRetention
	}
}
