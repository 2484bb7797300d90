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

// auditHost is a host that has some matches in a log, one that is not in it, and one that runs.
func auditHost(t *testing.T, matches int) http.Handler {
	t.Helper()
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
	l, err := translog.Open(t.Context(), translog.Options{Origin: origin, Signers: []note.Signer{own}, Key: public, Storage: new(translog.Memory)})
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
	h, err := translog.Handler(translog.HandlerOptions{Keys: keys, Log: l, Records: func(_ context.Context, id string) (io.ReadCloser, error) {
		if id == "broken" {
			return nil, errors.New("no disk")
		}
		if b, ok := records[id]; ok {
			return io.NopCloser(bytes.NewReader(b)), nil
		}
		return nil, fs.ErrNotExist
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestAudit holds every kind of answer of the audit endpoints against their OpenAPI document, and the document against OpenAPI 3.1.
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
	h := auditHost(t, 260)
	answered := map[string]bool{}
	ask := func(method, path string, header ...string) (*http.Request, *http.Response) {
		r := httptest.NewRequest(method, "/api/v1/audit"+path, nil)
		if len(header) == 2 {
			r.Header.Set(header[0], header[1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return r, w.Result()
	}
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/battle/m-0", 200}, {"/battle/m-1", 200}, {"/battle/m-2", 200}, {"/battle/nobody", 404}, {"/battle/live", 409}, {"/battle/broken", 500},
		{"/battle/m-0/record", 200}, {"/battle/nobody/record", 404}, {"/battle/live/record", 409}, {"/battle/broken/record", 500},
		{"/battle/m-0/events/0", 200}, {"/battle/m-0/events/8", 200}, {"/battle/m-0/events/99", 404}, {"/battle/live/events/0", 409}, {"/battle/broken/events/0", 500},
		{"/battle/m-0/events/01", 400}, {"/public-keys", 200}, {"/checkpoint", 200}, {"/consistency/1", 200}, {"/consistency/200", 200}, {"/consistency/1000", 404}, {"/consistency/x", 400},
		{"/log/checkpoint", 200}, {"/log/tile/0/000", 200}, {"/log/tile/entries/000", 200}, {"/log/tile/0/007", 404},
	} {
		req, resp := ask("GET", c.path)
		if resp.StatusCode != c.status {
			t.Errorf("%s: %s, want %d", c.path, resp.Status, c.status)
		}
		if err := fits(req, resp); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		answered[fmt.Sprint(c.status)] = true
		if tag := resp.Header.Get("ETag"); tag != "" {
			req, resp := ask("GET", c.path, "If-None-Match", tag)
			if err := fits(req, resp); err != nil || resp.StatusCode != 304 {
				t.Errorf("%s, again: %s %v", c.path, resp.Status, err)
			}
		}
	}
	if len(answered) != 5 {
		t.Errorf("answers of %d kinds", len(answered))
	}
	// The check can fail: an answer that the document does not know is found.
	req, _ := ask("GET", "/public-keys")
	for _, forged := range []string{`{"keys":[{"public_key_id":"x"}]}`, `{"keys":null}`, `{}`} {
		resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(forged))}
		if fits(req, resp) == nil {
			t.Errorf("%s fits", forged)
		}
	}
}
