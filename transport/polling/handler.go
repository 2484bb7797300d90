package polling

import (
	"errors"
	"net/http"
	"path"
	"strconv"
	"sync"
	"time"

	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/transport"
)

// call is a request that is being answered.
type call struct {
	w     http.ResponseWriter
	r     *http.Request
	now   time.Time
	grant *transport.Grant // of a private endpoint
}

// reply is what a request gets.
type reply struct {
	status   int
	kind     string // content type
	body     []byte
	tag      string // entity tag with its quotes; "": none
	cache    string // Cache-Control; "": no-store
	location string
	buffer   *[]byte // of the pool; nil: body is nobody else's
}

// buffers hold the bodies of observations while they are sent.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// shown makes the answer that an observation is.
func shown(status int, o *gridarena.Observation) *reply {
	b := buffers.Get().(*[]byte)
	*b = o.Append((*b)[:0])
	return &reply{status: status, kind: gridarena.ContentType, body: *b, tag: tagOf(o), buffer: b}
}

// endpoint answers the requests of one path.
type endpoint struct {
	methods string // as Allow has them
	open    bool   // to everybody
	answer  func(*call) (*reply, error)
}

const (
	getting = "GET, HEAD"
	posting = "POST"

	// How long everybody may keep an answer that never changes, or may.
	stays = "public, max-age=86400"
	soon  = "public, max-age=5"
)

// route makes the handler.
func (t *Transport) route() {
	t.openAPI = []byte(gridarena.OpenAPI(t.o.Prefix))
	mux := http.NewServeMux()
	for pattern, e := range map[string]endpoint{
		"/matches":                 {posting, false, t.create},
		"/matches/{match}":         {getting, false, t.observe},
		"/matches/{match}/moves":   {posting, false, t.move},
		"/matches/{match}/abandon": {posting, false, t.abandon},
		"/replays/{match}":         {getting, true, t.replay},
		"/example":                 {getting, true, t.example},
		"/openapi.yaml":            {getting, true, t.description},
	} {
		mux.Handle(t.o.Prefix+pattern, t.serve(e))
	}
	latest := t.serve(endpoint{getting, true, t.latest})
	astray := t.serve(endpoint{"", true, nil})
	mux.Handle("/", astray)
	t.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := r.URL.Path; {
		case p == t.o.Prefix || p == t.o.Prefix+"/":
			latest.ServeHTTP(w, r)
		case path.Clean(p) != p: // where a mux would send the caller elsewhere
			astray.ServeHTTP(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// ServeHTTP answers the requests whose paths begin with [Options.Prefix]; mount it
// there, and below.
func (t *Transport) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.handler.ServeHTTP(w, r) }

// serve makes a handler of an endpoint; one without methods is nowhere.
func (t *Transport) serve(e endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{w: w, r: r, now: t.o.Now()}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.ContentLength != 0 { // of a request that is refused, the server itself reads the body
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(t.o.BodyTime))
		}
		a, err := t.judge(e, c)
		if err != nil {
			a = t.refusal(c, err)
		}
		if a != nil {
			c.send(a)
			if a.buffer != nil {
				buffers.Put(a.buffer)
			}
		}
	})
}

// judge lets a request through to its endpoint, or says why not.
func (t *Transport) judge(e endpoint, c *call) (*reply, error) {
	if e.methods == "" {
		return nil, gridarena.NewProblem(gridarena.CodeNotFound, "there is nothing here")
	}
	if m := c.r.Method; m != http.MethodPost && e.methods == posting || m != http.MethodGet && m != http.MethodHead && e.methods == getting {
		c.w.Header().Set("Allow", e.methods)
		return nil, gridarena.NewProblem(gridarena.CodeMethodNotAllowed, "this path takes "+e.methods)
	}
	if wait := t.sources.take(c.now, web.Source(c.r, t.o.Limits.Proxies...)); wait > 0 {
		return nil, limited("too many requests from this address", wait)
	}
	if e.open {
		return e.answer(c)
	}
	key := transport.Bearer(c.r.Header)
	if key == "" {
		return nil, unauthorized(c, "Bearer", "this path takes a key: Authorization: Bearer")
	}
	grant, err := t.o.Auth.Authenticate(c.r.Context(), key)
	switch {
	case errors.Is(err, transport.ErrKey):
		return nil, unauthorized(c, `Bearer error="invalid_token"`, "this key stands for nobody: it is wrong, has expired or was revoked")
	case err != nil:
		return nil, err
	}
	c.grant = grant
	if wait := t.accounts.take(c.now, grant.Owner()); wait > 0 {
		return nil, limited("too many requests of this account", wait)
	}
	if !grant.May(transport.ScopeBenchmark) {
		c.w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+transport.ScopeBenchmark+`"`)
		return nil, gridarena.NewProblem(gridarena.CodeMissingScope, "this key is not good for benchmark matches")
	}
	return e.answer(c)
}

func limited(detail string, wait time.Duration) error {
	return later(gridarena.CodeRateLimited, detail, wait)
}

func unauthorized(c *call, challenge, detail string) error {
	c.w.Header().Set("WWW-Authenticate", challenge)
	return gridarena.NewProblem(gridarena.CodeUnauthorized, detail)
}

// later gives a problem that passes.
func later(code gridarena.Code, detail string, wait time.Duration) *gridarena.Problem {
	p := gridarena.NewProblem(code, detail)
	p.RetryAfter = wait
	return p
}

// refusal makes the answer of an error: a problem, or one of the host's, of which
// its sender hears no more than that. nil: the sender has gone.
func (t *Transport) refusal(c *call, err error) *reply {
	var p *gridarena.Problem
	if !errors.As(err, &p) {
		if c.r.Context().Err() != nil {
			return nil
		}
		if errors.Is(err, errNoRecord) {
			p = gridarena.NewProblem(gridarena.CodeNotFound, "there is no record of the match")
		} else {
			t.o.Failed(err)
			p = gridarena.NewProblem(gridarena.CodeInternal, "the server failed; the same request may be sent again")
		}
	}
	if n := p.Seconds(); n > 0 {
		c.w.Header().Set("Retry-After", strconv.FormatInt(n, 10))
	}
	return &reply{status: p.Status, kind: gridarena.ProblemType, body: p.Append(nil)}
}

// send writes an answer.
func (c *call) send(a *reply) {
	h := c.w.Header()
	if a.cache == "" {
		a.cache = "no-store"
	}
	h.Set("Cache-Control", a.cache)
	if a.tag != "" {
		h.Set("ETag", a.tag)
		if a.status == http.StatusOK && c.r.Method != http.MethodPost && web.Matches(c.r.Header.Values("If-None-Match"), a.tag) {
			c.w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if a.location != "" {
		h.Set("Location", a.location)
	}
	h.Set("Content-Type", a.kind)
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	c.w.WriteHeader(a.status)
	_, _ = c.w.Write(a.body) // the server leaves it out of answers to HEAD
}
