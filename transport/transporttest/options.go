package transporttest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/matchreferee/arena/referee"
)

// Options tune Run. The zero value makes all checks, in real time.
type Options struct {
	// Skip holds the checks that do not apply to the transport, by name, and why.
	// These can be left out, for a format may have no such thing: duplicate,
	// illegal, malformed, oversized, rejected, cancel, itself, reconnect, unknown.
	Skip map[string]string

	// Terms gives policy and clock as the transport's protocol promises them. The
	// kit takes from them when clocks start (referee.Clock.Starts), and sets
	// times and consequences by itself. nil: clocks start as requests open.
	Terms func(seats int) (referee.Policy, referee.Clock)

	// Virtual runs each check in a bubble of virtual time (package synctest), the
	// making of the Harness included, so that no deadline takes real time. It is
	// for transports that use neither sockets nor processes; net.Pipe serves HTTP
	// and WebSockets as well. Time stands still while anybody waits for a
	// sync.Mutex, so a transport that holds one for long hangs.
	Virtual bool

	// Move is the time for a request in the checks that let it pass: long enough
	// for a request to reach its agent, in whole milliseconds. 0: 500 ms, in virtual time 15 s.
	Move time.Duration

	// Patience is how long the kit waits for what must come, and so what a broken
	// transport costs; far longer than anything takes. It is the time for a request in
	// all other checks, in whole milliseconds. 0: 30 s, in virtual time an hour.
	Patience time.Duration
}

func (o *Options) validate() error {
	var errs []error
	for name, why := range o.Skip {
		i := slices.IndexFunc(checks, func(c check) bool { return c.name == name })
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("options.Skip[%q]: there is no such check", name))
		case !checks[i].optional:
			errs = append(errs, fmt.Errorf("options.Skip[%q]: it applies to every transport", name))
		case strings.TrimSpace(why) == "":
			errs = append(errs, fmt.Errorf("options.Skip[%q]: there is no reason", name))
		}
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"Move", o.Move}, {"Patience", o.Patience}} {
		if d.d < 0 || d.d%time.Millisecond != 0 {
			errs = append(errs, fmt.Errorf("options.%s: %v is no whole number of milliseconds, zero or more", d.name, d.d))
		}
	}
	return errors.Join(errs...)
}

func (o *Options) fill() {
	move, patience := 500*time.Millisecond, 30*time.Second
	if o.Virtual {
		move, patience = 15*time.Second, time.Hour
	}
	if o.Move == 0 {
		o.Move = move
	}
	if o.Patience == 0 {
		o.Patience = patience
	}
}
