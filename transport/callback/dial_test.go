package callback_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

func clientTLS(roots *x509.CertPool) *tls.Config { return &tls.Config{RootCAs: roots} }

func insecure() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// rebound plays a match of an agent whose name is public when it registers and
// then has another address. It counts what was dialled.
func rebound(t *testing.T, then string, o callback.Options) (faults []string, es []callback.Event, dialled int32) {
	t.Helper()
	var got events
	var n atomic.Int32
	o.Resolver = resolver(map[string][]lookup{"turn.example": {{addrs: []string{"1.1.1.1"}}, {addrs: []string{then}}}})
	o.Observe = got.add
	o.Dial = func(context.Context, string, string) (net.Conn, error) {
		n.Add(1)
		return nil, syscall.ECONNREFUSED
	}
	tr := newTransport(t, o)
	r, faults := played(t, setupFor(t, "m", "turn"), seat(t, tr, "turn", "https://turn.example/play"))
	if r.Cause != referee.CauseForfeit || r.Seats[0].Strikes != 3 {
		t.Errorf("got %v with %d strikes", r.Cause, r.Seats[0].Strikes)
	}
	return faults, got.all(), n.Load()
}

func wantRefused(t *testing.T, faults []string, es []callback.Event, dialled int32) {
	t.Helper()
	if want := slices.Repeat([]string{"unreachable: refused_address"}, 3); !slices.Equal(faults, want) {
		t.Errorf("faults %q", faults)
	}
	if dialled != 0 {
		t.Errorf("%d connections were tried", dialled)
	}
	for i, e := range es {
		if e.Stage != callback.StageResolve || !errors.Is(e.Err, callback.ErrAddress) || e.Fault != referee.Unreachable {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if len(es) != 3 {
		t.Errorf("%d events", len(es))
	}
}

// TestRebinding is a report from elsewhere: ways round the filter of addresses.
func TestRebinding(t *testing.T) {
	t.Run("B87", func(t *testing.T) {
		t.Run("redirect", func(t *testing.T) {
			url := serve(t, http.RedirectHandler("http://169.254.169.254/", http.StatusFound))
			var got events
			tr := newTransport(t, practice(&got))
			_, faults := played(t, setupFor(t, "m", "r"), seat(t, tr, "r", url))
			if want := slices.Repeat([]string{"bad_protocol: redirect 302"}, 3); !slices.Equal(faults, want) {
				t.Errorf("faults %q", faults)
			}
		})
		t.Run("second lookup", func(t *testing.T) {
			faults, es, dialled := rebound(t, "127.0.0.1", callback.Options{})
			wantRefused(t, faults, es, dialled)
		})
		t.Run("mapped", func(t *testing.T) {
			faults, es, dialled := rebound(t, "::ffff:100.64.0.1", callback.Options{})
			wantRefused(t, faults, es, dialled)
			tr := newTransport(t, callback.Options{AllowHTTP: true, AllowLoopback: true})
			if err := tr.Register(t.Context(), referee.Agent{Slug: "a"}, "https://[::ffff:100.64.0.1]/"); !errors.Is(err, callback.ErrAddress) {
				t.Errorf("at registration: %v", err)
			}
		})
	})
	for _, then := range []string{"10.0.0.1", "169.254.169.254", "168.63.129.16", "fd00:ec2::254", "64:ff9b::a00:1", "0.0.0.0"} {
		t.Run(then, func(t *testing.T) {
			faults, es, dialled := rebound(t, then, callback.Options{AllowLoopback: true, AllowHTTP: true})
			wantRefused(t, faults, es, dialled)
		})
	}
}

// TestUnreachable is about whose failure it is when a connection cannot be made.
func TestUnreachable(t *testing.T) {
	public := lookup{addrs: []string{"1.1.1.1"}}
	servfail := lookup{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	gone := lookup{err: &net.DNSError{Err: "no such host", IsNotFound: true}}
	op := func(e error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: e} }
	for _, c := range []struct {
		name    string
		agent   lookup // from the second lookup on
		canary  []lookup
		dial    error
		healthy func(context.Context) error
		want    string // "": void
	}{
		{"no such name", gone, nil, nil, nil, "unreachable: resolve"},
		{"no such name, whatever our own does", gone, []lookup{servfail}, nil, nil, "unreachable: resolve"},
		{"no address", lookup{}, nil, nil, nil, "unreachable: resolve"},
		{"their servers fail", servfail, []lookup{public}, nil, nil, "unreachable: resolve"},
		{"their servers fail, our name is unknown", servfail, []lookup{gone}, nil, nil, "unreachable: resolve"},
		{"our resolver fails", servfail, []lookup{servfail}, nil, nil, ""},
		{"their servers fail, says the host", servfail, []lookup{servfail}, nil, func(context.Context) error { return nil }, "unreachable: resolve"},
		{"our network fails, says the host", public, []lookup{public}, op(syscall.ENETUNREACH), func(context.Context) error { return errors.New("down") }, ""},
		{"refused", public, nil, op(syscall.ECONNREFUSED), nil, "unreachable: connect"},
		{"reset", public, nil, op(syscall.ECONNRESET), nil, "unreachable: connect"},
		{"no route to them", public, []lookup{public}, op(syscall.ENETUNREACH), nil, "unreachable: connect"},
		{"no route at all", public, []lookup{servfail}, op(syscall.EHOSTUNREACH), nil, ""},
		{"out of files", public, []lookup{public}, op(syscall.EMFILE), nil, ""},
		{"no IPv6 here", lookup{addrs: []string{"2606:4700::1111"}}, []lookup{public}, op(syscall.EADDRNOTAVAIL), nil, "unreachable: connect"},
		{"no IPv6 in this kernel", lookup{addrs: []string{"2606:4700::1111"}}, []lookup{public}, op(syscall.EAFNOSUPPORT), nil, "unreachable: connect"},
		{"no address here, and no names", public, []lookup{servfail}, op(syscall.EADDRNOTAVAIL), nil, ""},
		{"out of ports, says the host", public, []lookup{public}, op(syscall.EADDRNOTAVAIL), func(context.Context) error { return errors.New("no ports") }, ""},
		{"an interface is down on their way", public, []lookup{public}, op(syscall.ENETDOWN), nil, "unreachable: connect"},
		{"interface down", public, []lookup{servfail}, op(syscall.ENETDOWN), nil, ""},
		{"filtered on our side", public, []lookup{public}, op(syscall.EPERM), nil, "unreachable: connect"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTransport(t, callback.Options{
				Resolver: resolver(map[string][]lookup{"agent.example": {public, c.agent}, "arena.example": c.canary}),
				Dial:     func(context.Context, string, string) (net.Conn, error) { return nil, c.dial },
				Healthy:  c.healthy,
			})
			r, faults := played(t, setupFor(t, "m", "a"), seat(t, tr, "a", "https://agent.example/"))
			if c.want == "" {
				if r.Cause != referee.CauseVoid || r.Rated() || r.Seats[0].Strikes != 0 {
					t.Errorf("got %v, faults %q", r.Cause, faults)
				}
				return
			}
			if r.Cause != referee.CauseForfeit || !slices.Equal(faults, slices.Repeat([]string{c.want}, 3)) {
				t.Errorf("got %v, faults %q", r.Cause, faults)
			}
		})
	}
}

// TestLiteralReplay is a host without a name of its own: failures that could be
// either side's are its own.
func TestLiteralReplay(t *testing.T) {
	servfail := lookup{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	tr := newTransport(t, callback.Options{
		ReplayURL: "http://127.0.0.1:8080/{match_id}",
		Resolver:  resolver(map[string][]lookup{"agent.example": {{addrs: []string{"1.1.1.1"}}, servfail}}),
	})
	r, _ := played(t, setupFor(t, "m", "a"), seat(t, tr, "a", "https://agent.example/"))
	if r.Cause != referee.CauseVoid {
		t.Errorf("got %v", r.Cause)
	}
}

// TestNetworkDialer uses the real dialer: the check at the socket is in place.
func TestNetworkDialer(t *testing.T) {
	url := serve(t, good(t))
	_, port, _ := net.SplitHostPort(url[len("http://"):])
	names := resolver(map[string][]lookup{"agent.example": {{addrs: []string{"127.0.0.1"}}}})
	tr := newTransport(t, callback.Options{AllowHTTP: true, AllowLoopback: true, Resolver: names})
	r, faults := played(t, setupFor(t, "m", "a"), seat(t, tr, "a", "http://agent.example:"+port+"/"))
	if r.Cause != referee.CausePlay || len(faults) != 0 {
		t.Errorf("got %v, faults %q", r.Cause, faults)
	}
	if n := names.n["agent.example"]; n != 2 {
		t.Errorf("looked up %d times: once to register and once to connect were enough", n)
	}
}

// TestClosedPort is a connection that nobody takes.
func TestClosedPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	var got events
	tr := newTransport(t, practice(&got))
	_, faults := played(t, setupFor(t, "m", "a"), seat(t, tr, "a", url))
	if !slices.Equal(faults, slices.Repeat([]string{"unreachable: connect"}, 3)) {
		t.Errorf("faults %q", faults)
	}
	for i, e := range got.all() {
		if e.Stage != callback.StageConnect || e.Err == nil || e.Status != 0 || e.Closed || e.Match != "m" || e.Agent != "a" || e.Ask != int32(i+1) || e.Strikes != i {
			t.Errorf("event %d: %+v", i, e)
		}
	}
}
