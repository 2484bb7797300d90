package polling_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/transport/polling"
)

// record gives the bytes of a match's record.
func (h *host) record(id string) string {
	h.t.Helper()
	log, err := h.records.Open(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	var b strings.Builder
	for line, err := range log.Read(h.t.Context(), 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// TestHostile sends what no agent should: each gets the answer that the document
// promises, and nothing is changed by any.
func TestHostile(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Pace = time.Nanosecond })
	path, o := h.begun(1, "never", "")
	h.play(path, o, 1)
	second, _ := h.begun(2, "quick", "")
	move := func(id int, rest string) string { return fmt.Sprintf(`{"moveId":%q,%s}`, uuid(id), rest) }
	long := strings.Repeat(" ", 17_000)
	create := func(rest string) string { return fmt.Sprintf(`{"requestId":%q%s}`, uuid(50), rest) }
	before := []string{h.record(o.MatchID), h.as("ann", "GET", path, "").header.Get("ETag"), h.as("", "GET", "", "").body}
	for _, c := range []struct {
		who, method, path, body string
		status                  int
		code                    string
		header                  []string
	}{
		// keys
		{who: "", method: "GET", path: path, status: 401, code: "unauthorized"},
		{who: "nobody", method: "GET", path: path, status: 401, code: "unauthorized"},
		{who: "nobody", method: "GET", path: "/matches/unknown", status: 401, code: "unauthorized"},
		{who: "nobody", method: "POST", path: path + "/moves", body: move(9, `"revision":1,"row":5,"col":5`), status: 401, code: "unauthorized"},
		{who: "nobody", method: "POST", path: "/matches", body: create(`,"opponent":"quick"`), status: 401, code: "unauthorized"},
		{who: strings.Repeat("x", 600), method: "GET", path: path, status: 401, code: "unauthorized"},
		{who: "ann, Bearer lcb_ann", method: "GET", path: path, status: 401, code: "unauthorized"},
		{who: "", method: "GET", path: path + "?key=lcb_ann", status: 401, code: "unauthorized"},
		{who: "eve", method: "GET", path: path, status: 403, code: "missing_scope"},
		{who: "eve", method: "POST", path: "/matches", body: create(`,"opponent":"quick"`), status: 403, code: "missing_scope"},
		{who: "broken", method: "GET", path: path, status: 500, code: "internal"},
		// another's match
		{who: "bob", method: "GET", path: path, status: 403, code: "not_your_match"},
		{who: "bob", method: "GET", path: path, status: 403, code: "not_your_match", header: []string{"If-None-Match", "*", "Prefer", "wait=20"}},
		{who: "bob", method: "POST", path: path + "/moves", body: move(1, `"revision":0,"row":0,"col":0`), status: 403, code: "not_your_match"},
		{who: "bob", method: "POST", path: path + "/abandon", body: "{}", status: 403, code: "not_your_match"},
		{who: "bob", method: "POST", path: path + "/abandon", status: 403, code: "not_your_match"},
		// no match
		{who: "ann", method: "GET", path: "/matches/unknown", status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: "/matches/" + uuid(1), status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: "/matches/..%2f..%2fetc%2fpasswd", status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: "/matches/%00", status: 404, code: "not_found"},
		{who: "ann", method: "POST", path: "/matches/unknown/moves", body: move(9, `"revision":0,"row":0,"col":0`), status: 404, code: "not_found"},
		{who: "ann", method: "POST", path: "/matches/unknown/abandon", status: 404, code: "not_found"},
		{method: "GET", path: "/replays/unknown", status: 404, code: "not_found"},
		{method: "GET", path: "/replays/" + o.MatchID, status: 409, code: "running"},
		// nowhere
		{who: "ann", method: "GET", path: "/nothing", status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: path + "/", status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: "//matches", status: 404, code: "not_found"},
		{who: "ann", method: "GET", path: "/replays/../matches", status: 404, code: "not_found"},
		// methods
		{who: "ann", method: "GET", path: "/matches", status: 405, code: "method_not_allowed"},
		{who: "ann", method: "PUT", path: "/matches", body: create(`,"opponent":"quick"`), status: 405, code: "method_not_allowed"},
		{who: "ann", method: "G", path: path, status: 405, code: "method_not_allowed"},
		{who: "ann", method: "HEAD", path: path + "/moves", status: 405},
		{who: "ann", method: "DELETE", path: path, status: 405, code: "method_not_allowed"},
		{who: "ann", method: "GET", path: path + "/moves", status: 405, code: "method_not_allowed"},
		{who: "ann", method: "GET", path: path + "/abandon", status: 405, code: "method_not_allowed"},
		{who: "ann", method: "POST", path: "/replays/" + o.MatchID, status: 405, code: "method_not_allowed"},
		{who: "ann", method: "POST", path: "", status: 405, code: "method_not_allowed"},
		{who: "ann", method: "POST", path: "/example", status: 405, code: "method_not_allowed"},
		{who: "ann", method: "POST", path: "/openapi.yaml", status: 405, code: "method_not_allowed"},
		// bodies
		{who: "ann", method: "POST", path: "/matches", status: 415, code: "media_type"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick"`), header: []string{"Content-Type", "text/plain"}, status: 415, code: "media_type"},
		{who: "ann", method: "POST", path: path + "/moves", body: move(9, `"revision":1,"row":5,"col":5`), header: []string{"Content-Encoding", "gzip"}, status: 415, code: "media_type"},
		{who: "ann", method: "POST", path: path + "/abandon", body: "{}", header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, code: "media_type"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick"`) + long, status: 413, code: "too_large"},
		{who: "ann", method: "POST", path: path + "/moves", body: move(9, `"revision":1,"row":5,"col":5`) + long, status: 413, code: "too_large"},
		{who: "ann", method: "POST", path: path + "/abandon", body: "{}" + long, status: 413, code: "too_large"},
		{who: "ann", method: "POST", path: "/matches", body: "{", status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"nobody"`), status: 400, code: "unknown_opponent"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick","agentSeat":2`), status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick","game":"go"`), status: 400, code: "unknown_game"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"heavy","game":"connect-four"`), status: 400, code: "unknown_opponent"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick","ruleset":{"size":19}`), status: 400, code: "unknown_game"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"quick","policy":{}`), status: 400, code: "forbidden_member"},
		{who: "ann", method: "POST", path: "/matches", body: create(`,"opponent":"secret"`), status: 403, code: "gated"},
		{who: "ann", method: "POST", path: path + "/moves", body: move(9, `"revision":1,"row":5,"col":5,"winner":0`), status: 400, code: "forbidden_member"},
		{who: "ann", method: "POST", path: path + "/moves", body: move(9, `"revision":1.5,"row":5,"col":5`), status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: path + "/moves", body: `{"revision":1,"moveId":"x","row":5,"col":5}`, status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: path + "/moves", body: "null", status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: path + "/abandon", body: "[]", status: 400, code: "malformed"},
		{who: "ann", method: "POST", path: path + "/abandon", body: `{"winner":1}`, status: 400, code: "forbidden_member"},
		// states
		{who: "ann", method: "POST", path: path + "/moves", body: move(1, `"revision":0,"row":0,"col":1`), status: 409, code: "id_reused"},
		{who: "ann", method: "POST", path: path + "/moves", body: move(1, `"revision":2,"row":0,"col":0`), status: 409, code: "id_reused"},
		{who: "ann", method: "POST", path: "/matches", body: fmt.Sprintf(`{"opponent":"quick","requestId":%q}`, uuid(1)), status: 409, code: "id_reused"},
		{who: "ann", method: "POST", path: second + "/moves", body: move(9, `"revision":0,"row":9,"col":-1`), status: 422, code: "illegal_move"},
	} {
		a := h.as(c.who, c.method, c.path, c.body, c.header...)
		if a.status != c.status || a.code() != c.code && c.method != "HEAD" {
			t.Errorf("%s %s %s %.60s: %d %s, want %d %s", c.who, c.method, c.path, c.body, a.status, a.body, c.status, c.code)
		}
		if kind := a.header.Get("Content-Type"); kind != "application/problem+json" || a.header.Get("Cache-Control") != "no-store" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %v", c.method, c.path, a.header)
		}
		switch c.status {
		case 401:
			if !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s: no challenge", c.path)
			}
		case 405:
			if a.header.Get("Allow") == "" {
				t.Errorf("%s: no Allow", c.path)
			}
		}
	}
	for range 200 { // wrong keys, many at once
		for _, a := range at(50, func(i int) answer {
			return h.as(fmt.Sprintf("%040d", i), "POST", path+"/abandon", "{}")
		}) {
			if a.status != 401 {
				t.Fatal(a)
			}
		}
	}
	if after := []string{h.record(o.MatchID), h.as("ann", "GET", path, "").header.Get("ETag"), h.as("", "GET", "", "").body}; fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("were %s\nare %s", before, after)
	}
	if errs := h.failed(); len(errs) != 1 { // the store of keys
		t.Error(errs)
	}
}

// TestStale has stale moves refused; the record says so, and no more than a few times.
func TestStale(t *testing.T) {
	h := newHost(t, nil, nil)
	path, o := h.begun(1, "never", "")
	for n := range 100 {
		if a := h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":7,"moveId":%q,"row":0,"col":0}`, uuid(n))); a.status != 409 || a.code() != "stale_revision" {
			t.Fatal(a)
		}
	}
	h.play(path, o, 500)
	for n := range 100 {
		if a := h.as("ann", "POST", path+"/moves", fmt.Sprintf(`{"revision":1,"moveId":%q,"row":5,"col":0}`, uuid(n))); a.status != 409 || a.code() != "wrong_status" {
			t.Fatal(a)
		}
	}
	if n := strings.Count(h.record(o.MatchID), "\n"); n > 40 {
		t.Errorf("%d lines are recorded", n)
	}
}

// TestThrottled has a source that tries keys slowed down, and its agents no more than others.
func TestThrottled(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Source, o.Limits.Account = polling.Rate{}, polling.Rate{} })
	var refused int
	for i := range 10_000 {
		a := h.as(fmt.Sprint("guess", i), "GET", "/matches/x", "")
		switch {
		case a.status == 401:
		case a.status == 429 && a.code() == "rate_limited" && a.header.Get("Retry-After") != "":
			refused++
		default:
			t.Fatal(a)
		}
	}
	if refused < 5000 {
		t.Errorf("only %d of 10,000 were refused", refused)
	}
	r := httptest.NewRequest("GET", prefix+"/matches/x", nil)
	r.Header.Set("Authorization", "Bearer lcb_ann")
	r.RemoteAddr = "192.0.2.77:1"
	w := httptest.NewRecorder()
	if h.polls.ServeHTTP(w, r); w.Code != 404 {
		t.Error(w.Code, w.Body)
	}
	for n := range 40 {
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", n)
		w = httptest.NewRecorder()
		h.polls.ServeHTTP(w, r)
	}
	if w.Code != 429 { // the account's
		t.Error(w.Code, w.Body)
	}
}

// TestSlowBody answers to a body that does not come, and to one that never ends.
func TestSlowBody(t *testing.T) {
	send := func(patience time.Duration, head string, body io.Reader) *http.Response {
		t.Helper()
		h := newHost(t, nil, func(o *polling.Options) { o.BodyTime = patience })
		server := httptest.NewServer(h.polls)
		t.Cleanup(server.Close)
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		conn.SetDeadline(time.Now().Add(2 * time.Minute))
		go func() {
			io.WriteString(conn, "POST "+prefix+"/matches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer lcb_ann\r\nContent-Type: application/json\r\n"+head+"\r\n\r\n")
			io.Copy(conn, body)
		}()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	const short, long = 200 * time.Millisecond, time.Minute
	for _, c := range []struct {
		patience time.Duration
		head     string
		body     io.Reader
		status   int
	}{
		{short, "Content-Length: 100", strings.NewReader(`{"opponent":`), 408},
		{short, "Transfer-Encoding: chunked", strings.NewReader("4\r\n{\"op\r\n"), 408},
		{long, "Transfer-Encoding: chunked", strings.NewReader("zzz\r\n"), 400},
		{long, "Content-Length: 1000000000000", strings.NewReader("{"), 413},
		{long, "Transfer-Encoding: chunked", io.MultiReader(strings.NewReader("100000\r\n"), bytes.NewReader(make([]byte, 1<<20))), 413},
	} {
		resp := send(c.patience, c.head, c.body)
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != c.status || resp.Header.Get("Content-Type") != "application/problem+json" || !resp.Close {
			t.Errorf("%s: %s %v %s, want %d", c.head, resp.Status, resp.Header, body, c.status)
		}
	}
}

// TestSecrets looks for keys in all that leaves: answers, records, errors.
func TestSecrets(t *testing.T) {
	h := newHost(t, nil, nil)
	path, o := h.begun(1, "quick", "")
	all := []answer{
		h.as("ann", "GET", path, ""), h.as("ann", "POST", path+"/moves", moveOf(o, 1)), h.as("ann-wrong-key", "GET", path, ""), h.as("broken", "GET", path, ""),
		h.as("ann", "POST", path+"/abandon", ""), h.as("", "GET", "/replays/"+o.MatchID, ""), h.as("", "GET", "", ""), h.as("eve", "GET", path, ""), h.as("bob", "GET", path, ""),
	}
	text := fmt.Sprint(all, h.record(o.MatchID), h.failed())
	if strings.Contains(text, "lcb_") || strings.Contains(text, "wrong-key") {
		t.Error(text)
	}
}
