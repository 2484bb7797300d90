package callback

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// maxURL bounds the bytes of a URL, maxName those of a name in it (RFC 1035).
const (
	maxURL  = 2048
	maxName = 253
)

var (
	// ErrURL is wrapped by the errors about URLs that no agent may have.
	ErrURL = errors.New("callback: not a URL for an agent")
	// ErrAddress is wrapped by the errors about addresses that no agent may have.
	ErrAddress = errors.New("callback: not a public address")
	// ErrResolve is wrapped by the errors about names that have no address.
	ErrResolve = errors.New("callback: the name cannot be resolved")
)

func badURL(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrURL, fmt.Sprintf(format, args...))
}

// parseURL reads an agent's URL and checks what can be checked without the network.
func (t *Transport) parseURL(raw string) (*url.URL, error) {
	switch {
	case len(raw) > maxURL:
		return nil, badURL("longer than %d bytes", maxURL)
	case strings.IndexFunc(raw, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' }) >= 0:
		return nil, badURL("only printable ASCII without spaces and backslashes; write other characters percent-encoded, names in Punycode")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, badURL("cannot be read; https://name/path is wanted")
	}
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, badURL("its scheme is not https; https://name/path is wanted")
	case u.Scheme == "http" && !t.o.AllowHTTP:
		return nil, badURL("http is refused; use https")
	case u.Opaque != "" || u.Hostname() == "":
		return nil, badURL("it has no host")
	case u.User != nil:
		return nil, badURL("it holds user information")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, badURL("it has a fragment")
	}
	if err := t.checkPort(u); err != nil {
		return nil, err
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil {
		return u, t.guard.check(a)
	}
	return u, checkName(u.Hostname())
}

// checkPort keeps requests away from the ports of other services.
func (t *Transport) checkPort(u *url.URL) error {
	port := u.Port()
	if port == "" {
		if strings.HasSuffix(u.Host, ":") {
			return badURL("its port is empty")
		}
		return nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n < 1024 && n != 443 && !(n == 80 && t.o.AllowHTTP) {
		return badURL("its port is neither 443 nor 1024 or above")
	}
	return nil
}

// checkName takes names of letters, digits and hyphens. Hosts that some
// resolvers read as IPv4 addresses (2130706433, 0x7f.1, 0177.0.0.1) are
// refused: those end in a number, as no name does (WHATWG URL, "ends in a number").
func checkName(host string) error {
	if len(host) > maxName {
		return badURL("its name is longer than %d bytes", maxName)
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		ok := l != "" && len(l) <= 63 && l[0] != '-' && l[len(l)-1] != '-'
		for i := 0; i < len(l); i++ {
			c := l[i] | 0x20
			ok = ok && (c >= 'a' && c <= 'z' || l[i] >= '0' && l[i] <= '9' || l[i] == '-' || l[i] == '_')
		}
		if !ok {
			return badURL("its host is neither a name nor an address")
		}
	}
	last := strings.ToLower(labels[len(labels)-1])
	if digits := strings.Trim(last, "0123456789") == ""; digits || strings.HasPrefix(last, "0x") {
		return badURL("its host is a number; write addresses as four decimal numbers")
	}
	return nil
}
