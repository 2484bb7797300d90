package callback

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"strings"
	"time"
)

const (
	// lookupTime bounds one lookup of ours, so that a dead resolver shows before
	// the agent's clock ends.
	lookupTime = 3 * time.Second
	// raceAfter is how long one address may keep the next one waiting (RFC 8305,
	// section 5), maxAddresses how many are tried.
	raceAfter    = 250 * time.Millisecond
	maxAddresses = 8
)

// dial connects to an agent's server, after checking its addresses.
func (t *Transport) dial(ctx context.Context, tr *trip, to *target) (*conn, error) {
	tr.stage = StageResolve
	addrs, err := t.lookup(ctx, to.host)
	if err != nil {
		return nil, err
	}
	tr.stage = StageConnect
	raw, err := t.race(ctx, alternate(addrs), to.port)
	if err != nil {
		return nil, err
	}
	if !to.tls {
		return newConn(raw, raw, to), nil
	}
	tr.stage = StageTLS
	c := t.o.TLS.Clone()
	if c.ServerName == "" {
		c.ServerName = to.host
	}
	secure := tls.Client(raw, c)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return newConn(secure, raw, to), nil
}

// lookup gives the addresses of a host, all of which agents may have.
func (t *Transport) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, t.guard.check(a)
	}
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		// RFC 6761, section 6.3: the loopback address, and no resolver is asked.
		addrs := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
		return addrs, t.guard.check(addrs[0])
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	addrs, err := t.o.Resolver.LookupNetIP(ctx, "ip", host+".")
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	if err != nil {
		return nil, &lookupError{err}
	}
	for i, a := range addrs {
		addrs[i] = a.Unmap() // resolvers give IPv4 addresses in either form
		if err := t.guard.check(addrs[i]); err != nil {
			return nil, err
		}
	}
	return addrs, nil
}

// lookupError wraps ErrResolve and the resolver's error.
type lookupError struct{ err error }

func (e *lookupError) Error() string   { return ErrResolve.Error() + ": " + e.err.Error() }
func (e *lookupError) Unwrap() []error { return []error{ErrResolve, e.err} }

// alternate orders addresses so that the families take turns, the first one's
// first, and cuts them to maxAddresses.
func alternate(addrs []netip.Addr) []netip.Addr {
	var families [2][]netip.Addr
	for _, a := range addrs {
		i := 0
		if a.Is4() != addrs[0].Is4() {
			i = 1
		}
		families[i] = append(families[i], a)
	}
	out := make([]netip.Addr, 0, len(addrs))
	for i := 0; len(out) < min(len(addrs), maxAddresses); i++ {
		for _, f := range families {
			if i < len(f) {
				out = append(out, f[i])
			}
		}
	}
	return out[:min(len(out), maxAddresses)]
}

// race connects to the addresses in turn, the next one when one failed or kept
// it waiting for raceAfter. Its error is a dialError, or the context's.
func (t *Transport) race(ctx context.Context, addrs []netip.Addr, port string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		i    int
		conn net.Conn
		err  error
	}
	results := make(chan result)
	started, ended := 0, 0
	next := func() {
		i := started
		started++
		go func() {
			conn, err := t.connect(ctx, addrs[i], port)
			select {
			case results <- result{i, conn, err}:
			case <-ctx.Done():
				if err == nil {
					conn.Close()
				}
			}
		}()
	}
	next()
	timer := time.NewTimer(raceAfter)
	defer timer.Stop()
	errs := make([]error, len(addrs))
	for ended < started {
		select {
		case r := <-results:
			ended++
			if r.err == nil {
				return r.conn, nil
			}
			errs[r.i] = r.err
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if started < len(addrs) {
			next()
			timer.Reset(raceAfter)
		}
	}
	return nil, dialError(errs)
}

// dialError is why no address of a host took a connection: an error for each
// that was tried.
type dialError []error

func (e dialError) Error() string   { return e[0].Error() }
func (e dialError) Unwrap() []error { return e }

// connect makes one connection.
func (t *Transport) connect(ctx context.Context, a netip.Addr, port string) (net.Conn, error) {
	network := "tcp4"
	if a.Is6() {
		network = "tcp6"
	}
	return t.o.Dial(ctx, network, net.JoinHostPort(a.String(), port))
}
