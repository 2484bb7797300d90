package callback_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// posts is a server of net/http over pipes, for tests in virtual time, and notes
// what comes.
type posts struct {
	handler http.Handler
	server  http.Server
	conns   chan net.Conn
	done    chan struct{}
	wg      sync.WaitGroup // of the server and what it handles

	mu    sync.Mutex
	got   []delivery
	dials int
}

// delivery is a request that came.
type delivery struct {
	at                  time.Time
	path, id, signature string
	unix                int64
	header              http.Header
	body                []byte
	kind                ludux.Kind
	match               string
	asked               *ludux.ActionRequest // nil: it asked for nothing
}

// serveOver makes a transport to an agent at agent.example, which the handler is.
func serveOver(t *testing.T, h http.Handler, o callback.Options) (*callback.Transport, *posts) {
	t.Helper()
	p := &posts{handler: h, conns: make(chan net.Conn), done: make(chan struct{})}
	p.server = http.Server{Handler: p, ErrorLog: log.New(io.Discard, "", 0)}
	p.wg.Go(func() { p.server.Serve(p) })
	t.Cleanup(func() {
		p.server.Close()
		p.wg.Wait()
	})
	if o.Dial == nil {
		o.Dial = p.dial
	}
	if o.Resolver == nil {
		o.Resolver = resolver(map[string][]lookup{"agent.example": {{addrs: []string{"1.1.1.1"}}}, "arena.example": {{addrs: []string{"1.1.1.2"}}}})
	}
	o.AllowHTTP = true
	if o.Signed == nil {
		o.Signed = &callback.Signed{Secrets: sharing(theSecret)}
	}
	return newTransport(t, o), p
}

// theSecret is that of most agents here.
var theSecret = func() callback.Secret {
	s, err := callback.ParseSecret(encodeSecret("canary-secret-of-an-agent-0123"))
	if err != nil {
		panic(err)
	}
	return s
}()

func sharing(list ...callback.Secret) func(context.Context, referee.Agent) ([]callback.Secret, error) {
	return func(context.Context, referee.Agent) ([]callback.Secret, error) { return list, nil }
}

func (p *posts) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if address != "1.1.1.1:80" {
		return nil, fmt.Errorf("asked to connect to %s %s", network, address)
	}
	p.mu.Lock()
	p.dials++
	p.mu.Unlock()
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.done:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}

func (p *posts) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *posts) Close() error { // of the listener; http.Server does it once
	close(p.done)
	return nil
}

func (p *posts) Addr() net.Addr { return &net.TCPAddr{} }

func (p *posts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.wg.Add(1)
	defer p.wg.Done()
	x := delivery{at: time.Now(), path: r.URL.Path, header: r.Header.Clone(), id: r.Header.Get("webhook-id"), signature: r.Header.Get("webhook-signature")}
	x.unix, _ = strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
	x.body, _ = io.ReadAll(r.Body)
	m, err := ludux.DecodeFromArena(x.body)
	if err != nil {
		panic(err) // what we sent ourselves
	}
	x.kind = m.Kind()
	switch m := m.(type) {
	case *ludux.ActionRequest:
		x.asked, x.match = m, m.MatchID
	case *ludux.MatchStart:
		x.match = m.MatchID
	case *ludux.MatchEnd:
		x.match = m.MatchID
	}
	p.mu.Lock()
	p.got = append(p.got, x)
	p.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(x.body))
	p.handler.ServeHTTP(w, r)
}

// all gives what came, in order; kind "": of any kind.
func (p *posts) all(kind ludux.Kind) (list []delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.got {
		if kind == "" || x.kind == kind {
			list = append(list, x)
		}
	}
	return list
}

func (p *posts) connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dials
}

// signedSetup is a match of agent slug on seat 0 against leftmost, under the
// policy and clock of ludux/1.
func signedSetup(t testing.TB, id, slug string) referee.Setup {
	s := setupFor(t, id, slug)
	s.Seats[0].Policy, s.Seats[0].Clock = ludux.Policy(2)
	return s
}

// last plays the last legal action.
func last(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	return m.Respond(m.LegalActions[len(m.LegalActions)-1], ""), nil
}

// signedAgent is one that plays the last legal action.
func signedAgent(t testing.TB, o callback.SignedAgentOptions) http.Handler {
	t.Helper()
	if o.Verifier == nil {
		v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{theSecret}})
		if err != nil {
			t.Fatal(err)
		}
		o.Verifier = v
	}
	h, err := callback.SignedAgent(last, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// answerTo is a reply that counts.
func answerTo(m *ludux.ActionRequest) []byte {
	return m.Respond(m.LegalActions[len(m.LegalActions)-1], "").Append(nil)
}

// scripted is an agent that answers its nth request by fail, if that takes it on,
// and else well. Requests are not verified.
func scripted(fail func(n int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool) http.Handler {
	var mu sync.Mutex
	n := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m, err := ludux.DecodeFromArena(body)
		if err != nil {
			panic(err)
		}
		asked, ok := m.(*ludux.ActionRequest)
		if !ok {
			w.Header().Set("Connection", "close") // so that no other connection is kept than that of requests
			w.WriteHeader(http.StatusNoContent)
			return
		}
		mu.Lock()
		n++
		i := n
		mu.Unlock()
		if !fail(i, w, r, asked) {
			w.Write(answerTo(asked))
		}
	})
}

// hijacked takes the connection from the server.
func hijacked(w http.ResponseWriter) net.Conn {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	return c
}

// hangUp closes a connection without a word.
func hangUp(w http.ResponseWriter) { hijacked(w).Close() }

// seconds gives when posts came, since the first, in seconds.
func seconds(list []delivery) string {
	var out []string
	for _, x := range list {
		out = append(out, strconv.FormatFloat(x.at.Sub(list[0].at).Seconds(), 'f', -1, 64))
	}
	return strings.Join(out, " ")
}

// prefixed is a body of which some was read already.
func prefixed(read []byte, rest io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(bytes.Clone(read)), rest), rest}
}
