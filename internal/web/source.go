package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is how many proxies of the host's a request is followed through.
const maxHops = 16

// Source gives the name of where a request comes from: the address of the
// connection or, where that is a proxy of the host's, the one that the proxy
// tells, and so on; of IPv6 its /64, which one customer has. Where there is no
// address, as behind a Unix socket, it is what stands in its place.
func Source(r *http.Request, proxies ...netip.Prefix) string {
	at, ok := address(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr
	}
	trusted := func() bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(at) })
	}
	if trusted() {
		told := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for _, text := range slices.Backward(told[max(0, len(told)-maxHops):]) {
			next, ok := address(strings.TrimSpace(text))
			if !ok {
				break
			}
			if at = next; !trusted() {
				break
			}
		}
	}
	if at.Is6() {
		network, _ := at.Prefix(64) // of 128 bits
		return network.String()
	}
	return at.String()
}

// address reads an address with or without a port.
func address(text string) (netip.Addr, bool) {
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		text = strings.TrimSuffix(inner, "]")
	}
	at, err := netip.ParseAddr(text)
	if err != nil {
		port, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		at = port.Addr()
	}
	return at.Unmap().WithZone(""), true
}
