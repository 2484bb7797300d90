package schematest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/polling"
)

// pollKeys has the keys lcb_NAME.
type pollKeys struct{}

func (pollKeys) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	name := strings.TrimPrefix(key, "lcb_")
	g := &transport.Grant{Agent: referee.Agent{Slug: name, Name: name}, Account: name, Scopes: []string{transport.ScopeBenchmark}}
	switch name {
	case "ann", "bob", "busy":
		return g, nil
	case "eve":
		g.Scopes = []string{transport.ScopeWatch}
		return g, nil
	case "broken":
		return nil, errors.New("no disk")
	}
	return nil, transport.ErrKey
}

// frailRecords are records that can break.
type frailRecords struct {
	referee.MemoryStore
	broken bool
}

func (f *frailRecords) Open(ctx context.Context, id string) (referee.Log, error) {
	log, err := f.MemoryStore.Open(ctx, id)
	return frailLog{log, f}, err
}

type frailLog struct {
	referee.Log
	f *frailRecords
}

func (l frailLog) Read(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	if l.f.broken {
		return func(yield func([]byte, error) bool) { yield(nil, errors.New("no disk")) }
	}
	return l.Log.Read(ctx, from)
}

// pollHost is a host whose every answer is held against the OpenAPI document.
type pollHost struct {
	t        *testing.T
	polls    *polling.Transport
	store    polling.MemoryStore
	records  frailRecords
	doc      *openapi3.T
	router   routers.Router
	answered map[string]bool // "POST /matches 201"
}

func newPollHost(t *testing.T) *pollHost {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.FromSlash("../../docs/openapi/gridarena.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	h := &pollHost{t: t, doc: doc, answered: map[string]bool{}}
	if h.router, err = legacy.NewRouter(doc); err != nil { // judges the document too
		t.Fatal(err)
	}
	return h
}

// begin starts the host, or another process of it; then the matches at play are recovered or not.
func (h *pollHost) begin(source polling.Rate, recover bool) (stop func()) {
	h.t.Helper()
	first := referee.Inline(func(r *referee.Request) referee.Answer {
		if a := r.Legal(nil); len(a) > 0 {
			return referee.Answer{Action: a[0]}
		}
		a, _ := r.Default()
		return referee.Answer{Action: a}
	})
	never := referee.Func(func(ctx context.Context, _ *referee.Request) (referee.Answer, error) {
		<-ctx.Done()
		return referee.Answer{}, ctx.Err()
	})
	games := []game.Game{grid.New(), connectfour.New(), werewolf.New()}
	var a *arena.Arena
	var err error
	h.polls, err = polling.New(h.t.Context(), polling.Options{
		Auth: pollKeys{}, Games: games, Records: &h.records, Store: &h.store, BodyTime: time.Second,
		Opponents: map[string]polling.Opponent{
			"first": {Player: first, Light: true}, "never": {Player: never, Light: true}, "secret": {Player: first, Gated: true}, "heavy": {Player: first, Heavy: true},
		},
		Limits: polling.Limits{Starts: 100, Active: 100, ActiveTotal: 100, StartsTotal: 100, Source: source, Account: polling.Rate{PerSecond: 0.001, Burst: 400}},
		Start: func(ctx context.Context, s polling.Start) error {
			m := arena.Match{ID: s.Match, Game: s.Game, Ruleset: s.Ruleset}
			for _, seat := range s.Seats {
				carrier := "polling"
				if seat.Agent.House {
					carrier = "house"
				}
				m.Seats = append(m.Seats, arena.Seat{Agent: seat.Agent, Carrier: carrier, Terms: &arena.Terms{Policy: seat.Policy, Clock: seat.Clock}})
			}
			_, err := a.Start(ctx, m)
			return err
		},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	a, err = arena.New(arena.Config{
		Games: games, Store: &h.records, Key: make([]byte, 32),
		Carriers: map[string]arena.Carrier{"polling": {Transport: h.polls}, "house": {Transport: h.polls.House()}},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if recover {
		if _, err := a.Recover(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
	return func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		a.Shutdown(ctx)
	}
}

// slowBody is a body that does not come in time.
type slowBody struct{}

func (slowBody) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

// fits judges an answer to a request by the document.
func (h *pollHost) fits(r *http.Request, resp *http.Response) error {
	route, params, err := h.router.FindRoute(r)
	if err != nil {
		return err
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route}
	h.answered[fmt.Sprint(r.Method, " ", route.Path, " ", resp.StatusCode)] = true
	return openapi3filter.ValidateResponse(h.t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: resp.StatusCode, Header: resp.Header, Body: resp.Body,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
}

// send sends a request, and judges the answer. body is a string or a reader.
func (h *pollHost) send(who, method, path string, body any, status int, header ...string) *httptest.ResponseRecorder {
	h.t.Helper()
	src, ok := body.(io.Reader)
	if text, is := body.(string); !ok && is {
		src = strings.NewReader(text)
	}
	r := httptest.NewRequest(method, "/api/benchmarks"+path, src)
	if who != "" {
		r.Header.Set("Authorization", "Bearer lcb_"+who)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.polls.ServeHTTP(w, r)
	if w.Code != status {
		h.t.Errorf("%s %s %v: %d %s, want %d", method, path, body, w.Code, w.Body, status)
	}
	if method == "DELETE" { // the answers to all methods stand with the one that there is
		if r.Method = http.MethodPost; strings.HasPrefix(path, "/replays") || path == "" || path == "/example" || path == "/openapi.yaml" || strings.Count(path, "/") == 2 {
			r.Method = http.MethodGet
		}
	}
	if path == "" {
		r.URL.Path += "/" // as the document writes it
	}
	if method != http.MethodHead {
		resp := *w.Result()
		resp.Body = io.NopCloser(strings.NewReader(w.Body.String()))
		if err := h.fits(r, &resp); err != nil {
			h.t.Errorf("%s %s %v: %d: %v", method, path, body, w.Code, err)
		}
	}
	return w
}

type pollView struct {
	MatchID    string
	Status     string
	Revision   int
	LegalMoves []json.RawMessage
}

func (h *pollHost) view(w *httptest.ResponseRecorder) (v pollView) {
	h.t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		h.t.Fatal(err)
	}
	return v
}

func pollID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// play plays a match to its end.
func (h *pollHost) play(path string, v pollView) {
	h.t.Helper()
	for n := 0; v.Status == "agent" || v.Status == "ai"; n++ {
		if v.Status == "ai" {
			v = h.view(h.send("ann", "GET", path, nil, 200, "Prefer", "wait=20"))
			continue
		}
		body := fmt.Sprintf(`{"revision":%d,"moveId":%q,"action":%s}`, v.Revision, pollID(n), v.LegalMoves[0])
		v = h.view(h.send("ann", "POST", path+"/moves", body, 200))
	}
	if v.Status != "completed" {
		h.t.Errorf("%s: %s", path, v.Status)
	}
}

// TestPolling holds every answer of the polling API against its OpenAPI document: each status that the document names comes up, and no
// other.
func TestPolling(t *testing.T) { synctest.Test(t, testPolling) }

func testPolling(t *testing.T) {
	h := newPollHost(t)
	plenty := polling.Rate{PerSecond: 1e6, Burst: 1e6}
	stop := h.begin(plenty, true)
	create := func(n int, opponent, more string) string {
		return fmt.Sprintf(`{"opponent":%q,"requestId":%q%s}`, opponent, pollID(n), more)
	}
	// Whole matches of several games, in both seats.
	n := 1000
	for _, name := range []string{"grid", "connect-four", "werewolf"} {
		for seat := range 2 {
			n++
			v := h.view(h.send("ann", "POST", "/matches", create(n, "first", fmt.Sprintf(`,"game":%q,"agentSeat":%d,"control":"untimed"`, name, seat)), 201))
			h.play("/matches/"+v.MatchID, v)
			w := h.send("", "GET", "/replays/"+v.MatchID, nil, 200)
			h.send("", "GET", "/replays/"+v.MatchID, nil, 304, "If-None-Match", w.Header().Get("ETag"))
			h.send("ann", "GET", "/matches/"+v.MatchID, nil, 200)
		}
	}
	v := h.view(h.send("ann", "POST", "/matches", create(1, "never", ""), 201))
	path := "/matches/" + v.MatchID
	w := h.send("ann", "GET", path, nil, 200)
	h.send("ann", "GET", path, nil, 304, "If-None-Match", w.Header().Get("ETag"))
	other := h.view(h.send("ann", "POST", "/matches", create(2, "first", ""), 201))
	move := func(revision, row int) string {
		return fmt.Sprintf(`{"revision":%d,"moveId":%q,"row":%d,"col":0}`, revision, pollID(1), row)
	}
	posts := map[string]string{"/matches": create(1, "never", ""), path + "/moves": move(0, 0), path + "/abandon": "{}"}
	for at, body := range posts { // what all posts answer
		h.send("ann", "POST", at, "[", 400)
		h.send("", "POST", at, body, 401)
		h.send("nobody", "POST", at, body, 401)
		h.send("eve", "POST", at, body, 403)
		h.send("broken", "POST", at, body, 500)
		h.send("ann", "DELETE", at, nil, 405)
		h.send("ann", "POST", at, slowBody{}, 408)
		h.send("ann", "POST", at, body+strings.Repeat(" ", 20_000), 413)
		h.send("ann", "POST", at, body, 415, "Content-Type", "text/plain")
		if at != "/matches" {
			h.send("bob", "POST", at, body, 403)
			h.send("ann", "POST", strings.Replace(at, v.MatchID, "unknown", 1), body, 404)
		}
	}
	h.send("ann", "POST", "/matches", create(1, "first", ""), 409)
	h.send("ann", "POST", "/matches", create(3, "secret", ""), 403)
	h.send("ann", "POST", "/matches", create(3, "heavy", ""), 503)
	h.send("ann", "POST", path+"/moves", move(7, 0), 409)
	h.send("ann", "POST", path+"/moves", move(0, 9), 422)
	h.send("ann", "POST", path+"/moves", move(0, 0), 200)
	h.send("ann", "GET", path, nil, 200)
	h.send("ann", "GET", path, nil, 429) // the pace
	h.send("", "GET", path, nil, 401)
	h.send("bob", "GET", path, nil, 403)
	h.send("ann", "GET", "/matches/unknown", nil, 404)
	h.send("ann", "DELETE", path, nil, 405)
	h.send("broken", "GET", path, nil, 500)
	h.send("ann", "POST", path+"/abandon", "{}", 200)
	// For everybody.
	h.send("", "GET", "/replays/unknown", nil, 404)
	h.send("", "GET", "/replays/"+other.MatchID, nil, 409)
	for _, at := range []string{"", "/example", "/openapi.yaml", "/replays/" + v.MatchID} {
		w := h.send("", "GET", at, nil, 200)
		h.send("", "HEAD", at, nil, 200)
		h.send("", "GET", at, nil, 304, "If-None-Match", w.Header().Get("ETag"))
		h.send("", "DELETE", at, nil, 405)
	}
	h.records.broken = true
	h.send("", "GET", "/replays/"+v.MatchID, nil, 500)
	h.records.broken = false
	// Limits.
	for range 500 {
		r := httptest.NewRequest("GET", "/api/benchmarks/matches/unknown", nil)
		r.Header.Set("Authorization", "Bearer lcb_busy")
		h.polls.ServeHTTP(httptest.NewRecorder(), r)
	}
	for at, body := range posts {
		h.send("busy", "POST", at, body, 429)
	}
	h.send("busy", "GET", path, nil, 429)
	stop()
	// Where nobody has taken a match over that was at play.
	stop = h.begin(plenty, false)
	for _, what := range []string{"", "/moves", "/abandon"} {
		method, body := http.MethodPost, any(posts[path+what])
		if what == "" {
			method, body = http.MethodGet, nil
		}
		h.send("ann", method, "/matches/"+other.MatchID+what, body, 503)
	}
	stop()
	stop = h.begin(polling.Rate{PerSecond: 1e-3, Burst: 1}, false)
	h.send("", "GET", "", nil, 200)
	for _, at := range []string{"", "/example", "/openapi.yaml", "/replays/" + v.MatchID} {
		h.send("", "GET", at, nil, 429)
	}
	stop()
	h.complete()
	h.canFail()
}

// complete reports what the document names and no request here was answered with.
func (h *pollHost) complete() {
	h.t.Helper()
	for path, item := range h.doc.Paths.Map() {
		for method, op := range item.Operations() {
			for status := range op.Responses.Map() {
				if !h.answered[method+" "+path+" "+status] {
					h.t.Errorf("%s %s never answers %s", method, path, status)
				}
			}
		}
	}
}

// canFail shows that an answer which the document does not know is found.
func (h *pollHost) canFail() {
	h.t.Helper()
	const missing = `{"type":"about:blank","title":"x","status":404,"code":"not_found"}`
	at := func(path string) *http.Request { return httptest.NewRequest("GET", "/api/benchmarks"+path, nil) }
	answer := func(status int, kind, body string, header ...string) *http.Response {
		resp := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(body))}
		for i := 0; i < len(header); i += 2 {
			resp.Header.Set(header[i], header[i+1])
		}
		return resp
	}
	shown := string(gridarena.Example())
	for name, resp := range map[string]*http.Response{
		"an answer":   answer(404, gridarena.ProblemType, missing),
		"with a time": answer(429, gridarena.ProblemType, missing, "Retry-After", "1"),
		"a view":      answer(200, gridarena.ContentType, shown, "ETag", `"x"`, "Cache-Control", "no-store"),
	} {
		if err := h.fits(at("/matches/x"), resp); err != nil {
			h.t.Errorf("%s: %v", name, err)
		}
	}
	for name, resp := range map[string]*http.Response{
		"an unknown status": answer(418, gridarena.ProblemType, missing),
		"another type":      answer(404, "text/plain", missing),
		"no time to wait":   answer(429, gridarena.ProblemType, missing),
		"an unknown member": answer(404, gridarena.ProblemType, missing[:len(missing)-1]+`,"key":"y"}`),
		"an unknown code":   answer(404, gridarena.ProblemType, strings.Replace(missing, "not_found", "lost", 1)),
		"no entity tag":     answer(200, gridarena.ContentType, shown, "Cache-Control", "no-store"),
		"a member missing":  answer(200, gridarena.ContentType, strings.Replace(shown, `"turn"`, `"tern"`, 1), "ETag", `"x"`, "Cache-Control", "no-store"),
	} {
		if h.fits(at("/matches/x"), resp) == nil {
			h.t.Errorf("%s fits", name)
		}
	}
}
