package websocket_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestUpgradeRefused: what is not let in is told why in a problem document, and the host too.
func TestUpgradeRefused(t *testing.T) {
	for _, c := range []struct {
		name, path string
		headers    []string
		status     int
		code       string
		reason     websocket.Reason
	}{
		{"a wrong key", "/agents", []string{"Authorization: Bearer wrong"}, 401, "unauthorized", websocket.ReasonUnauthorized},
		{"no Bearer", "/agents", []string{"Authorization: Basic a2V5LWFubg=="}, 401, "unauthorized", websocket.ReasonUnauthorized},
		{"two keys", "/agents", []string{"Authorization: Bearer key-ann", "Authorization: Bearer key-ann"}, 401, "unauthorized", websocket.ReasonUnauthorized},
		{"a key of the wrong length", "/agents", []string{"Authorization: Bearer key-" + strings.Repeat("a", 600)}, 401, "unauthorized", websocket.ReasonUnauthorized},
		{"a key that only watches", "/agents", []string{"Authorization: Bearer eye-team"}, 403, "scope", websocket.ReasonScope},
		{"a key of no agent", "/agents", []string{"Authorization: Bearer key-No Slug!"}, 401, "unauthorized", websocket.ReasonUnauthorized},
		{"an agent that no match takes", "/agents", []string{"Authorization: Bearer key-NoSlug"}, 403, "scope", websocket.ReasonScope},
		{"a browser elsewhere", "/agents", []string{"Authorization: Bearer key-ann", "Origin: https://evil.example"}, 403, "origin", websocket.ReasonOrigin},
		{"an origin without a host", "/agents", []string{"Authorization: Bearer key-ann", "Origin: null"}, 403, "origin", websocket.ReasonOrigin},
		{"one much like an allowed one", "/agents", []string{"Authorization: Bearer key-ann", "Origin: https://play.example.com.evil.example"}, 403, "origin", websocket.ReasonOrigin},
		{"an allowed host over http", "/agents", []string{"Authorization: Bearer key-ann", "Origin: http://a.play.example"}, 403, "origin", websocket.ReasonOrigin},
	} {
		t.Run(c.name, func(t *testing.T) {
			virtual(t, websocket.Options{Origins: []string{"*.example.com", "https://*.play.example"}}, func(t *testing.T, h *hall) {
				resp, body := h.refused(c.path, c.headers...)
				if resp.StatusCode != c.status || resp.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(body, fmt.Sprintf(`"code":%q`, c.code)) {
					t.Errorf("%s %s", resp.Status, body)
				}
				if (c.status == 401) != (resp.Header.Get("WWW-Authenticate") == "Bearer") {
					t.Error(resp.Header)
				}
				e := h.told(websocket.Refused)
				if len(e) != 1 || e[0].Reason != c.reason || e[0].Status != c.status || e[0].Source != "192.0.2.1" {
					t.Errorf("%+v", e)
				}
			})
		})
	}
}

// TestHandshake: the host is told with which status an upgrade failed that is none of RFC 6455.
func TestHandshake(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		c := h.connect()
		io.WriteString(c, "GET /agents HTTP/1.1\r\nHost: arena.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 12\r\nAuthorization: Bearer key-ann\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		e := h.told(websocket.Refused)
		if resp.StatusCode != 400 || len(e) != 1 || e[0].Status != 400 || e[0].Reason != websocket.ReasonHandshake || e[0].Agent != "ann" {
			t.Errorf("%s %+v", resp.Status, e)
		}
		c.Close()
	})
}

// TestOrigins: who is no browser, comes from the host's own pages or from an allowed one is let in.
func TestOrigins(t *testing.T) {
	virtual(t, websocket.Options{Origins: []string{"*.example.com", "https://*.play.example"}}, func(t *testing.T, h *hall) {
		for _, origin := range []string{"", "Origin: https://arena.example", "Origin: https://A.example.com", "Origin: https://a.play.example"} {
			var headers []string
			if origin != "" {
				headers = []string{origin}
			}
			p := h.open("/agents", append(headers, "Authorization: Bearer key-ann")...).listen()
			if expect[*ludux.Welcome](t, p); origin == "" {
				continue
			}
			p.bye()
		}
	})
}

// TestSubprotocol: none is needed, ludux.v1 is taken where it is offered, and compression never.
func TestSubprotocol(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		c := h.connect()
		_, resp := upgrade(t, c, "/agents", "Authorization: Bearer key-ann", "Sec-WebSocket-Protocol: chat, ludux.v1", "Sec-WebSocket-Extensions: permessage-deflate")
		if resp.StatusCode != http.StatusSwitchingProtocols || resp.Header.Get("Sec-WebSocket-Protocol") != websocket.Subprotocol || resp.Header.Get("Sec-WebSocket-Extensions") != "" {
			t.Errorf("%s %v", resp.Status, resp.Header)
		}
		c.Close()
	})
}

// TestNoUpgrade: a plain GET is told that this is a WebSocket.
func TestNoUpgrade(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		client := &http.Client{Transport: &http.Transport{DialContext: h.dialContext, DisableKeepAlives: true}}
		resp, err := client.Get("http://arena.example/agents")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusUpgradeRequired || resp.Header.Get("Upgrade") != "websocket" {
			t.Errorf("%s %v", resp.Status, resp.Header)
		}
	})
}

// TestHello: a key in a first message is as good as one in the upgrade, and anything else is not.
func TestHello(t *testing.T) {
	hello := func(key string) []byte { return (&ludux.Hello{Key: key}).Append(nil) }
	for _, c := range []struct {
		name   string
		head   byte
		frame  []byte
		code   int
		want   ludux.Code
		reason websocket.Reason
	}{
		{"a wrong key", fin | opText, hello("wrong"), 1008, ludux.CodeUnauthorized, websocket.ReasonUnauthorized},
		{"a key that only watches", fin | opText, hello("eye-team"), 1008, ludux.CodeUnauthorized, websocket.ReasonScope},
		{"a response", fin | opText, []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":1,"action":3}`), 1008, ludux.CodeUnauthorized, websocket.ReasonHello},
		{"no message", fin | opText, []byte("key-ann"), 1008, ludux.CodeMalformed, websocket.ReasonHello},
		{"a binary one", fin | opBinary, hello("key-ann"), 1008, ludux.CodeMalformed, websocket.ReasonHello},
		{"too much", fin | opText, hello(strings.Repeat("k", 4096)), 1009, ludux.CodeFrameTooLarge, websocket.ReasonTooLarge},
		{"nothing", 0, nil, 1008, "", websocket.ReasonHello},
	} {
		t.Run(c.name, func(t *testing.T) {
			virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
				p := h.open("/agents").listen()
				began := time.Now()
				if c.frame != nil {
					p.write(c.head, c.frame)
				}
				code, e := p.closed()
				if code != c.code || (e == nil) != (c.want == "") || e != nil && e.Code != c.want {
					t.Errorf("%d %+v", code, e)
				}
				if d := time.Since(began); c.frame == nil && d != 10*time.Second {
					t.Errorf("after %v", d)
				}
				synctest.Wait()
				if e := h.lastClosed(); e.Reason != c.reason || e.Code != c.code || e.Agent != "" {
					t.Errorf("%+v", e)
				}
				if len(h.told(websocket.Opened)) != 0 {
					t.Error("opened")
				}
			})
		})
	}
	t.Run("in time", func(t *testing.T) {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			p := h.open("/agents").listen()
			time.Sleep(9 * time.Second)
			p.send(&ludux.Hello{Key: "key-ann"})
			if w := expect[*ludux.Welcome](t, p); w.Replaced || w.Agent.Version != "3" || w.Ping != 15*time.Second {
				t.Errorf("%+v", w)
			}
			time.Sleep(time.Minute)
			if !h.tr.Connected("ann") {
				t.Error("not connected")
			}
			p.bye()
		})
	})
	t.Run("the host cannot tell", func(t *testing.T) {
		virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
			h.keys.fail(errors.New("the database is away"))
			p := h.open("/agents").listen()
			p.send(&ludux.Hello{Key: "key-ann"})
			if code, e := p.closed(); code != 1013 || e != nil {
				t.Errorf("%d %+v", code, e)
			}
			if resp, body := h.refused("/agents", "Authorization: Bearer key-ann"); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || strings.Contains(body, "database") {
				t.Errorf("%s %s", resp.Status, body)
			}
		})
	})
}

// TestStrangers: connections without a key are few, from one source and in all, and those with one are not among them.
func TestStrangers(t *testing.T) {
	virtual(t, websocket.Options{StrangersPerSource: 3, Strangers: 5}, func(t *testing.T, h *hall) {
		for range 3 {
			h.open("/agents").listen()
		}
		if resp, _ := h.refused("/agents"); resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s", resp.Status)
		}
		h.join("ann")
		h.addr = "[2001:db8::1]:9"
		h.open("/agents").listen()
		h.addr = "[2001:db8::2]:9" // the same network
		p := h.open("/agents").listen()
		if resp, _ := h.refused("/agents"); resp.StatusCode != 503 {
			t.Errorf("%s", resp.Status)
		}
		p.send(&ludux.Hello{Key: "key-bob"})
		expect[*ludux.Welcome](t, p)
		h.open("/agents").listen()
		time.Sleep(12 * time.Second)
		h.open("/agents").listen()
		if e := h.told(websocket.Refused); len(e) != 2 || e[0].Reason != websocket.ReasonBusy || e[1].Source != "2001:db8::/64" {
			t.Errorf("%+v", e)
		}
	})
}

// TestFailures: who fails too often has to wait, by whichever way it fails, and keys are not looked up for it.
func TestFailures(t *testing.T) {
	virtual(t, websocket.Options{Failures: websocket.Pace{PerSecond: 0.1, Burst: 4}}, func(t *testing.T, h *hall) {
		h.refused("/agents", "Authorization: Bearer wrong")
		h.refused("/agents", "Authorization: Bearer eye-team")
		p := h.open("/agents").listen()
		p.send(&ludux.Hello{Key: "wrong"})
		p.closed()
		h.open("/agents").listen().closed() // says nothing, for 10 s, in which one attempt comes back
		h.refused("/agents", "Authorization: Bearer wrong")
		asked := h.keys.count()
		for range 5 {
			if resp, _ := h.refused("/agents", "Authorization: Bearer key-ann"); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "10" {
				t.Errorf("%s %v", resp.Status, resp.Header)
			}
		}
		if h.keys.count() != asked {
			t.Error("the key was looked up")
		}
		h.addr = "192.0.2.77:1"
		h.join("bob")
		h.addr = "192.0.2.1:1"
		time.Sleep(10 * time.Second)
		h.join("ann")
	})
}

// TestFailuresOfAllKinds: each way to come without a key that counts is a failed attempt.
func TestFailuresOfAllKinds(t *testing.T) {
	for name, fail := range map[string]func(p *peer){
		"hangs up":        func(p *peer) { p.Conn.Close() },
		"says goodbye":    func(p *peer) { p.bye() },
		"says nothing":    func(p *peer) { p.closed() },
		"a wrong key":     func(p *peer) { p.send(&ludux.Hello{Key: "wrong"}); p.closed() },
		"no hello":        func(p *peer) { p.write(fin|opText, []byte("hello")); p.closed() },
		"too much":        func(p *peer) { p.write(fin|opText, make([]byte, 5000)); p.closed() },
		"no frame at all": func(p *peer) { p.Conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); p.closed() },
		"empty fragments": func(p *peer) {
			for head := byte(opText); p.write(head, nil) == nil; head = opContinuation {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtual(t, websocket.Options{Failures: websocket.Pace{PerSecond: 0.001, Burst: 1}}, func(t *testing.T, h *hall) {
				fail(h.open("/agents").listen())
				synctest.Wait()
				if resp, _ := h.refused("/agents", "Authorization: Bearer key-ann"); resp.StatusCode != 429 {
					t.Errorf("%s", resp.Status)
				}
			})
		})
	}
}
