package translog_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/translog"
)

const origin = "arena.example/matches"

// host is a host with some records, of which those that are finished are logged.
type host struct {
	signer  *replay.KeySigner
	keys    *replay.Keys
	key     note.Verifier
	log     *translog.Log
	storage *translog.Memory
	records map[string][]byte
	handler http.Handler
	failed  []error
}

func newHost(t testing.TB) *host {
	t.Helper()
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, 32))
	h := &host{signer: &replay.KeySigner{ID: "key-1", Key: private, Now: func() time.Time { return time.Unix(1_796_000_000, 0) }}, records: map[string][]byte{}, storage: new(translog.Memory)}
	public := h.signer.Public()
	old := public
	old.ID, old.From, old.Until, old.Revoked = "key-0", 1, 2, 3
	var err error
	if h.keys, err = replay.NewKeys(public, old); err != nil {
		t.Fatal(err)
	}
	signer, err := translog.NoteSigner(origin, private)
	if err != nil {
		t.Fatal(err)
	}
	if h.key, err = translog.NoteVerifier(origin, public.Key); err != nil {
		t.Fatal(err)
	}
	h.log, err = translog.Open(t.Context(), translog.Options{Origin: origin, Signers: []note.Signer{signer}, Key: h.key, Storage: h.storage})
	if err != nil {
		t.Fatal(err)
	}
	h.handler, err = translog.Handler(translog.HandlerOptions{
		Records: func(_ context.Context, id string) (io.ReadCloser, error) {
			if !referee.ValidID(id) {
				t.Errorf("the host is asked for the record of %q", id)
			}
			if id == "broken" {
				return nil, errors.New("the disk is gone: /secret/place")
			}
			b, ok := h.records[id]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return io.NopCloser(bytes.NewReader(b)), nil
		},
		Keys: h.keys, Log: h.log, Failed: func(_ *http.Request, err error) { h.failed = append(h.failed, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// play plays a match, and logs it if it says so.
func (h *host) play(t testing.TB, id string, logged bool) *replay.Report {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: id, Table: table, Seats: make([]referee.SeatInfo, 2)}
	s.Secret, s.Salt = referee.Secrets([]byte("key"), id)
	record := new(referee.Memory)
	column := referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: []game.Action{"2", "5"}[r.Seat]}
	})
	local := referee.Local{Config: referee.Config{Log: record, Seal: replay.Sealer(h.signer), Now: func() referee.Time { return 1_796_000_000_000 }}}
	if _, err := local.Play(t.Context(), s, column, column); err != nil {
		t.Fatal(err)
	}
	h.records[id] = record.Bytes()
	r, err := replay.Verify(bytes.NewReader(record.Bytes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if logged {
		e, err := translog.EntryOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.log.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (h *host) ask(t testing.TB, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w.Result()
}

func body(t testing.TB, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const audit = "/api/v1/audit/"

// TestAudit is a stranger who has the host's address and public keys: what it gets
// is enough to check a match, a line of it, and that it is in the log.
func TestAudit(t *testing.T) {
	h := newHost(t)
	for i := range 5 {
		h.play(t, fmt.Sprint("m", i), true)
	}
	r := h.play(t, "final", true)
	var b struct {
		ID           string            `json:"battle_id"`
		Root         string            `json:"battle_hash"`
		Attestations []json.RawMessage `json:"attestations"`
		Result       struct{ Returns []float64 }
		Log          struct {
			Number, Size int64
			Path         []string
			Checkpoint   string
			Entry        string
		}
	}
	resp := h.ask(t, "GET", audit+"battle/final")
	if err := json.Unmarshal([]byte(body(t, resp)), &b); err != nil || resp.StatusCode != 200 {
		t.Fatal(resp.Status, err)
	}
	a, err := replay.ParseAttestation(b.Attestations[0])
	if err != nil || b.ID != "final" || a.Root != r.Root || b.Root != "sha256:"+hex.EncodeToString(r.Root[:]) || b.Result.Returns[0] != 1 {
		t.Fatalf("%+v %v", b, err)
	}
	c, err := translog.OpenCheckpoint([]byte(b.Log.Checkpoint), origin, note.VerifierList(h.key))
	if err != nil || c.Size != 6 || b.Log.Size != 6 || b.Log.Number != 5 {
		t.Fatalf("%+v %v", b.Log, err)
	}
	e := translog.EntryOfAttestation("final", &a)
	if string(e.Append(nil)) != b.Log.Entry {
		t.Errorf("%s, not %s", b.Log.Entry, e.Append(nil))
	}
	if err := translog.CheckInclusion(unhex(t, b.Log.Path), c, b.Log.Number, &e); err != nil {
		t.Error(err)
	}

	record := body(t, h.ask(t, "GET", audit+"battle/final/record"))
	rep, err := replay.Verify(strings.NewReader(record), replay.Rules(connectfour.New()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.keys.Check(rep); err != nil || rep.Status != replay.Valid {
		t.Error(rep, err)
	}

	for n := range r.Events {
		var x struct {
			Line string
			Path []string
		}
		if err := json.Unmarshal([]byte(body(t, h.ask(t, "GET", fmt.Sprintf("%sbattle/final/events/%d", audit, n)))), &x); err != nil {
			t.Fatal(err)
		}
		proof := replay.Inclusion{Event: n, Path: unhex(t, x.Path)}
		if err := proof.Check([]byte(x.Line), a.Events, a.Root); err != nil {
			t.Errorf("event %d: %v", n, err)
		}
	}

	var grown struct {
		Path       []string
		Checkpoint string
	}
	before := h.ask(t, "GET", audit+"checkpoint")
	old, err := translog.OpenCheckpoint([]byte(body(t, before)), origin, note.VerifierList(h.key))
	if err != nil {
		t.Fatal(err)
	}
	h.play(t, "more", true)
	if err := json.Unmarshal([]byte(body(t, h.ask(t, "GET", audit+"consistency/6"))), &grown); err != nil {
		t.Fatal(err)
	}
	if c, err = translog.OpenCheckpoint([]byte(grown.Checkpoint), origin, note.VerifierList(h.key)); err != nil || c.Size != 7 {
		t.Fatal(c, err)
	}
	if err := translog.CheckConsistency(unhex(t, grown.Path), old, c); err != nil {
		t.Error(err)
	}

	if got := body(t, h.ask(t, "GET", audit+"public-keys")); got != `{"keys":[{"public_key_id":"key-0","algorithm":"ed25519","public_key":"`+hex.EncodeToString(h.signer.Public().Key)+
		`","not_before":1,"not_after":2,"revoked_at":3},{"public_key_id":"key-1","algorithm":"ed25519","public_key":"`+hex.EncodeToString(h.signer.Public().Key)+`","not_before":null,"not_after":null,"revoked_at":null}]}` {
		t.Error(got)
	}

	// The log's files are served as well, to an auditor who finds the match that was never logged.
	server := httptest.NewServer(h.handler)
	defer server.Close()
	auditor := translog.NewAuditor(origin, note.VerifierList(h.key), translog.HTTP(server.Client(), server.URL+audit+"log"))
	if err := auditor.Follow(t.Context(), nil); err != nil || auditor.Seen().Size != 7 {
		t.Fatal(err)
	}
	hidden, err := translog.EntryOf(h.play(t, "lost", false))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := auditor.Check(hidden); !errors.Is(err, translog.ErrDropped) {
		t.Errorf("a match that was dropped: %v", err)
	}
	if got := body(t, h.ask(t, "GET", audit+"battle/lost")); !strings.Contains(got, `"log":null`) {
		t.Error(got)
	}
}

func unhex(t testing.TB, path []string) (out [][32]byte) {
	t.Helper()
	for _, s := range path {
		b, err := hex.DecodeString(strings.TrimPrefix(s, "sha256:"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, [32]byte(b))
	}
	return out
}

// TestAuditRefuses walks through what cannot be answered.
func TestAuditRefuses(t *testing.T) {
	h := newHost(t)
	h.play(t, "m", true)
	whole := h.records["m"]
	h.records["live"] = whole[:bytes.LastIndex(whole, []byte(`{"k":"end"`))]
	h.records["torn"] = whole[:200]
	h.records["empty"] = nil
	h.records["other"] = whole
	forged := bytes.Replace(whole, []byte(`"a":5`), []byte(`"a":6`), 1)
	h.records["forged"] = forged
	// What an addition that was given up has left is no part of the log.
	for _, path := range []string{"tile/0/000.p/2", "tile/entries/000.p/2", "tile/0/000"} {
		if err := h.storage.Write(t.Context(), path, make([]byte, 64)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/", 404, "not_found"},
		{"GET", audit, 404, "not_found"},
		{"GET", audit + "battle/", 404, "not_found"},
		{"GET", audit + "battle/nobody", 404, "not_found"},
		{"GET", audit + "battle/a%2Fb", 404, "not_found"},
		{"GET", audit + "battle/..%2F..%2Fetc", 404, "not_found"},
		{"GET", audit + "battle/" + strings.Repeat("x", 3000), 404, "not_found"},
		{"GET", audit + "battle/live", 409, "running"},
		{"GET", audit + "battle/live/record", 409, "running"},
		{"GET", audit + "battle/live/events/0", 409, "running"},
		{"GET", audit + "battle/torn/record", 409, "running"},
		{"GET", audit + "battle/empty", 409, "running"},
		{"GET", audit + "battle/other", 500, "internal"},
		{"GET", audit + "battle/forged", 500, "internal"},
		{"GET", audit + "battle/broken", 500, "internal"},
		{"GET", audit + "battle/m/events/9", 404, "not_found"},
		{"GET", audit + "battle/m/events/-1", 400, "bad_number"},
		{"GET", audit + "battle/m/events/01", 400, "bad_number"},
		{"GET", audit + "battle/m/events/x", 400, "bad_number"},
		{"GET", audit + "battle/m/events/99999999999999999999", 400, "bad_number"},
		{"GET", audit + "consistency/2", 404, "not_found"},
		{"GET", audit + "consistency/0", 404, "not_found"},
		{"GET", audit + "consistency/1e3", 400, "bad_number"},
		{"GET", audit + "log/tile/0/001", 404, "not_found"},
		{"GET", audit + "log/tile/0/000", 404, "not_found"},
		{"GET", audit + "log/tile/0/000.p/2", 404, "not_found"},
		{"GET", audit + "log/tile/entries/000.p/2", 404, "not_found"},
		{"GET", audit + "log/tile/0/x072/x057/x594/x037/x927/936.p/1", 404, "not_found"},
		{"GET", audit + "log/lock", 404, "not_found"},
		{"GET", audit + "log", 404, "not_found"},
		{"GET", "/api/v1/audit", 404, "not_found"},
		{"GET", audit + "battle//m", 404, "not_found"},
		{"GET", audit + "log/../battle/m", 404, "not_found"},
		{"GET", audit + "battle/./m", 404, "not_found"},
		{"GET", audit + "battle/m/", 404, "not_found"},
		{"GET", "//", 404, "not_found"},
		{"PUT", audit + "battle//m", 405, "method_not_allowed"},
		{"GET", audit + "log/", 404, "not_found"},
		{"POST", audit + "battle/m", 405, "method_not_allowed"},
		{"DELETE", audit + "public-keys", 405, "method_not_allowed"},
	} {
		resp := h.ask(t, c.method, c.path)
		var p struct {
			Title, Detail, Code string
			Status              int
		}
		text := body(t, resp)
		if err := json.Unmarshal([]byte(text), &p); err != nil || resp.StatusCode != c.status || p.Status != c.status || p.Code != c.code || p.Title != http.StatusText(c.status) || p.Detail == "" {
			t.Errorf("%s %.80s: %s %s %v", c.method, c.path, resp.Status, text, err)
		}
		if got := resp.Header.Get("Content-Type"); got != "application/problem+json" || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %.80s: %v", c.method, c.path, resp.Header)
		}
		if c.status == 405 && resp.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: allows %q", c.path, resp.Header.Get("Allow"))
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s: %s", c.path, text)
		}
	}
	if len(h.failed) != 3 {
		t.Errorf("the host was told of %v", h.failed)
	}
	if _, err := translog.Handler(translog.HandlerOptions{}); err == nil || !strings.Contains(err.Error(), "Records") {
		t.Errorf("no records: %v", err)
	}
	bare, err := translog.Handler(translog.HandlerOptions{Records: func(context.Context, string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }})
	if err != nil {
		t.Fatal(err)
	}
	h.handler = bare
	for path, want := range map[string]string{"checkpoint": `"no_log"`, "consistency/1": `"no_log"`, "log/checkpoint": `"no_log"`, "public-keys": `{"keys":[]}`, "battle/m": `"log":null`} {
		if got := body(t, h.ask(t, "GET", audit+path)); !strings.Contains(got, want) {
			t.Errorf("%s without a log: %s", path, got)
		}
	}
}

// TestAuditCaching: what is finished is named and kept, HEAD tells as much as GET but for the body.
func TestAuditCaching(t *testing.T) {
	h := newHost(t)
	h.play(t, "m", true)
	for path, want := range map[string]struct {
		kind  string
		stays bool
	}{
		"battle/m":                 {"application/json", false},
		"battle/m/record":          {"application/x-ndjson", true},
		"battle/m/events/3":        {"application/json", true},
		"public-keys":              {"application/json", false},
		"checkpoint":               {"text/plain; charset=utf-8", false},
		"consistency/1":            {"application/json", false},
		"log/checkpoint":           {"text/plain; charset=utf-8", false},
		"log/tile/0/000.p/1":       {"application/octet-stream", true},
		"log/tile/entries/000.p/1": {"application/octet-stream", true},
	} {
		get, head := h.ask(t, "GET", audit+path), h.ask(t, "HEAD", audit+path)
		if get.StatusCode != 200 || head.StatusCode != 200 || get.Header.Get("Content-Type") != want.kind || fmt.Sprint(get.Header) != fmt.Sprint(head.Header) {
			t.Errorf("%s: %v, %v", path, get, head)
		}
		cache := get.Header.Get("Cache-Control")
		if strings.Contains(cache, "immutable") != want.stays || !strings.Contains(cache, "max-age=") {
			t.Errorf("%s: %s", path, cache)
		}
		tag := get.Header.Get("ETag")
		if sum := sha256.Sum256([]byte(body(t, get))); tag != `"`+hex.EncodeToString(sum[:])+`"` {
			t.Errorf("%s: tag %q", path, tag)
		}
		for header, status := range map[string]int{tag: 304, `"x", W/` + tag: 304, "*": 304, `"x"`: 200, "": 200} {
			got := h.ask(t, "GET", audit+path, "If-None-Match", header)
			if got.StatusCode != status || status == 304 && (body(t, got) != "" || got.Header.Get("ETag") != tag || got.Header.Get("Cache-Control") != cache) {
				t.Errorf("%s, If-None-Match %s: %v", path, header, got)
			}
		}
	}
	before := h.ask(t, "GET", audit+"battle/m").Header.Get("ETag")
	h.play(t, "m2", true)
	if after := h.ask(t, "GET", audit+"battle/m").Header.Get("ETag"); after == before {
		t.Error("the log grew, and its proof is still the same")
	}
	// Who asked between the end of a match and its seal is told of the seal.
	whole := h.records["m"]
	seal := bytes.LastIndex(whole, []byte(`{"k":"seal"`))
	for _, path := range []string{"battle/m", "battle/m/record"} {
		h.records["m"] = whole[:seal]
		early := h.ask(t, "GET", audit+path)
		if early.StatusCode != 200 || strings.Contains(early.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s without its seal: %v", path, early)
		}
		h.records["m"] = whole
		if late := h.ask(t, "GET", audit+path, "If-None-Match", early.Header.Get("ETag")); late.StatusCode != 200 {
			t.Errorf("%s with its seal: %s", path, late.Status)
		}
	}
}

// endless is a record without end.
type endless struct{ read, closed int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func (e *endless) Close() error { e.closed++; return nil }

// TestAuditEndless: of a record that never ends no more is read than the bound says, and it is closed.
func TestAuditEndless(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MB")
	}
	src := new(endless)
	var failed []error
	h, err := translog.Handler(translog.HandlerOptions{
		Records: func(context.Context, string) (io.ReadCloser, error) { return src, nil },
		Failed:  func(_ *http.Request, err error) { failed = append(failed, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", audit+"battle/m/record", nil))
	if w.Code != 500 || src.closed != 1 || src.read > 65<<20 || len(failed) != 1 || !strings.Contains(failed[0].Error(), "more than") {
		t.Errorf("%d, %d bytes read, closed %d times, %v", w.Code, src.read, src.closed, failed)
	}
}

// TestAuditGone: a caller who went away is no failure of the host.
func TestAuditGone(t *testing.T) {
	h := newHost(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i, want := range []int{1, 1} {
		r := httptest.NewRequestWithContext(ctx, "GET", audit+"battle/broken", nil)
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		if w.Code != 500 || len(h.failed) != want {
			t.Errorf("question %d: %d, the host was told of %v", i, w.Code, h.failed)
		}
		cancel()
	}
}
