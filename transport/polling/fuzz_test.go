package polling_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/matchreferee/arena/transport/polling"
)

// FuzzRequest sends any path, headers and body with a good key: what comes back is an answer of the document,
// never the host's failure, and no request that is refused begins anything.
func FuzzRequest(f *testing.F) {
	seeds := []struct{ method, path, prefer, tag, kind, body string }{
		{"GET", "/matches/x", "wait=5", `W/"abc", "d"`, "", ""},
		{"GET", "", "", "*", "", ""},
		{"GET", "/replays/x", "respond-async; wait=3", "", "", ""},
		{"POST", "/matches", "", "", "application/json", `{"opponent":"quick","requestId":"00000000-0000-4000-8000-000000000001","agentSeat":1}`},
		{"POST", "/matches", "", "", "application/json; charset=utf-8", `{"opponent":"quick","requestId":"x","ruleset":{"size":10}}`},
		{"POST", "/matches/x/moves", "", "", "application/json", `{"revision":0,"moveId":"00000000-0000-4000-8000-000000000001","row":0,"col":0}`},
		{"POST", "/matches/x/abandon", "", "", "application/json", "{}"},
		{"PUT", "/matches/%2e%2e/moves", "wait=-1", "", "a/b;c", "\xff"},
	}
	for _, s := range seeds {
		f.Add(s.method, s.path, s.prefer, s.tag, s.kind, s.body)
	}
	if len(seeds) == 0 {
		f.Fatal("no seeds")
	}
	h := newHost(f, nil, func(o *polling.Options) { o.MaxWait = -1 })
	f.Fuzz(func(t *testing.T, method, path, prefer, tag, kind, body string) {
		r := httptest.NewRequest("GET", prefix, strings.NewReader(body))
		r.Method, r.URL.Path = method, prefix+path
		r.Header = http.Header{"Authorization": {"Bearer lcb_ann"}, "Prefer": {prefer}, "If-None-Match": {tag}, "Content-Type": {kind}}
		w := httptest.NewRecorder()
		h.polls.ServeHTTP(w, r)
		kinds := map[string]bool{"application/json": true, "application/yaml": true, "application/problem+json": true}
		if w.Code >= 500 || w.Code < 200 || w.Code != 304 && !kinds[w.Header().Get("Content-Type")] || w.Header().Get("Cache-Control") == "" {
			t.Fatalf("%s %q: %d %v %s", method, path, w.Code, w.Header(), w.Body)
		}
		if errs := h.failed(); errs != nil {
			t.Fatal(errs)
		}
	})
}
