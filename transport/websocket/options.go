package websocket

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"time"

	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/transport"
)

// Pace allows so many things a second in the long run, and Burst of them at once
// after a rest. The zero Pace is a default.
type Pace struct {
	PerSecond float64
	Burst     int
}

// Options configure a Transport. Only Auth has no default.
type Options struct {
	// Auth says whose a key is. Required.
	Auth transport.Authenticator

	// Origins are the sites whose pages may connect from a browser, besides that of
	// the host itself: patterns of path.Match for "example.com" or, with the
	// scheme, "https://*.example.com". nil: none. What is no browser sends no Origin
	// and needs none.
	Origins []string
	// Source names what a connection comes from, for the limits of those who
	// have not shown a key. nil: the address of the other side, for IPv6 its /64. A
	// host behind a proxy takes it from what that proxy sets and no client can.
	Source func(*http.Request) string

	// Ping is the time between pings, 1 s to 5 min. 0: 15 s.
	Ping time.Duration
	// HelloTimeout is the time for a first hello, WriteTimeout for a write to end;
	// both up to a minute. 0: 10 s.
	HelloTimeout, WriteTimeout time.Duration

	// Seats is how many seats of matches at play an agent may have: Player refuses more
	// with [ErrBusyAgent], but for matches that are recovered. 0: 1024.
	Seats int
	// Connections is how many there may be in all, Strangers how many of them without
	// a key yet, and StrangersPerSource that from one source. 0: 16384, 1024 and 32.
	Connections, Strangers, StrangersPerSource int
	// Connects is the pace of connections of one key, 0: 2 a second and 20 at once.
	// Messages is that of the messages of one key; each 4096 bytes of one count as another,
	// and one response to each request that was sent does not count.
	// 0: 50 and 200. Failures is that of failed attempts from one source, by a
	// key that counts for nothing or by saying nothing; 0: 1 and 20.
	Connects, Messages, Failures Pace

	// Observe is told of each connection that was refused, opened or closed, from
	// many goroutines. It must be quick. nil: nobody is told.
	Observe func(Event)
}

// validate gives one error for each bad field.
func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("websocket: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if o.Auth == nil {
		bad("Auth", "required")
	}
	for i, p := range o.Origins {
		if _, err := path.Match(p, ""); err != nil || p == "" {
			bad(fmt.Sprintf("Origins[%d]", i), "%q is no pattern", p)
		}
	}
	if o.Ping != 0 && (o.Ping < time.Second || o.Ping > 5*time.Minute) {
		bad("Ping", "%v is not in 1s to 5m", o.Ping)
	}
	for _, d := range []struct {
		field string
		d     time.Duration
	}{{"HelloTimeout", o.HelloTimeout}, {"WriteTimeout", o.WriteTimeout}} {
		if d.d < 0 || d.d > time.Minute {
			bad(d.field, "%v is not in 0 to 1m", d.d)
		}
	}
	for _, n := range []struct {
		field string
		n     int
	}{{"Seats", o.Seats}, {"Connections", o.Connections}, {"Strangers", o.Strangers}, {"StrangersPerSource", o.StrangersPerSource}} {
		if n.n < 0 {
			bad(n.field, "%d is negative", n.n)
		}
	}
	for _, p := range []struct {
		field string
		p     Pace
		least int
	}{{"Connects", o.Connects, 1}, {"Messages", o.Messages, mostTokens}, {"Failures", o.Failures, 1}} {
		if p.p != (Pace{}) && (!(p.p.PerSecond > 0 && p.p.PerSecond <= 1e9) || p.p.Burst < p.least) {
			bad(p.field, "%v a second is not over 0 to 1e9, or %d at once is less than %d", p.p.PerSecond, p.p.Burst, p.least)
		}
	}
	return errors.Join(errs...)
}

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Source == nil {
		o.Source = func(r *http.Request) string { return web.Source(r) }
	}
	or(&o.Ping, 15*time.Second)
	or(&o.HelloTimeout, 10*time.Second)
	or(&o.WriteTimeout, 10*time.Second)
	or(&o.Seats, 1024)
	or(&o.Connections, 16384)
	or(&o.Strangers, 1024)
	or(&o.StrangersPerSource, 32)
	or(&o.Connects, Pace{2, 20})
	or(&o.Messages, Pace{50, 200})
	or(&o.Failures, Pace{1, 20})
}

func or[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
