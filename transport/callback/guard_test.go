package callback

import (
	"errors"
	"net/netip"
	"testing"
)

// refused are addresses that no agent may have, loopback ones aside.
var refused = []string{
	"0.0.0.0", "0.1.2.3", // this network
	"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", // private
	"100.64.0.1", "100.100.100.200", "100.127.255.255", // carrier-grade NAT, metadata of one cloud in it
	"169.254.169.254", "169.254.0.1", // link-local, metadata
	"168.63.129.16",            // Azure's platform
	"192.0.0.192", "192.0.0.1", // protocol assignments, metadata of another cloud
	"192.0.2.1", "198.51.100.7", "203.0.113.9", // documentation
	"192.88.99.1", "198.18.0.1", "198.19.255.255", // relay anycast, benchmarks
	"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", // multicast, reserved, broadcast
	"::",                                        // unspecified
	"::8.8.8.8", "::7f00:1", "::ffff:0:8.8.8.8", // IPv4-compatible, IPv4-translated
	"::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:100.64.0.1", "::ffff:169.254.169.254", // IPv4-mapped
	"64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", // NAT64
	"100::1",                                                                 // discard
	"2001::1", "2001:0:53aa:64c::1", "2001:10::1", "2001:20::1", "2001:2::1", // Teredo, ORCHID, benchmarks
	"2001:db8::1", "3fff::1", // documentation
	"2002:7f00:1::", "2002:808:808::1", // 6to4
	"3ffe::1",                             // 6bone
	"5f00::1",                             // segment routing
	"fc00::1", "fd00:ec2::254", "fdff::1", // unique local, metadata
	"fe80::1", "fe80::1%eth0", "fec0::1", // link-local, site-local
	"ff02::1", "ff0e::1", // multicast
}

var loopback = []string{"127.0.0.1", "127.255.255.254", "::1"}

var public = []string{"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1", "168.63.129.17", "2606:4700::1111", "2a00:1450::1"}

func TestGuard(t *testing.T) {
	for _, allow := range []bool{false, true} {
		g := newGuard(allow, nil)
		for _, a := range refused {
			if err := g.check(netip.MustParseAddr(a)); !errors.Is(err, ErrAddress) {
				t.Errorf("loopback %v: %s: %v", allow, a, err)
			}
		}
		for _, a := range loopback {
			if err := g.check(netip.MustParseAddr(a)); (err == nil) != allow || err != nil && !errors.Is(err, ErrAddress) {
				t.Errorf("loopback %v: %s: %v", allow, a, err)
			}
		}
		for _, a := range public {
			if err := g.check(netip.MustParseAddr(a)); err != nil {
				t.Errorf("loopback %v: %s: %v", allow, a, err)
			}
		}
		if err := g.check(netip.Addr{}); !errors.Is(err, ErrAddress) {
			t.Errorf("no address at all: %v", err)
		}
	}
}

// TestControl checks the check at the socket.
func TestControl(t *testing.T) {
	g := newGuard(false, nil)
	for _, c := range []struct {
		network, address string
		ok               bool
	}{
		{"tcp4", "8.8.8.8:443", true},
		{"tcp6", "[2606:4700::1111]:443", true},
		{"tcp4", "127.0.0.1:443", false},
		{"tcp6", "[::1]:443", false},
		{"tcp6", "[::ffff:8.8.8.8]:443", false},
		{"udp4", "8.8.8.8:443", false},
		{"unix", "/run/x.sock", false},
		{"tcp4", "example.com:443", false},
		{"tcp4", "", false},
	} {
		if err := g.control(c.network, c.address, nil); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrAddress) {
			t.Errorf("%s %s: %v", c.network, c.address, err)
		}
	}
}

// TestDeny checks the host's own list, IPv4 also in IPv6 clothes.
func TestDeny(t *testing.T) {
	g := newGuard(true, []netip.Prefix{
		netip.MustParsePrefix("8.8.8.0/24"), netip.MustParsePrefix("2606:4700::/32"), netip.PrefixFrom(netip.MustParseAddr("::ffff:9.9.9.0"), 120),
	})
	for a, ok := range map[string]bool{"8.8.8.8": false, "8.8.9.8": true, "2606:4700::1": false, "2606:4701::1": true, "9.9.9.9": false, "9.9.8.9": true, "127.0.0.1": true} {
		if err := g.check(netip.MustParseAddr(a)); (err == nil) != ok {
			t.Errorf("%s: %v", a, err)
		}
	}
}

func TestAlternate(t *testing.T) {
	var in []netip.Addr
	for _, a := range []string{"2a00::1", "2a00::2", "2a00::3", "1.0.0.1", "1.0.0.2", "2a00::4", "2a00::5", "2a00::6", "2a00::7"} {
		in = append(in, netip.MustParseAddr(a))
	}
	got := alternate(in)
	want := []string{"2a00::1", "1.0.0.1", "2a00::2", "1.0.0.2", "2a00::3", "2a00::4", "2a00::5", "2a00::6"}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i].String() != want[i] {
			t.Errorf("place %d: %v, want %s", i, got[i], want[i])
		}
	}
	if got := alternate(in[:1]); len(got) != 1 || got[0] != in[0] {
		t.Errorf("one address gave %v", got)
	}
}
