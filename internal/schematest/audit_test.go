package schematest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/legacy"
	"golang.org/x/mod/sumdb/note"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/translog"
)

// failing is a storage that can be broken.
type failing struct {
	translog.Memory
	broken bool
}

func (f *failing) Read(ctx context.Context, path string) ([]byte, error) {
	if f.broken {
		return nil, errors.New("no disk")
	}
	return f.Memory.Read(ctx, path)
}

// auditHost is a host that has some matches in a log, one that is not in it, and one that runs; bare is one without a log.
func auditHost(t *testing.T, matches int) (h, bare http.Handler, storage *failing) {
	t.Helper()
	storage = new(failing)
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	signer := &replay.KeySigner{ID: "key-1", Key: key, URL: "https://arena.example/{id}", Now: func() time.Time { return time.Unix(1_796_000_000, 0) }}
	second := *signer
	second.ID = "key-2"
	origin := "arena.example/matches"
	own, err := translog.NoteSigner(origin, key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := translog.NoteVerifier(origin, key.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	l, err := translog.Open(t.Context(), translog.Options{Origin: origin, Signers: []note.Signer{own}, Key: public, Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	column := referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: []game.Action{"2", "5"}[r.Seat]}
	})
	records := map[string][]byte{}
	for i := range matches {
		s := referee.Setup{ID: fmt.Sprintf("m-%d", i), Table: table, Seats: make([]referee.SeatInfo, 2)}
		record := new(referee.Memory)
		c := referee.Config{Log: record, Seal: replay.Sealer(signer, &second), Now: func() referee.Time { return 1 }}
		if i == 1 {
			c.Seal = nil
		}
		if _, err := (&referee.Local{Config: c}).Play(t.Context(), s, column, column); err != nil {
			t.Fatal(err)
		}
		records[s.ID] = record.Bytes()
		r, err := replay.Verify(bytes.NewReader(record.Bytes()), nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := translog.EntryOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			continue // not logged
		}
		if _, err := l.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	records["live"] = records["m-0"][:300]
	retired := signer.Public()
	retired.ID, retired.From, retired.Until, retired.Revoked = "key-0", 5, 6, 7
	keys, err := replay.NewKeys(signer.Public(), second.Public(), retired)
	if err != nil {
		t.Fatal(err)
	}
	o := translog.HandlerOptions{Keys: keys, Log: l, Records: func(_ context.Context, id string) (io.ReadCloser, error) {
		if id == "broken" {
			return nil, errors.New("no disk")
		}
		if b, ok := records[id]; ok {
			return io.NopCloser(bytes.NewReader(b)), nil
		}
		return nil, fs.ErrNotExist
	}}
	if h, err = translog.Handler(o); err != nil {
		t.Fatal(err)
	}
	o.Log = nil
	if bare, err = translog.Handler(o); err != nil {
		t.Fatal(err)
	}
	return h, bare, storage
}

// TestAudit holds every answer of the audit endpoints against their OpenAPI document, and the document against OpenAPI 3.1: each status
// that the document names comes up, and no other.
func TestAudit(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.FromSlash("../../docs/openapi/audit.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Fatalf("a document of OpenAPI %s", doc.OpenAPI)
	}
	router, err := legacy.NewRouter(doc) // judges the document too
	if err != nil {
		t.Fatal(err)
	}
	fits := func(req *http.Request, resp *http.Response) error {
		route, params, err := router.FindRoute(req)
		if err != nil {
			return err
		}
		in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route}
		return openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: resp.StatusCode, Header: resp.Header, Body: resp.Body,
			Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
		})
	}
	h, bare, storage := auditHost(t, 260)
	answered := map[string]bool{}
	ask := func(h http.Handler, method, path string, status int, header ...string) (*http.Request, *http.Response) {
		t.Helper()
		r := httptest.NewRequest(method, "/api/v1/audit"+path, nil)
		if len(header) == 2 {
			r.Header.Set(header[0], header[1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		resp := w.Result()
		if resp.StatusCode != status {
			t.Errorf("%s %s: %s, want %d", method, path, resp.Status, status)
		}
		r.Method = http.MethodGet // the answers to all methods stand there
		if method != http.MethodHead {
			if err := fits(r, resp); err != nil {
				t.Errorf("%s %s: %v", method, path, err)
			}
		}
		route, _, err := router.FindRoute(r)
		if err != nil {
			t.Fatal(err)
		}
		answered[fmt.Sprint(route.Path, " ", resp.StatusCode)] = true
		return r, resp
	}
	for _, c := range []struct {
		h      http.Handler
		path   string
		status int
	}{
		{h, "/battle/m-0", 200}, {h, "/battle/m-1", 200}, {h, "/battle/m-2", 200}, {bare, "/battle/m-0", 200}, {h, "/battle/nobody", 404}, {h, "/battle/live", 409}, {h, "/battle/broken", 500},
		{h, "/battle/m-0/record", 200}, {h, "/battle/m-1/record", 200}, {h, "/battle/nobody/record", 404}, {h, "/battle/live/record", 409}, {h, "/battle/broken/record", 500},
		{h, "/battle/m-0/events/0", 200}, {h, "/battle/m-0/events/8", 200}, {h, "/battle/m-0/events/99", 404}, {h, "/battle/live/events/0", 409}, {h, "/battle/broken/events/0", 500},
		{h, "/battle/m-0/events/01", 400}, {h, "/public-keys", 200}, {h, "/checkpoint", 200}, {bare, "/checkpoint", 404},
		{h, "/consistency/1", 200}, {h, "/consistency/200", 200}, {h, "/consistency/1000", 404}, {bare, "/consistency/1", 404}, {h, "/consistency/x", 400},
		{h, "/log/checkpoint", 200}, {bare, "/log/checkpoint", 404}, {h, "/log/tile/0/000", 200}, {h, "/log/tile/entries/000", 200}, {h, "/log/tile/0/007", 404}, {bare, "/log/tile/0/000", 404},
		{h, "/log/tile/0/001.p/3", 200}, {h, "/log/tile/entries/001.p/3", 200}, {h, "/log/tile/1/000.p/1", 200}, {h, "/log/tile/0/001.p/4", 404}, {h, "/log/tile/0/x001/234", 404},
	} {
		_, resp := ask(c.h, "GET", c.path, c.status)
		if c.status == 200 {
			ask(c.h, "HEAD", c.path, 200)
			ask(c.h, "GET", c.path, 304, "If-None-Match", resp.Header.Get("ETag"))
		}
		ask(c.h, "POST", c.path, 405)
	}
	storage.broken = true
	for _, path := range []string{"/battle/m-0", "/consistency/1", "/log/tile/0/000", "/log/tile/0/001.p/3"} {
		ask(h, "GET", path, 500)
	}
	storage.broken = false
	for path, item := range doc.Paths.Map() {
		for status := range item.Get.Responses.Map() {
			if !answered[path+" "+status] {
				t.Errorf("%s never answers %s", path, status)
			}
		}
	}
	// The check can fail: an answer that the document does not know is found.
	req, good := ask(h, "GET", "/public-keys", 200)
	for name, drop := range map[string]string{"no entity tag": "ETag", "no caching": "Cache-Control"} {
		resp := &http.Response{StatusCode: 200, Header: good.Header.Clone(), Body: io.NopCloser(strings.NewReader(`{"keys":[]}`))}
		if err := fits(req, resp); err != nil {
			t.Error(err)
		}
		resp.Header.Del(drop)
		resp.Body = io.NopCloser(strings.NewReader(`{"keys":[]}`))
		if fits(req, resp) == nil {
			t.Errorf("%s fits", name)
		}
	}
	for _, forged := range []string{`{"keys":[{"public_key_id":"x"}]}`, `{"keys":null}`, `{}`, `{"keys":[],"more":1}`} {
		resp := &http.Response{StatusCode: 200, Header: good.Header.Clone(), Body: io.NopCloser(strings.NewReader(forged))}
		if fits(req, resp) == nil {
			t.Errorf("%s fits", forged)
		}
	}
}
