package callback

import (
	"context"
	"errors"
	"net"
	"syscall"
)

// ours tells whether the host's own resolver or network is why a connection
// could not be made. An agent chooses what its name servers and addresses do,
// so where the failure could be either side's, the canary decides.
func (t *Transport) ours(err error) bool {
	for _, e := range [...]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.ENETDOWN} {
		if errors.Is(err, e) {
			return true
		}
	}
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, errors.Is(err, ErrAddress):
		return false
	case errors.Is(err, ErrResolve), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		// Not under the request's context: the answer counts even where the request is about to close.
		ctx, cancel := context.WithTimeout(context.Background(), lookupTime)
		defer cancel()
		return t.o.Healthy(ctx) != nil
	}
	return false
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
