package websocket_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	ws "github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestDialOptions(t *testing.T) {
	o := websocket.DialOptions{Connect: -1, Concurrent: -1, Matches: -1, Pause: -1, MaxPause: time.Hour + 1, Attempts: -1, GiveUp: -1}
	_, err := websocket.Dial(t.Context(), "http://arena.example", o)
	want := `websocket: url: not a wss URL
websocket: Key: required
websocket: Connect: is negative
websocket: Concurrent: is negative
websocket: Matches: is negative
websocket: Attempts: is negative
websocket: GiveUp: is negative
websocket: Pause: -1ns is not in 0 to 1h
websocket: MaxPause: 1h0m0.000000001s is not in 0 to 1h`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	for name, key := range map[string]string{"long": strings.Repeat("k", transport.MaxKey+1), "space": "two words", "line": "key\n", "letter": "schlüssel", "list": "a,b"} {
		_, err := websocket.Dial(t.Context(), "wss://arena.example", websocket.DialOptions{Key: key})
		if err == nil || !strings.HasPrefix(err.Error(), "websocket: Key: ") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDialURL(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no URL that is good is connected to
	tests := []struct {
		url, want string // "": good
	}{
		{"wss://arena.example/agent", ""},
		{"WSS://arena.example:8443/agent?region=eu", ""},
		{"ws://localhost:8080/agent", ""},
		{"ws://127.0.0.1/agent", ""},
		{"ws://127.8.8.8/agent", ""},
		{"ws://[::1]:80/agent", ""},
		{"ws://arena.example/agent", "show the key"},
		{"ws://10.0.0.1/agent", "show the key"},
		{"ws://localhost.arena.example/agent", "show the key"},
		{"ws://127.0.0.1.arena.example/agent", "show the key"},
		{"https://arena.example/agent", "not a wss URL"},
		{"arena.example", "not a wss URL"},
		{"wss:///agent", "not a wss URL"},
		{"", "not a wss URL"},
		{"wss://ann:secret@arena.example/agent", "a user in it"},
		{"wss://arena.example/agent#key", "a fragment"},
		{"wss://arena.example/%zzsecret", "cannot be read"},
	}
	for _, tt := range tests {
		_, err := websocket.Dial(ctx, tt.url, websocket.DialOptions{Key: "k"})
		switch {
		case tt.want == "" && !errors.Is(err, context.Canceled):
			t.Errorf("%s: %v", tt.url, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v, not %q", tt.url, err, tt.want)
		}
	}
	if _, err := websocket.Dial(ctx, "ws://10.0.0.1/agent", websocket.DialOptions{Key: "k", AllowInsecure: true}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDialKey shows where the key travels: in a header or in a message, and in nothing else.
func TestDialKey(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hellos := make(chan string, 1)
		s := newStub(t, func(c *stubConn) {
			if c.n == 2 {
				_, frame, _ := c.Read(context.Background())
				hellos <- string(frame)
			}
			c.welcome()
			c.Read(context.Background())
		})
		for _, hello := range []bool{false, true} {
			o := s.options()
			o.Hello = hello
			c, err := websocket.Dial(t.Context(), "ws://localhost/agent?region=eu", o)
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
		}
		if d := cmp.Diff(`{"protocol":"ludux/1","type":"hello","key":"`+stubKey+`"}`, <-hellos); d != "" {
			t.Errorf("hello (-want +got):\n%s", d)
		}
		if got := s.seen[0].Header.Values("Authorization"); len(got) != 1 || got[0] != "Bearer "+stubKey {
			t.Errorf("authorization %q", got)
		}
		for i, r := range s.seen {
			r.Header.Del("Authorization")
			if i == 1 && len(s.seen[1].Header.Values("Authorization")) != 0 {
				t.Error("the key in the header, too")
			}
			for name, values := range r.Header {
				if strings.Contains(strings.Join(values, " "), stubKey) {
					t.Errorf("the key in %s", name)
				}
			}
			if strings.Contains(r.RequestURI, stubKey) || r.RequestURI != "/agent?region=eu" {
				t.Errorf("request of %s", r.RequestURI)
			}
		}
	})
}

// TestDialTLS dials a server that would rather speak HTTP/2, and one whose
// certificate nobody vouches for.
func TestDialTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := ws.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		c := &stubConn{t, 1, conn}
		c.welcome()
		c.gone()
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	url := "wss" + strings.TrimPrefix(server.URL, "https") + "/agent"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, err := websocket.Dial(ctx, url, websocket.DialOptions{Key: stubKey, HTTPClient: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, err := websocket.Dial(ctx, url, websocket.DialOptions{Key: stubKey, HTTPClient: &http.Client{Transport: &http.Transport{}}}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v", err)
	}
}

func TestDialRefused(t *testing.T) {
	tests := []struct {
		name   string
		plain  func(http.ResponseWriter, *http.Request)
		script func(*stubConn)
		want   string
		key    bool // the key stands for nobody
		typed  bool
	}{
		{"401", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) }, nil, "websocket: the arena refuses the key: 401 Unauthorized", true, true},
		{"403", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }, nil, "websocket: the arena refuses the key: 403 Forbidden", false, true},
		{"404", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusNotFound) }, nil, "websocket: the arena says 404 Not Found", false, false},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
		}, nil, "websocket: the arena says 302 Found", false, false},
		{"after hello", nil, func(c *stubConn) {
			c.send(&ludux.Error{Code: ludux.CodeUnauthorized, Message: "not a valid key"})
			c.Close(ws.StatusPolicyViolation, "")
		}, `websocket: the arena refuses the key: "not a valid key"`, true, true},
		{"busy", nil, func(c *stubConn) {
			c.send(&ludux.Error{Code: ludux.CodeRateLimited, Message: "too many"})
			c.Close(ws.StatusPolicyViolation, "")
		}, `websocket: the arena says rate_limited: "too many"`, false, false},
		{"closed", nil, func(c *stubConn) { c.Close(ws.StatusTryAgainLater, "later") }, `websocket: no welcome: closed by the arena with 1013 "later"`, false, false},
		{"replaced", nil, func(c *stubConn) { c.Close(websocket.CloseReplaced, "") }, websocket.ErrReplaced.Error(), false, false},
		{"a request first", nil, func(c *stubConn) { c.ask("m-1", 1, time.Minute) }, "websocket: no welcome, but action_request", false, false},
		{"no message", nil, func(c *stubConn) { c.Write(context.Background(), ws.MessageText, []byte("hi")) }, "websocket: no welcome: ludux: not a message: ", false, false},
		{"silence", nil, func(c *stubConn) { c.Read(context.Background()) }, "websocket: no welcome: ", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := newStub(t, tt.script)
				if tt.plain != nil {
					s.plain = func(_ int, w http.ResponseWriter, r *http.Request) bool {
						tt.plain(w, r)
						return true
					}
				}
				start := time.Now()
				c, err := websocket.Dial(t.Context(), "ws://localhost/agent", s.options())
				if err == nil {
					c.Close()
					t.Fatal("welcomed")
				}
				if !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), stubKey) {
					t.Errorf("%v, not %s", err, tt.want)
				}
				if errors.Is(err, transport.ErrKey) != tt.key {
					t.Errorf("%v is about the key: %t", err, !tt.key)
				}
				var refused *websocket.RefusedError
				if errors.As(err, &refused) != tt.typed {
					t.Errorf("%T", err)
				}
				if took := time.Since(start); (tt.name == "silence") != (took == 15*time.Second) {
					t.Errorf("it took %v", took)
				}
				if len(s.dialled()) != 1 {
					t.Errorf("%d attempts", len(s.dialled()))
				}
			})
		})
	}
}
