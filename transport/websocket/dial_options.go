package websocket

import (
	crand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
)

// DialOptions configure a [Client]. Only Key has no default.
type DialOptions struct {
	// Key is the agent's key: 1 to [transport.MaxKey] printable ASCII characters
	// without spaces. It goes into the Authorization header of each upgrade, and
	// nowhere else. Required.
	Key string
	// Hello sends the key in a first message instead, for networks that take the
	// header away.
	Hello bool
	// AllowInsecure lets the URL be a ws one for other machines than this, which
	// shows the key to everybody on the way.
	AllowInsecure bool
	// HTTPClient makes the upgrades: its Transport has proxies and certificates.
	// Redirects are not followed, and its Timeout is not used. nil:
	// http.DefaultClient.
	HTTPClient *http.Client
	// Connect bounds each attempt, from the first packet to the welcome. 0: 15 s.
	Connect time.Duration

	// Concurrent is how many requests are thought about at once; the others wait,
	// while their clocks run. 0: 64.
	Concurrent int
	// Matches is how many seats in matches are kept in mind. Beyond that, the
	// seats that were answered longest ago are forgotten; and if there are none, a
	// new one is not served. 0: 1024.
	Matches int

	// Pause and MaxPause bound the pauses between attempts to connect: each is
	// drawn evenly between 0 and Pause, which doubles from attempt to attempt up
	// to MaxPause (full jitter), so that the agents of an arena that comes back do
	// not all come at once. An arena that asks for a longer pause gets it besides,
	// up to five minutes. At most an hour. 0: 250 ms and 10 s.
	Pause, MaxPause time.Duration
	// Attempts is how many attempts in a row may fail before Run gives up, and
	// GiveUp how long the arena may be away. A connection on which nothing but
	// errors came, and that was gone within 10 s, has failed, too. 0: no limit.
	Attempts int
	GiveUp   time.Duration
	// Rand is what pauses are drawn from, by one goroutine at a time. nil: one
	// seeded by the system.
	Rand rand.Source

	// Told is told of every message but requests, in the order in which they came:
	// the *[ludux.Welcome] of each connection, *[ludux.MatchStart],
	// *[ludux.MatchEnd], *[ludux.TimeoutWarning] and *[ludux.Error]. The start and
	// the end of a match may come again with the next connection. No frame is read
	// meanwhile, so it must be quick. nil: nobody is told.
	Told func(ludux.Message)
	// Failed is told of what went wrong but does not end Run: *[LostError] of a
	// connection, *[PlayError] of a request, and frames that are no message. From
	// many goroutines. nil: nobody is told.
	Failed func(error)
}

// String does not tell the key, so that no log does.
func (o DialOptions) String() string { return "websocket.DialOptions{...}" }

// GoString does not tell the key, so that no log does.
func (o DialOptions) GoString() string { return o.String() }

// validate gives one error for each bad field.
func (o *DialOptions) validate() error {
	var errs []error
	bad := func(field, what string) { errs = append(errs, fmt.Errorf("websocket: %s: %s", field, what)) }
	switch {
	case o.Key == "":
		bad("Key", "required")
	case len(o.Key) > transport.MaxKey:
		bad("Key", fmt.Sprintf("more than %d bytes", transport.MaxKey))
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == ',' }):
		bad("Key", "a character that is no printable ASCII, a space or a comma")
	}
	for _, f := range []struct {
		name string
		bad  bool
	}{
		{"Connect", o.Connect < 0}, {"Concurrent", o.Concurrent < 0}, {"Matches", o.Matches < 0},
		{"Attempts", o.Attempts < 0}, {"GiveUp", o.GiveUp < 0},
	} {
		if f.bad {
			bad(f.name, "is negative")
		}
	}
	for _, f := range []struct {
		name string
		d    time.Duration
	}{{"Pause", o.Pause}, {"MaxPause", o.MaxPause}} {
		if f.d < 0 || f.d > time.Hour {
			bad(f.name, fmt.Sprintf("%v is not in 0 to 1h", f.d))
		}
	}
	return errors.Join(errs...)
}

func (o *DialOptions) fill() {
	if o.HTTPClient == nil {
		o.HTTPClient = http.DefaultClient
	}
	if o.Connect == 0 {
		o.Connect = 15 * time.Second
	}
	if o.Concurrent == 0 {
		o.Concurrent = 64
	}
	if o.Matches == 0 {
		o.Matches = 1024
	}
	if o.Pause == 0 {
		o.Pause = 250 * time.Millisecond
	}
	if o.MaxPause == 0 {
		o.MaxPause = 10 * time.Second
	}
	if o.Rand == nil {
		var seed [32]byte
		crand.Read(seed[:])
		o.Rand = rand.NewChaCha8(seed)
	}
	if o.Told == nil {
		o.Told = func(ludux.Message) {}
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
}

// agentURL checks the URL of an arena.
func agentURL(address string, insecure bool) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil: // which may quote what should not be in a log
		return "", errors.New("websocket: url: cannot be read")
	case u.Scheme != "wss" && u.Scheme != "ws" || u.Host == "":
		return "", errors.New("websocket: url: not a wss URL")
	case u.User != nil:
		return "", errors.New("websocket: url: a user in it, where keys go into DialOptions.Key")
	case u.Fragment != "":
		return "", errors.New("websocket: url: a fragment in it")
	case u.Scheme == "ws" && !insecure && !loopback(u.Hostname()):
		return "", errors.New("websocket: url: ws to another machine would show the key: use wss, or AllowInsecure")
	}
	return u.String(), nil
}

// loopback reports whether a host of a URL is this machine.
func loopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}
