package callback

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
)

// canned is a server that has said all it will say.
type canned struct {
	io.Reader
	io.Writer
}

func exchangeCanned(reply []byte, failWrite bool) (*conn, *trip, int, []byte, bool, error) {
	rw := canned{bytes.NewReader(reply), io.Discard}
	if failWrite {
		rw.Writer = failWriter{}
	}
	c, tr := newConn(rw, nil, nil), &trip{began: time.Now()}
	status, body, keep, err := c.exchange(tr, []byte("POST / HTTP/1.1\r\n\r\n"), 8192)
	return c, tr, status, body, keep, err
}

type failWriter struct{}

func (failWriter) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// TestExchange reads replies down to which connections can be used again.
func TestExchange(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
	for _, c := range []struct {
		name, reply string
		failWrite   bool
		status      int // 0: an error
		body        string
		keep        bool
		stage       Stage
	}{
		{"plain", ok, false, 200, "{}", true, StageDone},
		{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nX-Trailer: 1\r\n\r\n", false, 200, "{}", true, StageDone},
		{"after 103", "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n" + ok, false, 200, "{}", true, StageDone},
		{"after 100", "HTTP/1.1 100 Continue\r\n\r\n" + ok, false, 200, "{}", true, StageDone},
		{"after five of them", strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 5) + ok, false, 200, "{}", true, StageDone},
		{"after six of them", strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", 6) + ok, false, 0, "", false, StageBody},
		{"close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", false, 200, "{}", false, StageDone},
		{"until the end", "HTTP/1.1 200 OK\r\n\r\n{}", false, 200, "{}", false, StageDone},
		{"1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", false, 200, "{}", false, StageDone},
		{"more than asked for", ok + ok, false, 200, "{}", false, StageDone},
		{"404", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}", false, 404, "", false, StageDone},
		{"an early word", "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n", true, 413, "", false, StageDone},
		{"an early good word", ok, true, 200, "{}", false, StageDone},
		{"nothing read, nothing said", "", true, 0, "", false, StageWrite},
		{"nothing said", "", false, 0, "", false, StageFirstByte},
		{"nothing to say", "HTTP/1.1 204 No Content\r\n\r\n", false, 204, "", true, StageDone},
		{"nothing to say, and then more", "HTTP/1.1 204 No Content\r\n\r\n{}", false, 204, "", false, StageDone},
		{"nothing to say ever again", "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", false, 204, "", false, StageDone},
		{"two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", false, 0, "", false, StageBody},
		{"negative length", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}", false, 0, "", false, StageBody},
		{"unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}", false, 0, "", false, StageBody},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false, 0, "", false, StageBody},
		{"a header of 8193 bytes", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 8193-24) + "\r\n\r\n{}", false, 0, "", false, StageBody},
		{"a header of 8192 bytes", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 8192-24) + "\r\n\r\n{}", false, 200, "{}", false, StageDone},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tr, status, body, keep, err := exchangeCanned([]byte(c.reply), c.failWrite)
			if c.status == 0 {
				status = 0
			}
			if (err != nil) != (c.status == 0) || status != c.status || string(body) != c.body || keep != c.keep || tr.stage != c.stage {
				t.Errorf("got %d %q keep %v at %v: %v", status, body, keep, tr.stage, err)
			}
		})
	}
}

// replySeeds are replies for the fuzzer.
func replySeeds() []string {
	return []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.0 200 OK\r\n\r\n{}",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", "HTTP/1.1 103 x\r\n\r\nHTTP/1.1 204 x\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n", "", "\x00", "HTTP/1.1 200 OK\r\nX: y", "SSH-2.0-x\r\n",
	}
}

// FuzzReply reads any bytes as a reply: never more of a body than allowed, and a
// connection is kept only where all that came was read.
func FuzzReply(f *testing.F) {
	seeds := replySeeds()
	if len(seeds) < 5 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		c, tr, status, body, keep, err := exchangeCanned(reply, false)
		switch {
		case len(body) > agentarena.MaxReply+1:
			t.Fatalf("a body of %d bytes", len(body))
		case err != nil && (keep || body != nil || tr.stage == StageDone):
			t.Fatalf("keep %v, body %q at %v beside %v", keep, body, tr.stage, err)
		case err == nil && (status != tr.status || tr.stage != StageDone || status >= 100 && status <= 199 && status != 101):
			t.Fatalf("status %d at %v", status, tr.stage)
		case err == nil && status != 200 && (keep && status != 204 || body != nil):
			t.Fatalf("status %d: keep %v, body %q", status, keep, body)
		case keep && c.in.Buffered() != 0:
			t.Fatalf("kept with %d bytes to read", c.in.Buffered())
		}
	})
}

// TestNonces draws more than are drawn at a time.
func TestNonces(t *testing.T) {
	var n nonces
	seen := map[string]bool{}
	for range 100 {
		s := n.next()
		if len(s) != 32 || strings.Trim(s, "0123456789abcdef") != "" || seen[s] {
			t.Fatalf("nonce %q", s)
		}
		seen[s] = true
	}
}
