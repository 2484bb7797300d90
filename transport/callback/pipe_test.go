package callback_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// pipes is the network of tests in virtual time: each connection is a pipe to a
// server that follows a script.
type pipes struct {
	// conn, where set, has a connection first; false: it did all there is to do.
	conn func(n int, c net.Conn) bool
	// reply answers the nth request, from 1; false: the connection is closed.
	reply func(n int, c net.Conn, r *http.Request, m agentarena.MoveRequest) bool
	end   func(n int) // where set, is told of the end of the nth connection
	tls   *tls.Config // of the server; nil: plain

	mu       sync.Mutex
	wg       sync.WaitGroup
	conns    int
	requests int
	spans    []span // when requests were being answered
}

type span struct{ from, to time.Time }

func (p *pipes) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if network != "tcp4" || address != "1.1.1.1:443" && address != "1.1.1.1:80" {
		return nil, fmt.Errorf("asked to connect to %s %s", network, address)
	}
	ours, theirs := net.Pipe()
	p.mu.Lock()
	p.conns++
	n := p.conns
	p.mu.Unlock()
	p.wg.Go(func() { p.serve(n, theirs) })
	return ours, nil
}

func (p *pipes) serve(n int, c net.Conn) {
	defer func() {
		c.Close()
		if p.end != nil {
			p.end(n)
		}
	}()
	if p.conn != nil && !p.conn(n, c) {
		return
	}
	if p.tls != nil {
		s := tls.Server(c, p.tls)
		if s.Handshake() != nil {
			return
		}
		c = s
	}
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		m, err := agentarena.DecodeRequest(body)
		if err != nil {
			panic(err) // what we sent ourselves
		}
		if !p.answer(c, r, m) {
			return
		}
	}
}

// answer lets the script answer.
func (p *pipes) answer(c net.Conn, r *http.Request, m agentarena.MoveRequest) bool {
	p.mu.Lock()
	p.requests++
	n := p.requests
	p.mu.Unlock()
	from := time.Now()
	defer func() {
		p.mu.Lock()
		p.spans = append(p.spans, span{from, time.Now()})
		p.mu.Unlock()
	}()
	return p.reply(n, c, r, m)
}

// seen gives how many connections and requests there were, and how many requests at once.
func (p *pipes) seen() (conns, requests, most int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.spans { // where one begins, as many are open as ever
		n := 0
		for _, b := range p.spans {
			if !b.from.After(a.from) && b.to.After(a.from) {
				n++
			}
		}
		most = max(most, n)
	}
	return p.conns, p.requests, most
}

// untilClosed waits for the other side to hang up.
func untilClosed(c net.Conn) { io.Copy(io.Discard, c) }

// goodBody is a reply that counts.
func goodBody(m agentarena.MoveRequest) []byte {
	return agentarena.AppendReply(nil, agentarena.Reply{Move: m.Legal[len(m.Legal)-1], Nonce: m.Nonce})
}

// write sends a whole HTTP reply with these header lines; false: it failed.
func write(c net.Conn, status string, header string, body []byte) bool {
	_, err := fmt.Fprintf(c, "HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", status, header, len(body), body)
	return err == nil
}

func writeGood(c net.Conn, m agentarena.MoveRequest) bool {
	return write(c, "200 OK", "Content-Type: application/json\r\n", goodBody(m))
}

// over makes a transport over the pipes, to agents at agent.example.
func (p *pipes) over(t *testing.T, o callback.Options) *callback.Transport {
	t.Helper()
	o.Dial = p.dial
	if o.Resolver == nil {
		o.Resolver = resolver(map[string][]lookup{"agent.example": {{addrs: []string{"1.1.1.1"}}}, "arena.example": {{addrs: []string{"1.1.1.2"}}}})
	}
	t.Cleanup(p.wg.Wait)
	return newTransport(t, o)
}

// plain are options for http over pipes.
func plain(e *events) callback.Options {
	o := callback.Options{AllowHTTP: true}
	if e != nil {
		o.Observe = e.add
	}
	return o
}

// certificate makes one for a name, valid now, and the roots that trust it.
func certificate(t *testing.T, name string) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(c)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, roots
}

// playedOver is a whole match under the unchanged policy, and how long it took.
func playedOver(t *testing.T, p referee.Player, id string) (*referee.Result, []string, time.Duration) {
	t.Helper()
	s := setupFor(t, id, "agent")
	s.Seats[0].Policy, s.Seats[0].Clock = agentarena.Policy(2)
	begun := time.Now()
	r, faults := played(t, s, p)
	return r, faults, time.Since(begun)
}
