package clienttest

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// ends has matches end in each way but by play.
func ends(t *testing.T, client []string) {
	type test struct {
		name    string
		more    string // arguments
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
		{name: "expired", how: "expired", status: NoGame, words: []string{"expired", "abandoned"}},
		{name: "failed", how: "failed", status: NoGame, words: []string{"failed"}},
		{name: "no key", trouble: on("create", problem(401, "unauthorized")), status: Refused, words: []string{"unauthorized"}},
		{name: "no scope", trouble: on("move", problem(403, "forbidden")), status: Refused, words: []string{"forbidden"}},
		{name: "malformed", trouble: on("create", problem(400, "malformed")), status: Strange, words: []string{"malformed"}},
		{name: "reused", trouble: on("create", problem(409, "id_reused")), status: Strange, words: []string{"id_reused"}},
		{name: "unknown", trouble: on("observe", problem(404, "unknown_match")), status: Strange, words: []string{"unknown_match"}},
		{name: "illegal", trouble: on("move", problem(422, "illegal_move")), status: Broken, words: []string{"illegal_move"}},
		{name: "always stale", trouble: on("move", problem(409, "stale_revision")), status: Strange, words: []string{"stale_revision"}},
		{name: "a list", trouble: on("observe", Trouble{Status: 200, Body: "[]"}), status: Strange, words: []string{"no observation"}},
		{name: "odd status", trouble: on("create", Trouble{Status: 200, Body: `{"status":"paused"}`}), status: Strange, words: []string{"no observation"}},
		{name: "nothing legal", trouble: on("create", Trouble{Status: 200, Body: `{"matchId":"m1","status":"agent","revision":0,"legalMoves":[]}`}), status: Strange,
			words: []string{"no observation"}},
		{name: "odd id", trouble: on("create", Trouble{Status: 200, Body: `{"matchId":"../m1","status":"ai"}`}), status: Strange, words: []string{"no match id"}},
		{name: "no JSON", more: "1", trouble: on("observe", Trouble{Status: 200, Body: "<html>"}), status: Later, words: []string{"no JSON", "same command again"}},
		{name: "broken", more: "1", trouble: on("create", Trouble{Status: 500}), status: Later, words: []string{"500", "same command again"}},
		{name: "cut", more: "1", trouble: on("create", Trouble{Drop: true}), status: Later, words: []string{"no answer", "same command again"}},
		{name: "too long", trouble: on("create", Trouble{Status: 200, Body: strings.Repeat(" ", 5<<20)}), status: Strange, words: []string{"bytes"}},
	}
	for _, tt := range tests {
		if testing.Short() && (tt.more != "" || tt.name == "always stale") {
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
	t.Run("later", func(t *testing.T) { later(t, client) })
	t.Run("redirect", func(t *testing.T) { redirect(t, client) })
	t.Run("nobody", func(t *testing.T) {
		s := NewServer()
		s.Close()
		run := Run{Client: client, Base: s.URL, State: filepath.Join(t.TempDir(), "match.json"), More: []string{"--patience", "0.5"}}
		run.do(t).want(t, Later, "no answer", "same command again")
	})
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
