package polling

import (
	"net/http"
	"net/netip"
	"time"
)

// pace is when a match was looked at while the opponent thought. The zero value
// is ready; the caller sees to it that one goroutine at a time uses it.
type pace struct {
	revision int32
	looked   time.Time
}

// look says how long a look at a match is too early, 0 where it is not: its
// opponent thinks about its answer to a revision. The first look at each revision
// is never too early, and a look that was refused does not count.
func (p *pace) look(now time.Time, every time.Duration, revision int32) time.Duration {
	panic("not yet")
}

// throttle bounds the requests of many, each by its name. Safe for concurrent use.
type throttle struct{}

// newThrottle keeps at most so many in mind.
func newThrottle(r Rate, tracked int) *throttle { panic("not yet") }

// take says how long to wait with a request, 0 where it is granted; one that is
// not granted does not count.
func (t *throttle) take(now time.Time, who string) time.Duration { panic("not yet") }

// source gives the name of where a request comes from: the address of the
// connection or, where that is a proxy of the host's, the one that the proxy tells; of IPv6 its /64.
func source(r *http.Request, proxies []netip.Prefix) string { panic("not yet") }

// retryAfter gives the seconds of a Retry-After header: rounded up, and at least 1.
func retryAfter(wait time.Duration) int { panic("not yet") }
