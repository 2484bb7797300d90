package translog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// HandlerOptions set up [Handler].
type HandlerOptions struct {
	// Records opens the record of a match: an error that wraps [fs.ErrNotExist]
	// says that there is none. What is not finished is not shown, whatever this opens. Required.
	//
	// Each question about a match reads and checks its whole record, up to 64 MB,
	// for anybody who asks: a host that strangers reach puts a limit of its own, or a cache, in front.
	Records func(ctx context.Context, match string) (io.ReadCloser, error)
	// Keys are the public keys of attestations, old and revoked ones included; nil: none.
	Keys *replay.Keys
	// Log is the transparency log; nil: there is none.
	Log *Log
	// Failed is told of each error that is the host's; nil: nobody is.
	Failed func(*http.Request, error)
}

// Handler answers an auditor's questions: sections 15 to 17 of Arena Protocol 1.1.
// docs/openapi/audit.yaml describes all of it.
//
//	GET /api/v1/audit/battle/{id}                 what is attested of a finished match, its result, its place in the log
//	GET /api/v1/audit/battle/{id}/record          its record
//	GET /api/v1/audit/battle/{id}/events/{n}      one line of it, and the proof that it belongs there
//	GET /api/v1/audit/public-keys                 the keys
//	GET /api/v1/audit/checkpoint                  the newest checkpoint of the log
//	GET /api/v1/audit/consistency/{size}          the proof that the log of that size became this one
//	GET /api/v1/audit/log/{path...}               the files of the log
//
// Errors are problem documents (RFC 9457) with a code that stays: not_found,
// running, method_not_allowed, bad_number, no_log, internal. Of a match that runs nothing is told but
// that it does. What can never change any more may be cached for ever, all else for seconds; every
// answer has an entity tag of its very bytes.
func Handler(o HandlerOptions) (http.Handler, error) {
	if o.Records == nil {
		return nil, errors.New("translog: Records: there is none")
	}
	h := &handler{o}
	mux := http.NewServeMux()
	for pattern, f := range map[string]func(*http.Request) (*answer, error){
		"/api/v1/audit/battle/{id}":            h.battle,
		"/api/v1/audit/battle/{id}/record":     h.record,
		"/api/v1/audit/battle/{id}/events/{n}": h.event,
		"/api/v1/audit/public-keys":            h.keys,
		"/api/v1/audit/checkpoint":             h.checkpoint,
		"/api/v1/audit/consistency/{size}":     h.consistency,
		"/api/v1/audit/log/{path...}":          h.file,
		"/api/v1/audit/log":                    nothing,
		"/":                                    nothing,
	} {
		mux.Handle(pattern, h.serve(f))
	}
	astray := h.serve(nothing)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if clean := path.Clean(r.URL.Path); !strings.HasPrefix(clean, "/") || clean != r.URL.Path && (clean == "/" || clean+"/" != r.URL.Path) {
			astray(w, r) // where a mux would send the caller elsewhere
			return
		}
		mux.ServeHTTP(w, r)
	}), nil
}

func nothing(*http.Request) (*answer, error) { return nil, errNotFound }

type handler struct{ HandlerOptions }

// answer is what a question gets: JSON of value, or bytes as they are.
type answer struct {
	value any
	kind  string
	bytes []byte
	stays bool // for ever
}

const (
	forEver = "public, max-age=31536000, immutable"
	soon    = "public, max-age=5"
)

// serve makes a handler of a function that answers.
func (h *handler) serve(f func(*http.Request) (*answer, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			errMethod.write(w)
			return
		}
		a, err := f(r)
		if err == nil && a.value != nil {
			a.kind = "application/json"
			a.bytes, err = json.Marshal(a.value)
		}
		var p *problem
		switch {
		case errors.As(err, &p):
			p.write(w)
			return
		case err != nil:
			if h.Failed != nil && r.Context().Err() == nil { // else the caller is gone, which is no failure
				h.Failed(r, err)
			}
			errInternal.write(w)
			return
		}
		cache := soon
		if a.stays {
			cache = forEver
		}
		w.Header().Set("Cache-Control", cache)
		w.Header().Set("Content-Type", a.kind)
		sum := sha256.Sum256(a.bytes)
		tag := `"` + hex.EncodeToString(sum[:]) + `"`
		w.Header().Set("ETag", tag)
		if web.Matches(r.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(a.bytes)))
		_, _ = w.Write(a.bytes)
	}
}

// finished reads the record of a match to its end; the report is of one that is
// complete.
func (h *handler) finished(r *http.Request) ([]byte, *replay.Report, error) {
	id := r.PathValue("id")
	if !referee.ValidID(id) {
		return nil, nil, errNotFound
	}
	src, err := h.Records(r.Context(), id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errNotFound
	case err != nil:
		return nil, nil, err
	}
	defer src.Close()
	record, err := io.ReadAll(io.LimitReader(src, maxRecord+1))
	if err != nil {
		return nil, nil, err
	}
	if len(record) > maxRecord {
		return nil, nil, fmt.Errorf("translog: the record of %s has more than %d bytes", id, maxRecord)
	}
	report, err := replay.Verify(bytes.NewReader(record), nil)
	if err != nil {
		return nil, nil, err
	}
	switch err := report.Err(); {
	case errors.Is(err, replay.ErrUnfinished):
		return nil, nil, errRunning
	case err != nil && !errors.Is(err, replay.ErrUnknownRules):
		return nil, nil, err
	case report.Start.ID != id:
		return nil, nil, fmt.Errorf("translog: the record of %s is that of %s", id, report.Start.ID)
	}
	return record, report, nil
}

// maxRecord bounds a record that is shown: some hundred thousand lines.
const maxRecord = 64 << 20
