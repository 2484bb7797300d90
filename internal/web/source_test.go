package web

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func TestSource(t *testing.T) {
	ours := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		remote  string
		told    []string
		proxies []netip.Prefix
		want    string
	}{
		{"203.0.113.7:4711", nil, nil, "203.0.113.7"},
		{"[::ffff:203.0.113.7]:4711", nil, nil, "203.0.113.7"},
		{"[2001:db8:1:2:3:4:5:6]:4711", nil, nil, "2001:db8:1:2::/64"},
		{"[2001:db8:1:2:ffff::1]:1", nil, nil, "2001:db8:1:2::/64"},
		{"[fe80::1%eth0]:1", nil, nil, "fe80::/64"},
		{"@", nil, nil, "@"},
		{"unix:1", nil, nil, "unix:1"},
		{"203.0.113.7:4711", []string{"198.51.100.1"}, nil, "203.0.113.7"},
		{"203.0.113.7:4711", []string{"198.51.100.1"}, ours, "203.0.113.7"},
		{"10.0.0.1:4711", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		{"10.0.0.1:4711", []string{"198.51.100.1"}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"6.6.6.6, 198.51.100.1"}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"6.6.6.6", "198.51.100.1, 10.2.3.4"}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"198.51.100.1:99, [fd00::2]:80, [fd00::3]"}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"2001:db8:1:2::1"}, ours, "2001:db8:1:2::/64"},
		{"10.0.0.1:4711", []string{"198.51.100.1, unknown"}, ours, "10.0.0.1"},
		{"10.0.0.1:4711", []string{"198.51.100.1, junk, 10.0.0.9"}, ours, "10.0.0.9"},
		{"10.0.0.1:4711", []string{""}, ours, "10.0.0.1"},
		{"10.0.0.1:4711", nil, ours, "10.0.0.1"},
		{"[fd00::1%eth0]:1", []string{"198.51.100.1"}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"198.51.100.1" + strings.Repeat(",10.0.0.2", maxHops-1)}, ours, "198.51.100.1"},
		{"10.0.0.1:4711", []string{"198.51.100.1" + strings.Repeat(",10.0.0.2", maxHops)}, ours, "10.0.0.2"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.told}}
		if got := Source(r, c.proxies...); got != c.want {
			t.Errorf("%s told %q: %s, not %s", c.remote, c.told, got, c.want)
		}
	}
}
