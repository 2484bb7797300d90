package callback_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// web is the resolver of the registration tests.
func web() *names {
	return resolver(map[string][]lookup{
		"agent.example":      {{addrs: []string{"1.1.1.1", "2606:4700::1111"}}},
		"mapped.example":     {{addrs: []string{"::ffff:1.1.1.1"}}}, // as some resolvers write 1.1.1.1
		"private.example":    {{addrs: []string{"10.0.0.1"}}},
		"mixed.example":      {{addrs: []string{"1.1.1.1", "10.0.0.1"}}},
		"loop.example":       {{addrs: []string{"127.0.0.1"}}},
		"loop6.example":      {{addrs: []string{"::1"}}},
		"metadata.example":   {{addrs: []string{"169.254.169.254"}}},
		"maploop.example":    {{addrs: []string{"::ffff:127.0.0.1"}}},
		"nothing.example":    {{}},
		"broken.example":     {{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}},
		"xn--bcher-kva.test": {{addrs: []string{"1.1.1.1"}}},
		"localhost":          {{addrs: []string{"127.0.0.1", "::1"}}},
		"arena.example":      {{addrs: []string{"1.1.1.2"}}},
	})
}

func TestRegister(t *testing.T) {
	const (
		strict = 1 << iota // accepted without options
		http               // accepted with AllowHTTP
		loop               // accepted with AllowLoopback
	)
	all := strict | http | loop
	for _, c := range []struct {
		url  string
		ok   int   // under which of the options it is accepted
		want error // otherwise
	}{
		{"https://agent.example", all, nil},
		{"https://agent.example/", all, nil},
		{"HTTPS://AGENT.example/play?key=1&x=%20", all, nil},
		{"https://agent.example:443/play", all, nil},
		{"https://agent.example:8443/play", all, nil},
		{"https://agent.example:1024", all, nil},
		{"https://mapped.example/", all, nil},
		{"https://xn--bcher-kva.test/", all, nil},
		{"https://1.1.1.1/", all, nil},
		{"https://[2606:4700::1111]:8443/", all, nil},
		{"http://agent.example/", http, callback.ErrURL},
		{"http://agent.example:80/", http, callback.ErrURL},
		{"https://127.0.0.1/", loop, callback.ErrAddress},
		{"https://127.0.0.1:8443/", loop, callback.ErrAddress},
		{"https://[::1]:8443/", loop, callback.ErrAddress},
		{"https://loop.example/", loop, callback.ErrAddress},
		{"https://loop6.example/", loop, callback.ErrAddress},
		{"https://maploop.example/", loop, callback.ErrAddress},
		{"https://localhost:8443/", loop, callback.ErrAddress},
		{"https://[::ffff:127.0.0.1]/", 0, callback.ErrAddress},
		{"https://[::ffff:1.1.1.1]/", 0, callback.ErrAddress},
		{"https://[::ffff:7f00:1]/", 0, callback.ErrAddress},
		{"https://[::127.0.0.1]/", 0, callback.ErrAddress},
		{"https://[64:ff9b::7f00:1]/", 0, callback.ErrAddress},
		{"https://[2002:7f00:1::]/", 0, callback.ErrAddress},
		{"https://[fe80::1%25eth0]/", 0, callback.ErrAddress},
		{"https://[::]/", 0, callback.ErrAddress},
		{"https://0.0.0.0/", 0, callback.ErrAddress},
		{"https://169.254.169.254/latest/meta-data/", 0, callback.ErrAddress},
		{"https://168.63.129.16/", 0, callback.ErrAddress},
		{"https://100.64.0.1/", 0, callback.ErrAddress},
		{"https://10.1.2.3/", 0, callback.ErrAddress},
		{"https://private.example/", 0, callback.ErrAddress},
		{"https://mixed.example/", 0, callback.ErrAddress},
		{"https://metadata.example/", 0, callback.ErrAddress},
		{"https://nothing.example/", 0, callback.ErrResolve},
		{"https://unknown.example/", 0, callback.ErrResolve},
		{"https://broken.example/", 0, callback.ErrResolve},
		{"https://2130706433/", 0, callback.ErrURL},
		{"https://0x7f000001/", 0, callback.ErrURL},
		{"https://0x7f.1/", 0, callback.ErrURL},
		{"https://127.0x1/", 0, callback.ErrURL},
		{"https://0177.0.0.1/", 0, callback.ErrURL},
		{"https://127.1/", 0, callback.ErrURL},
		{"https://127.0.0.1./", 0, callback.ErrURL},
		{"https://1.2.3.4.5/", 0, callback.ErrURL},
		{"https://127.0.0.256/", 0, callback.ErrURL},
		{"https://agent.example./", 0, callback.ErrURL},
		{"https://agent..example/", 0, callback.ErrURL},
		{"https://-agent.example/", 0, callback.ErrURL},
		{"https://agent%2eexample/", 0, callback.ErrURL},
		{"https://agent.example@127.0.0.1/", 0, callback.ErrURL},
		{"https://user:pass@agent.example/", 0, callback.ErrURL},
		{"https://@agent.example/", 0, callback.ErrURL},
		{"https://agent.example/#x", 0, callback.ErrURL},
		{"https://agent.example/#", 0, callback.ErrURL},
		{"https://agent.example:22/", 0, callback.ErrURL},
		{"https://agent.example:25/", 0, callback.ErrURL},
		{"https://agent.example:0/", 0, callback.ErrURL},
		{"https://agent.example:65536/", 0, callback.ErrURL},
		{"https://agent.example:/", 0, callback.ErrURL},
		{"https://agent.example:x/", 0, callback.ErrURL},
		{"https://agent.example\\@127.0.0.1/", 0, callback.ErrURL},
		{"https://bücher.test/", 0, callback.ErrURL},
		{"https://agent.example/a b", 0, callback.ErrURL},
		{"https://agent.example/\r\nX: y", 0, callback.ErrURL},
		{"https:agent.example", 0, callback.ErrURL},
		{"https:///play", 0, callback.ErrURL},
		{"//agent.example/", 0, callback.ErrURL},
		{"agent.example/play", 0, callback.ErrURL},
		{"ftp://agent.example/", 0, callback.ErrURL},
		{"file:///etc/passwd", 0, callback.ErrURL},
		{"gopher://127.0.0.1:70/", 0, callback.ErrURL},
		{"unix:///run/docker.sock", 0, callback.ErrURL},
		{"", 0, callback.ErrURL},
		{"https://agent.example/" + strings.Repeat("a", 2048), 0, callback.ErrURL},
		{"https://" + strings.Repeat("a", 64) + ".example/", 0, callback.ErrURL},
		{"https://" + strings.Repeat("a.", 130) + "example/", 0, callback.ErrURL},
	} {
		for _, with := range []int{strict, http, loop} {
			tr := newTransport(t, callback.Options{Resolver: web(), AllowHTTP: with == http, AllowLoopback: with == loop})
			err := tr.Register(t.Context(), referee.Agent{Slug: "a"}, c.url)
			if c.ok&with != 0 {
				if err != nil {
					t.Errorf("%q with %d: %v", c.url, with, err)
				}
				continue
			}
			if !errors.Is(err, c.want) {
				t.Errorf("%q with %d: %v, want %v", c.url, with, err, c.want)
			}
			if _, err := tr.Player(t.Context(), referee.Agent{Slug: "a"}); !errors.Is(err, callback.ErrUnknown) {
				t.Errorf("%q with %d: refused, and yet there is a player: %v", c.url, with, err)
			}
		}
	}
}

// TestB85 is a report from elsewhere: an IPv4-mapped literal passed the check of
// the URL and then skipped that of the name.
func TestMappedLoopback(t *testing.T) {
	t.Run("B85", func(t *testing.T) {
		for _, o := range []callback.Options{{}, {AllowHTTP: true}, practice(nil)} {
			tr := newTransport(t, o)
			for _, url := range []string{"http://[::ffff:127.0.0.1]/", "https://[::ffff:127.0.0.1]/", "https://[::FFFF:7F00:0001]/"} {
				err := tr.Register(t.Context(), referee.Agent{Slug: "a"}, url)
				if !errors.Is(err, callback.ErrAddress) && !errors.Is(err, callback.ErrURL) {
					t.Errorf("%s: %v", url, err)
				}
			}
		}
		// At the dial: a name that was public at registration.
		faults, es, dialled := rebound(t, "::ffff:127.0.0.1", callback.Options{})
		wantRefused(t, faults, es, dialled)
	})
}

// TestResolverFails is registration while the host's own resolver is down: that
// says nothing about the URL.
func TestResolverFails(t *testing.T) {
	down := lookup{err: &net.DNSError{Err: "i/o timeout", IsTimeout: true}}
	r := resolver(map[string][]lookup{"agent.example": {down}, "arena.example": {down}})
	tr := newTransport(t, callback.Options{Resolver: r})
	err := tr.Register(t.Context(), referee.Agent{Slug: "a"}, "https://agent.example/")
	for _, e := range []error{callback.ErrResolve, callback.ErrAddress, callback.ErrURL} {
		if err == nil || errors.Is(err, e) {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tr.Register(ctx, referee.Agent{Slug: "a"}, "https://agent.example/"); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// TestPlayer is about who has a player.
func TestPlayer(t *testing.T) {
	var asked []string
	lookupURL := func(_ context.Context, a referee.Agent) (string, error) {
		asked = append(asked, a.Slug)
		switch a.Slug {
		case "good":
			return "https://agent.example/", nil
		case "private":
			return "https://private.example/", nil
		}
		return "", errors.New("no such row")
	}
	tr := newTransport(t, callback.Options{Resolver: web(), URL: lookupURL})
	if err := tr.Register(t.Context(), referee.Agent{Slug: "mine"}, "https://1.1.1.1/"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		slug string
		ok   bool
		want error
	}{{"mine", true, nil}, {"good", true, nil}, {"good", true, nil}, {"private", false, callback.ErrAddress}, {"none", false, nil}, {"", false, callback.ErrUnknown}} {
		p, err := tr.Player(t.Context(), referee.Agent{Slug: c.slug})
		if (err == nil) != c.ok || (p != nil) != c.ok || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.slug, err)
		}
	}
	if got := strings.Join(asked, " "); got != "good good private none" {
		t.Errorf("looked up %s", got)
	}
	tr.Forget("mine")
	if _, err := tr.Player(t.Context(), referee.Agent{Slug: "mine"}); err == nil {
		t.Error("a forgotten agent still has a player")
	}
	if err := tr.Register(t.Context(), referee.Agent{}, "https://1.1.1.1/"); !errors.Is(err, callback.ErrUnknown) {
		t.Errorf("without a slug: %v", err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Player(t.Context(), referee.Agent{Slug: "good"}); !errors.Is(err, callback.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := tr.Register(t.Context(), referee.Agent{Slug: "a"}, "https://1.1.1.1/"); !errors.Is(err, callback.ErrClosed) {
		t.Errorf("Register after Close: %v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    callback.Options
		want []string
	}{
		{callback.Options{}, []string{"ReplayURL"}},
		{callback.Options{ReplayURL: "https://arena.example/m/"}, []string{"ReplayURL"}},
		{callback.Options{ReplayURL: "ftp://arena.example/{match_id}"}, []string{"ReplayURL"}},
		{callback.Options{ReplayURL: "https://{match_id}.example/"}, []string{"ReplayURL"}},
		{callback.Options{ReplayURL: "/m/{match_id}"}, []string{"ReplayURL"}},
		{callback.Options{ReplayURL: replayURL, MaxHeader: 100}, []string{"MaxHeader"}},
		{callback.Options{ReplayURL: replayURL, MaxHeader: 1<<20 + 1}, []string{"MaxHeader"}},
		{callback.Options{ReplayURL: replayURL, TLS: insecure()}, []string{"TLS"}},
		{callback.Options{ReplayURL: replayURL, Deny: make([]netip.Prefix, 1)}, []string{"Deny[0]"}},
		{callback.Options{MaxIdle: -1, IdleTimeout: -1}, []string{"ReplayURL", "MaxIdle", "IdleTimeout"}},
		{callback.Options{ReplayURL: replayURL}, nil},
		{callback.Options{ReplayURL: "http://127.0.0.1:8080/?id={match_id}", MaxHeader: 1024}, nil},
	} {
		tr, err := callback.New(c.o)
		if len(c.want) == 0 {
			if err != nil {
				t.Errorf("%+v: %v", c.o, err)
			}
			continue
		}
		if err == nil || tr != nil {
			t.Errorf("%v: accepted", c.want)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%v: got %q", c.want, lines)
			continue
		}
		for i, w := range c.want {
			if !strings.HasPrefix(lines[i], "callback: "+w+": ") {
				t.Errorf("got %q, want one about %s", lines[i], w)
			}
		}
	}
}
