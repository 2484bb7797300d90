package callback

import (
	"context"
	"errors"
	"net"
	"slices"
	"syscall"
)

// blame is whose a failure is.
type blame uint8

const (
	theirs blame = iota
	unsure
	our
)

// own are failures of this machine, whatever it connects to.
var own = [...]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM}

// local are failures of this machine at addresses of some kind, or at one: an
// agent that has such an address may have it for that very reason.
var local = [...]error{
	syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ENETDOWN, syscall.EADDRNOTAVAIL,
	syscall.EAFNOSUPPORT, syscall.EPROTONOSUPPORT, syscall.EACCES, syscall.EPERM,
}

// ours tells whether the host's own resolver or network is why a connection
// could not be made. An agent chooses what its name servers and addresses do,
// so where the failure could be either side's, the canary decides.
func (t *Transport) ours(err error) bool {
	switch whose(err) {
	case our:
		return true
	case unsure:
		// Not under the request's context: the answer counts even where the request is about to close.
		ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
		defer cancel()
		return t.o.Healthy(ctx) != nil
	}
	return false
}

func whose(err error) blame {
	is := func(e error) bool { return errors.Is(err, e) }
	var dns *net.DNSError
	if tried, ok := err.(dialError); ok {
		return whoseAll(tried)
	}
	switch {
	case is(ErrAddress), errors.As(err, &dns) && dns.IsNotFound:
		return theirs
	case slices.ContainsFunc(own[:], is):
		return our
	case is(ErrResolve), slices.ContainsFunc(local[:], is):
		return unsure
	}
	return theirs
}

// whoseAll is whose failure it is that no address worked: the agent's, if one of
// them failed by its own doing.
func whoseAll(tried dialError) blame {
	worst := unsure
	for _, err := range tried {
		switch whose(err) {
		case theirs:
			return theirs
		case our:
			worst = our
		}
	}
	return worst
}

// canary looks up a name of the host's own.
func (t *Transport) canary(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		if !isName(name) {
			return errors.New("callback: no name of our own to try")
		}
		_, err := t.o.Resolver.LookupNetIP(ctx, "ip", name+".")
		if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
			return nil // somebody answered
		}
		return err
	}
}
