package callback

import (
	"fmt"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// guard decides which addresses agents may have. The base is ssrf's: the
// special-purpose registries of IANA (RFC 6890), and of IPv6 nothing outside
// 2000::/3. So NAT64, IPv4-mapped and -compatible, unique local, link-local,
// site-local and multicast addresses are refused; inside of it 6to4, Teredo and
// documentation are.
type guard struct{ g *ssrf.Guardian }

// newGuard adds to the base: Azure's platform address, which is a public one by
// its number, addresses of the former 6bone, and what the host denies.
func newGuard(loopback bool, deny []netip.Prefix) guard {
	v4 := []netip.Prefix{netip.MustParsePrefix("168.63.129.16/32")}
	v6 := []netip.Prefix{netip.MustParsePrefix("3ffe::/16")}
	for _, p := range deny {
		switch a := p.Addr(); {
		case a.Is4():
			v4 = append(v4, p)
		case a.Is4In6() && p.Bits() >= 96:
			v4 = append(v4, netip.PrefixFrom(a.Unmap(), p.Bits()-96))
		default:
			v6 = append(v6, p)
		}
	}
	opts := []ssrf.Option{ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(v4...), ssrf.WithDeniedV6Prefixes(v6...)}
	if loopback {
		opts = append(opts,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return guard{ssrf.New(opts...)}
}

// check gives an error that wraps ErrAddress for an address that agents may not have.
func (g guard) check(a netip.Addr) error {
	if !a.IsValid() || a.Zone() != "" || a.Is4In6() {
		return fmt.Errorf("%w: %v", ErrAddress, a)
	}
	if err := g.g.SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %v", ErrAddress, a)
	}
	return nil
}

// control is a net.Dialer.Control: the check of the address that the socket is
// about to connect to.
func (g guard) control(network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: %s %s", ErrAddress, network, address)
	}
	return g.check(to.Addr())
}
