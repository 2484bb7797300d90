package callback

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
)

var (
	errHeader = errors.New("callback: the reply's header is too long")
	errMany   = errors.New("callback: too many informational replies")
)

// maxInformational bounds the 1xx replies before a reply.
const maxInformational = 5

// conn is a connection to an agent's server: HTTP/1.1, without pipelining.
// It belongs to one goroutine, or lies in the pool.
type conn struct {
	io     io.ReadWriter // raw, or TLS over it
	raw    net.Conn      // to close: TLS would say goodbye first, and wait for it
	in     *bufio.Reader
	header capped // under in
	target *target
	expiry *time.Timer // of the pool
	socket bool        // quiet says whether anything has come
	came   chan error  // otherwise: what a read brought that waits while it lies idle
}

func newConn(rw io.ReadWriter, raw net.Conn, to *target) *conn {
	c := &conn{io: rw, raw: raw, target: to, socket: isSocket(raw)}
	c.header.r = rw
	c.in = bufio.NewReader(&c.header)
	return c
}

func (c *conn) close() { c.raw.Close() }

// capped is a reader that fails after left bytes; below 0: it does not.
type capped struct {
	r    io.Reader
	left int64
}

func (r *capped) Read(p []byte) (int, error) {
	switch {
	case r.left < 0:
		return r.r.Read(p)
	case r.left == 0:
		return 0, errHeader
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

// posted tells ReadResponse what it reads the reply to.
var posted = &http.Request{Method: http.MethodPost}

// exchange writes a request and reads the reply, of whose body one byte more
// than allowed shows that it is too long. The body of a reply that is not 200
// is not read. keep: the connection can be used again.
func (c *conn) exchange(tr *trip, request []byte, maxHeader int64) (status int, reply []byte, keep bool, err error) {
	tr.stage = StageWrite
	_, failed := c.io.Write(request)
	if failed == nil {
		tr.stage = StageFirstByte
	}
	// A server that will not read all of it may have said why.
	c.header.left = maxHeader
	if _, err := c.in.Peek(1); err != nil {
		return 0, nil, false, errors.Join(failed, err)
	}
	tr.firstByte, tr.stage = time.Since(tr.began), StageBody
	resp, err := c.response()
	if err != nil {
		return 0, nil, false, err
	}
	c.header.left = -1
	tr.status = resp.StatusCode
	switch resp.StatusCode {
	case http.StatusNoContent:
		keep = failed == nil && !resp.Close && c.in.Buffered() == 0
	case http.StatusOK:
		if resp.ContentLength > agentarena.MaxReply {
			reply = make([]byte, agentarena.MaxReply+1)
		} else if reply, err = readBody(resp.Body, resp.ContentLength, agentarena.MaxReply); err != nil {
			return resp.StatusCode, nil, false, err
		}
		keep = failed == nil && !resp.Close && len(reply) <= agentarena.MaxReply && c.in.Buffered() == 0
	}
	tr.stage = StageDone
	return resp.StatusCode, reply, keep, nil
}

// response reads the head of a reply.
func (c *conn) response() (*http.Response, error) {
	for range maxInformational + 1 {
		resp, err := http.ReadResponse(c.in, posted)
		if err != nil || resp.StatusCode < 100 || resp.StatusCode > 199 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, err
		}
	}
	return nil, errMany
}
