package python_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/callback"
)

// sent is a request to the agent, signed by secrets at some time.
type sent struct {
	id, body string
	at       time.Time
	secrets  []callback.Secret
	header   map[string]string // over those of the signature
}

// send gives status and body of what the agent says.
func send(t *testing.T, url string, x sent) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(x.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("webhook-id", x.id)
	r.Header.Set("webhook-timestamp", fmt.Sprint(x.at.Unix()))
	r.Header.Set("webhook-signature", callback.Sign(x.id, x.at, []byte(x.body), x.secrets...))
	for k, v := range x.header {
		if v == "" {
			r.Header.Del(k)
		} else {
			r.Header.Set(k, v)
		}
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// request is an action_request with that many actions, and time left.
func request(match string, seq, actions int, left time.Duration) string {
	m := &ludux.ActionRequest{MatchID: match, Game: "nim", GameVersion: "1", Ruleset: json.RawMessage("{}"), Seq: int64(seq), Deadline: left, State: json.RawMessage("{}")}
	m.DeadlineAt = time.Now().Add(left)
	for i := range actions {
		m.LegalActions = append(m.LegalActions, game.Action(fmt.Sprintf(`{"take":%d}`, i)))
	}
	return string(m.Append(nil))
}

// TestLetIn sends what is signed and what is not.
func TestLetIn(t *testing.T) {
	old, next := callback.NewSecret(), callback.NewSecret()
	url := agent(t, next, old).url + "/play"
	now := time.Now()
	both := []callback.Secret{next, old}
	for i, c := range []struct {
		name   string
		status int
		x      sent
	}{
		{"good", 200, sent{at: now, secrets: both}},
		{"the old secret", 200, sent{at: now, secrets: both[1:]}},
		{"the new secret", 200, sent{at: now, secrets: both[:1]}},
		{"five minutes ago, nearly", 200, sent{at: now.Add(-280 * time.Second), secrets: both}},
		{"five minutes ahead, nearly", 200, sent{at: now.Add(280 * time.Second), secrets: both}},
		{"301 seconds ago", 401, sent{at: now.Add(-301 * time.Second), secrets: both}},
		{"far ahead", 401, sent{at: now.Add(400 * time.Second), secrets: both}},
		{"another secret", 401, sent{at: now, secrets: []callback.Secret{callback.NewSecret()}}},
		{"no signature", 401, sent{at: now, header: map[string]string{"webhook-signature": ""}}},
		{"no id", 401, sent{at: now, secrets: both, header: map[string]string{"webhook-id": ""}}},
		{"another id", 401, sent{at: now, secrets: both, header: map[string]string{"webhook-id": "msg_other"}}},
		{"another time", 401, sent{at: now, secrets: both, header: map[string]string{"webhook-timestamp": fmt.Sprint(now.Unix() + 1)}}},
		{"no time", 401, sent{at: now, secrets: both, header: map[string]string{"webhook-timestamp": "now"}}},
		{"another version", 401, sent{at: now, header: map[string]string{"webhook-signature": "v2,AAAA v1a,BBBB"}}},
		{"no base64", 401, sent{at: now, header: map[string]string{"webhook-signature": "v1,é v1, v1,=="}}},
		{"an id with a full stop", 401, sent{id: "a.b", at: now, secrets: both}},
		{"no JSON", 400, sent{at: now, secrets: both, body: "move, please"}},
		{"deep JSON", 400, sent{at: now, secrets: both, body: strings.Repeat("[", 30_000)}},
		{"a list", 400, sent{at: now, secrets: both, body: "[]"}},
		{"another protocol", 400, sent{at: now, secrets: both, body: `{"protocol":"ludux/2","type":"action_request"}`}},
		{"too long", 413, sent{at: now, secrets: both, body: strings.Repeat(" ", ludux.MaxFrame+1)}},
		{"the start of a match", 204, sent{at: now, secrets: both, body: string((&ludux.MatchStart{MatchID: "m"}).Append(nil))}},
		{"something new", 204, sent{at: now, secrets: both, body: `{"protocol":"ludux/1","type":"weather"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.x.id == "" {
				c.x.id = fmt.Sprint("msg_", i)
			}
			if c.x.body == "" {
				c.x.body = request("m", i+1, 3, time.Minute)
			}
			status, body := send(t, url, c.x)
			if status != c.status {
				t.Fatalf("status %d, not %d: %s", status, c.status, body)
			}
			if status == 200 {
				m, err := ludux.DecodeFromAgent([]byte(body))
				if a, ok := m.(*ludux.ActionResponse); err != nil || !ok || a.MatchID != "m" || a.Seq != int64(i+1) {
					t.Errorf("answered %s: %v", body, err)
				}
				if status, _ := send(t, url, c.x); status != 409 {
					t.Errorf("the same again: status %d", status)
				}
			}
			if strings.Contains(body, old.Reveal()[6:20]) || strings.Contains(body, next.Reveal()[6:20]) {
				t.Errorf("a secret is in %s", body)
			}
		})
	}
}

// TestAlike sends requests again, signed later and with less time left, one after another and many at once: the answer is the same.
func TestAlike(t *testing.T) {
	key := callback.NewSecret()
	url := agent(t, key).url
	const many = 1000 // actions: nobody picks the same one by chance
	now, answers := time.Now(), map[string]int{}
	for seq := 1; seq <= 5; seq++ {
		id := fmt.Sprint("msg_", seq)
		var mu sync.Mutex
		var wg sync.WaitGroup
		got := map[string]bool{}
		for i := range 8 {
			wg.Go(func() {
				x := sent{id: id, body: request("m", seq, many, time.Minute-time.Duration(i)*time.Second), at: now.Add(time.Duration(i) * time.Second), secrets: []callback.Secret{key}}
				status, body := send(t, url, x)
				mu.Lock()
				defer mu.Unlock()
				if got[body] = true; status != 200 {
					t.Errorf("status %d: %s", status, body)
				}
			})
		}
		wg.Wait()
		if len(got) != 1 {
			t.Errorf("answers %v", got)
		}
		for body := range got {
			answers[body]++
		}
	}
	if len(answers) != 5 {
		t.Errorf("%d answers to 5 requests", len(answers))
	}
}

// TestHTTP writes requests by hand.
func TestHTTP(t *testing.T) {
	key := callback.NewSecret()
	p := agent(t, key)
	at := strings.TrimPrefix(p.url, "http://")
	for _, c := range []struct {
		name, request, want string
	}{
		{"chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 411 "},
		{"chunks and a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 411 "},
		{"no length", "POST / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 411 "},
		{"a length below 0", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 411 "},
		{"a terabyte", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1099511627776\r\n\r\n", "HTTP/1.1 413 "},
		{"digits of another script", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ٣\r\n\r\nabc", "HTTP/1.1 411 "},
		{"a body that does not come", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab", "HTTP/1.1 408 "},
		{"a head that does not come", "POST / HTTP/1.1\r\nHost: a\r\nContent-", ""},
		{"a stranger", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 401 "},
		{"GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 501 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (c.want == "" || strings.Contains(c.want, "408")) && testing.Short() {
				t.Skip("takes 10 s")
			}
			conn, err := net.Dial("tcp", at)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(patience))
			if _, err := io.WriteString(conn, c.request); err != nil {
				t.Fatal(err)
			}
			b := make([]byte, len(c.want))
			if _, err := io.ReadFull(conn, b); err != nil || string(b) != c.want {
				t.Errorf("%q: %v", b, err)
			}
			if strings.Contains(c.want, " 50") {
				return
			}
			if rest, err := io.ReadAll(conn); err != nil || c.want == "" && len(rest) > 0 {
				t.Errorf("it is not closed: %q, %v", rest, err)
			}
		})
	}
	if status, body := send(t, p.url, sent{id: "msg_1", at: time.Now(), secrets: []callback.Secret{key}, body: request("m", 1, 2, time.Second)}); status != 200 {
		t.Errorf("after all these: %d %s", status, body)
	}
}

// TestUsage starts it in ways that cannot work.
func TestUsage(t *testing.T) {
	good := callback.NewSecret().Reveal()
	for _, c := range []struct {
		name, secret string
		args         []string
		want         string
	}{
		{"no secret", "", nil, "no secret"},
		{"a bad secret", "whsec_abc", nil, "secret 1 is not"},
		{"a bad one behind a good one", good + " whsec_" + strings.Repeat("A", 100), nil, "secret 2 is not"},
		{"no such port", good, []string{"--port", "99999"}, "agent.py: "},
		{"no number", good, []string{"--port", "http"}, "invalid int"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, python(t), append([]string{"-I", "agent.py", "--port", "0"}, c.args...)...)
			cmd.Env = append(os.Environ(), "LUDUX_SECRET="+c.secret)
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "Traceback") {
				t.Errorf("%v: %s", err, out)
			}
			if c.secret != "" && strings.Contains(string(out), strings.TrimPrefix(c.secret, "whsec_")) {
				t.Errorf("the secret is in %s", out)
			}
		})
	}
}
