package node_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
)

// TestUsage starts the agent in ways in which it must not connect.
func TestUsage(t *testing.T) {
	dir := install(t)
	tests := []struct {
		name, key string
		args      []string
		want      string
	}{
		{"no key", "", []string{"--url", "wss://arena.example"}, "LUDUX_KEY"},
		{"a key of two words", "not a key", []string{"--url", "wss://arena.example"}, "LUDUX_KEY"},
		{"no URL", "secret-key", nil, "--url is to be the arena's"},
		{"half a URL", "secret-key", []string{"--url", "arena.example"}, "--url is to be the arena's"},
		{"http", "secret-key", []string{"--url", "https://arena.example"}, "wss"},
		{"ws far away", "secret-key", []string{"--url", "ws://arena.example"}, "wss"},
		{"ws to what looks near", "secret-key", []string{"--url", "ws://127.arena.example"}, "wss"},
		{"a user", "secret-key", []string{"--url", "wss://ann:secret@arena.example"}, "no user"},
		{"matches", "secret-key", []string{"--url", "wss://arena.example", "--matches", "-1"}, "matches"},
		{"another option", "secret-key", []string{"--key", "secret"}, "--key"},
	}
	if testing.Short() {
		tests = tests[:3]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start(t, dir, tt.key, tt.args...).ends(2, tt.want, "usage: ")
		})
	}
}

// TestRefused has each end that the arena brings about.
func TestRefused(t *testing.T) {
	dir := install(t)
	t.Run("401", func(t *testing.T) {
		a := scripted(t, nil)
		a.refuses(func(int) int { return http.StatusUnauthorized })
		start(t, dir, "secret-key", "--url", a.url).ends(3, "the arena refuses the key: status 401")
	})
	t.Run("a message", func(t *testing.T) {
		a := scripted(t, func(c *end) {
			c.send(&ludux.Error{Code: ludux.CodeUnauthorized, Message: "\x1b[31mno"})
			c.Close(ws.StatusPolicyViolation, "")
		})
		start(t, dir, "secret-key", "--url", a.url).ends(3, `the arena refuses the key: "\u{fffd}[31mno"`)
	})
	t.Run("replaced", func(t *testing.T) {
		a := scripted(t, func(c *end) {
			c.welcome()
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, Message: "a newer connection"})
			c.Close(4001, "replaced")
		})
		start(t, dir, "secret-key", "--url", a.url).ends(4, "another connection of this agent has taken over")
	})
	t.Run("a signal", func(t *testing.T) {
		codes := make(chan ws.StatusCode, 1)
		var p *process
		ready := make(chan struct{})
		a := scripted(t, func(c *end) {
			c.welcome()
			<-ready
			p.cmd.Process.Signal(syscall.SIGTERM)
			_, _, err := c.Read(t.Context())
			codes <- ws.CloseStatus(err)
		})
		p = start(t, dir, "secret-key", "--url", a.url)
		close(ready)
		p.ends(0)
		if code := <-codes; code != ws.StatusNormalClosure {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("a match", func(t *testing.T) {
		a := scripted(t, func(c *end) {
			c.welcome()
			c.send(&ludux.MatchEnd{MatchID: "m-1", Reason: "connect", Outcome: ludux.Win})
			c.send(&ludux.MatchEnd{MatchID: "m-1", Reason: "connect", Outcome: ludux.Win}) // which is no second match
			c.ask("m-2", 1, time.Minute)
			c.response("m-2", 1)
			c.send(&ludux.MatchEnd{MatchID: "m-2", Reason: "late", Outcome: ludux.Loss})
			c.Read(t.Context())
		})
		p := start(t, dir, "secret-key", "--url", a.url, "--matches", "2")
		p.ends(0)
		if want := "match \"m-1\": \"win\", \"connect\"\nmatch \"m-2\": \"loss\", \"late\"\n"; p.out.String() != want {
			t.Errorf("it says %q", p.out.String())
		}
	})
}

// TestLock: the one package comes from the public registry, with its sum.
func TestLock(t *testing.T) {
	b, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Resolved, Integrity string }
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		t.Fatal(err)
	}
	p := lock.Packages["node_modules/ws"]
	if len(lock.Packages) != 2 || !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/ws/-/ws-") || !strings.HasPrefix(p.Integrity, "sha512-") {
		t.Errorf("%+v", lock)
	}
	if n := strings.Count(string(b), "://"); n != strings.Count(string(b), "https://registry.npmjs.org/")+strings.Count(string(b), "https://opencollective.com/")+strings.Count(string(b), "https://github.com/sponsors/") {
		t.Errorf("%d URLs, and not all of them of the registry", n)
	}
}
