package clienttest

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ends has matches end in each way but by play.
func ends(t *testing.T, client []string) {
	type test struct {
		name    string
		quick   bool   // part of short tests
		more    string // of patience
		how     string // the match ends so after three moves
		trouble func(Request) Trouble
		status  int
		words   []string
	}
	on := func(kind string, tr Trouble) func(Request) Trouble {
		return func(r Request) Trouble {
			if r.Kind == kind {
				return tr
			}
			return Trouble{}
		}
	}
	problem := func(status int, code string) Trouble {
		return Trouble{Status: status, Body: `{"code":"` + code + `","detail":"so \u001b[31m says the server"}`}
	}
	tests := []test{
		{name: "expired", quick: true, how: "expired", status: NoGame, words: []string{"expired", "abandoned"}},
		{name: "failed", how: "failed", status: NoGame, words: []string{"failed"}},
		{name: "no key", trouble: on("create", problem(401, "unauthorized")), status: Refused, words: []string{"unauthorized"}},
		{name: "no scope", quick: true, trouble: on("move", problem(403, "forbidden")), status: Refused, words: []string{"forbidden"}},
		{name: "malformed", trouble: on("create", problem(400, "malformed")), status: Strange, words: []string{"malformed"}},
		{name: "reused", trouble: on("create", problem(409, "id_reused")), status: Strange, words: []string{"id_reused"}},
		{name: "unknown", trouble: on("observe", problem(404, "unknown_match")), status: Strange, words: []string{"unknown_match"}},
		{name: "illegal", quick: true, trouble: on("move", problem(422, "illegal_move")), status: Broken, words: []string{"illegal_move"}},
		{name: "always stale", trouble: on("move", problem(409, "stale_revision")), status: Strange, words: []string{"stale_revision"}},
		{name: "a list", trouble: on("observe", Trouble{Status: 200, Body: "[]"}), status: Strange, words: []string{"no observation"}},
		{name: "odd status", trouble: on("create", Trouble{Status: 200, Body: `{"status":"paused"}`}), status: Strange, words: []string{"no observation"}},
		{name: "nothing legal", trouble: on("create", Trouble{Status: 200, Body: `{"matchId":"m1","status":"agent","revision":0,"legalMoves":[]}`}), status: Strange,
			words: []string{"no observation"}},
		{name: "odd id", quick: true, trouble: on("create", Trouble{Status: 200, Body: `{"matchId":"../m1","status":"ai"}`}), status: Strange, words: []string{"no match id"}},
		{name: "odd path", trouble: on("create", Trouble{Status: 200, Body: `{"matchId":"..","status":"ai"}`}), status: Strange, words: []string{"no match id"}},
		{name: "deep", more: "0", trouble: on("create", Trouble{Status: 200, Body: deep("matchId")}), status: Later, words: []string{"no JSON"}},
		{name: "deep moves", more: "0", trouble: on("create", Trouble{Status: 200, Body: deep("legalMoves")}), status: Later, words: []string{"no JSON"}},
		{name: "deep scores", more: "0", trouble: on("create", Trouble{Status: 200, Body: deep("scores")}), status: Later, words: []string{"no JSON"}},
		{name: "deep problem", trouble: on("create", Trouble{Status: 400, Body: deep("detail")}), status: Strange, words: []string{"400"}},
		{name: "no JSON", more: "1", trouble: on("observe", Trouble{Status: 200, Body: "<html>"}), status: Later, words: []string{"no JSON", "same command again"}},
		{name: "broken", more: "1", trouble: on("create", Trouble{Status: 500}), status: Later, words: []string{"500", "same command again"}},
		{name: "cut", more: "1", trouble: on("create", Trouble{Drop: true}), status: Later, words: []string{"no answer", "same command again"}},
		{name: "too long", trouble: on("create", Trouble{Status: 200, Body: strings.Repeat(" ", 5<<20)}), status: Strange, words: []string{"bytes"}},
	}
	for _, tt := range tests {
		if testing.Short() && !tt.quick {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			s, run := table(t, client)
			if s.Trouble = tt.trouble; tt.how != "" {
				s.How, s.End = tt.how, 3
			}
			if tt.more != "" {
				run.More = []string{"--patience", tt.more}
			}
			run.do(t).want(t, tt.status, tt.words...)
		})
	}
	if testing.Short() {
		return
	}
	t.Run("proxy", func(t *testing.T) { proxied(t, client) })
	t.Run("later", func(t *testing.T) { later(t, client) })
	t.Run("redirect", func(t *testing.T) { redirect(t, client) })
	t.Run("nobody", func(t *testing.T) {
		s := NewServer()
		s.Close()
		run := Run{Client: client, Base: s.URL, State: filepath.Join(t.TempDir(), "match.json"), More: []string{"--patience", "0.5"}}
		run.do(t).want(t, Later, "no answer", "same command again")
	})
}

// deep gives an observation a member of which nests deeper than any parser should go.
func deep(member string) string {
	const depth = 500_000
	members := []string{`"matchId":"m1"`, `"seat":0`, `"status":"agent"`, `"revision":0`, `"legalMoves":[0]`, `"scores":[0,0]`, `"detail":""`}
	for i, m := range members {
		if strings.HasPrefix(m, `"`+member+`"`) {
			members[i] = `"` + member + `":` + strings.Repeat("[", depth) + strings.Repeat("]", depth)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// proxied has the environment name a proxy, which would see the key of a request that is not encrypted.
func proxied(t *testing.T, client []string) {
	var visits atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		visits.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer proxy.Close()
	s, run := table(t, client)
	s.Trouble = func(Request) Trouble { return Trouble{Status: 401} }
	for _, name := range []string{"http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"} {
		run.Env = append(run.Env, name+"="+proxy.URL)
	}
	run.Env = append(run.Env, "no_proxy=", "NO_PROXY=", "NODE_USE_ENV_PROXY=1")
	run.do(t).want(t, Refused)
	if n := visits.Load(); n > 0 || s.requests() != 1 {
		t.Errorf("%d requests went to the proxy, %d to the server", n, s.requests())
	}
}

// later asks for more patience than the client has, and sees that a second run keeps away too.
func later(t *testing.T, client []string) {
	s, run := table(t, client)
	s.Trouble = func(Request) Trouble {
		return Trouble{Status: 503, Header: http.Header{"Retry-After": {"3600"}}, Body: `{"code":"paused"}`}
	}
	run.do(t).want(t, Later, "paused", "3600 s")
	run.do(t).want(t, Later, "same command again")
	if n := s.requests(); n != 1 {
		t.Errorf("%d requests, not 1", n)
	}
	// What asks for more than a day is asked again after a day.
	for _, value := range []string{"Fri, 31 Dec 9999 23:59:59 GMT", "999999999", "99999999999999999999"} {
		s, run := table(t, client)
		s.Trouble = func(Request) Trouble { return Trouble{Status: 503, Header: http.Header{"Retry-After": {value}}} }
		run.do(t).want(t, Later, "86400 s")
		left := time.Until(time.UnixMilli(readState(t, run.State).NotBefore))
		if n := s.requests(); n != 1 || left < 23*time.Hour || left > 24*time.Hour+time.Second {
			t.Errorf("%s: %d requests, then none for %v", value, n, left)
		}
	}
}

// redirect answers with a redirect, which would take the key elsewhere.
func redirect(t *testing.T, client []string) {
	var visits atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 307, 308} {
		s, run := table(t, client)
		s.Trouble = func(Request) Trouble {
			return Trouble{Status: status, Header: http.Header{"Location": {elsewhere.URL + prefix}}}
		}
		run.do(t).want(t, Strange)
	}
	if n := visits.Load(); n > 0 {
		t.Errorf("%d redirects were followed", n)
	}
}
