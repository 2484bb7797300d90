package callback

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/matchreferee/arena/referee"
)

// matchID is what a template of replay URLs holds in place of a match's id.
const matchID = "{match_id}"

// Options configure a Transport. Only ReplayURL has no default; the zero value
// of the rest is the safe choice.
type Options struct {
	// ReplayURL is where people watch a match: an http or https URL with {match_id}
	// in it. agentarena/1 tells it with each request, and see Healthy. Required.
	ReplayURL string
	// Signed makes the wire format ludux/1, in requests that are signed. nil:
	// agentarena/1.
	Signed *Signed
	// URL looks up the URL of an agent that was not registered. It is checked as
	// at registration, once for each Player. nil: all agents are registered.
	URL func(context.Context, referee.Agent) (string, error)

	// AllowHTTP lets agents have http URLs (and port 80), AllowLoopback lets them
	// have loopback addresses: for practice and tests on one machine. Other
	// addresses that are not public stay refused.
	AllowHTTP, AllowLoopback bool
	// Deny holds further addresses that agents may not have, such as public ones
	// of the host's own services.
	Deny []netip.Prefix

	// Resolver looks up names. nil: net.DefaultResolver.
	Resolver Resolver
	// Dial connects to an address, "ip:port", that was looked up and checked;
	// network is tcp4 or tcp6. The context may end when it has returned. With a
	// Dial the host sends requests through a proxy of its own, and answers for
	// what that connects to. nil: the network, with the check at the socket.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS holds root certificates and the like. It is copied; InsecureSkipVerify
	// is refused. nil: the system's roots, TLS 1.2 or later.
	TLS *tls.Config
	// Healthy says whether the host's own resolver and network work. It is asked
	// only after a failure that could be either side's: a lookup that failed, but
	// not because the name does not exist, or an address that this machine cannot
	// connect from (no route, no IPv6, no port left), which the agent may have
	// chosen for that. An error makes that failure our own, which voids the match.
	// Its context has 3 s. nil: look up the host of ReplayURL; where that is an
	// address and no name, such failures count as our own.
	Healthy func(context.Context) error

	// Seats is how many seats of matches at play an agent may have, together with
	// others of the same endpoint; Player refuses more with ErrBusyAgent. An agent
	// answers one request after another, so that seats times the time for a move is
	// what each of its moves may take: a loser who is slow in many matches at once
	// could wait for them to expire. With Signed, requests go out at the same time,
	// and this is how many an agent has to deal with at once. Matches that are
	// recovered count, and are never refused. 0: 16.
	Seats int

	// MaxHeader bounds the bytes of a reply's header, 1024 to 1 MiB. 0: 8192.
	MaxHeader int64
	// MaxIdle is how many connections are kept while nobody uses them, and
	// IdleTimeout how long. Those of practice matches are kept besides, until the
	// match ends. 0: 256 and 90 s.
	MaxIdle     int
	IdleTimeout time.Duration

	// Observe is told of every request that went out, or should have, after its
	// answer was judged: from many goroutines, even for one match, and not always
	// in order. It should be quick. nil: nobody is told.
	Observe func(Event)
}

// Resolver looks up the addresses of a name; *net.Resolver is one. network is
// "ip". The name ends in a dot: it is complete, and no search list applies. An
// error should be a *net.DNSError whose IsNotFound says that the name does not
// exist. Safe for concurrent use.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// validate gives one error for each bad field.
func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("callback: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if u, err := url.Parse(strings.ReplaceAll(o.ReplayURL, matchID, "0")); o.ReplayURL == "" {
		bad("ReplayURL", "required")
	} else if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		bad("ReplayURL", "not an http or https URL")
	} else if !strings.Contains(o.ReplayURL, matchID) {
		bad("ReplayURL", "without %s", matchID)
	} else if u, _ := url.Parse(o.ReplayURL); u == nil || strings.Contains(u.Host, matchID) || len(o.ReplayURL) > maxURL {
		bad("ReplayURL", "%s in the host, or more than %d bytes", matchID, maxURL)
	}
	if o.Signed != nil && o.Signed.Secrets == nil {
		bad("Signed.Secrets", "required")
	}
	for i, p := range o.Deny {
		if !p.IsValid() {
			bad(fmt.Sprintf("Deny[%d]", i), "not a valid prefix")
		}
	}
	if o.TLS != nil && o.TLS.InsecureSkipVerify {
		bad("TLS", "InsecureSkipVerify lets anybody answer for the agent")
	}
	if o.MaxHeader != 0 && (o.MaxHeader < 1024 || o.MaxHeader > 1<<20) {
		bad("MaxHeader", "%d is not in 1024 to 1048576", o.MaxHeader)
	}
	if o.Seats < 0 {
		bad("Seats", "%d is negative", o.Seats)
	}
	if o.MaxIdle < 0 {
		bad("MaxIdle", "%d is negative", o.MaxIdle)
	}
	if o.IdleTimeout < 0 {
		bad("IdleTimeout", "%v is negative", o.IdleTimeout)
	}
	return errors.Join(errs...)
}

// fill replaces zero values by their defaults, but for those that need a Transport.
func (o *Options) fill() {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.TLS == nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	o.TLS = o.TLS.Clone()
	o.TLS.NextProtos = []string{"http/1.1"}
	if o.Seats == 0 {
		o.Seats = 16
	}
	if o.MaxHeader == 0 {
		o.MaxHeader = 8192
	}
	if o.MaxIdle == 0 {
		o.MaxIdle = 256
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = 90 * time.Second
	}
}
