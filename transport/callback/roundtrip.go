package callback

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// header is what every request carries besides Host and Content-Length; it is only read. The
// empty entry is not sent: it lets net/http write a request again whose kept
// connection turned out to be closed.
func header() http.Header {
	return http.Header{
		"Content-Type":    {"application/json"},
		"User-Agent":      {agentarena.UserAgent},
		"Idempotency-Key": {},
	}
}

// roundTrip sends a body and reads the reply, of which one byte more than
// allowed shows that it is too long. A reply that is not 200 is not read.
func (t *Transport) roundTrip(f *flight, u *url.URL, body []byte) (status int, reply []byte, err error) {
	req := (&http.Request{
		Method: http.MethodPost, URL: u, Host: u.Host, Header: t.header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil },
	}).WithContext(f.traced())
	resp, err := t.http.RoundTrip(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	f.status = resp.StatusCode
	if resp.StatusCode == http.StatusOK {
		if resp.ContentLength > agentarena.MaxReply {
			reply = make([]byte, agentarena.MaxReply+1)
		} else if reply, err = readBody(resp.Body, resp.ContentLength, agentarena.MaxReply); err != nil {
			return resp.StatusCode, nil, err
		}
	}
	f.stage.Store(uint32(StageDone))
	return resp.StatusCode, reply, nil
}

// fault says what a failed round trip means.
func (t *Transport) fault(f *flight, err error) (referee.Fault, string) {
	if d := (*dialError)(nil); errors.As(err, &d) {
		switch {
		case errors.Is(err, ErrAddress):
			return referee.Unreachable, "refused_address"
		case t.ours(err):
			return referee.Internal, d.stage.String()
		}
		return referee.Unreachable, d.stage.String()
	}
	if stage := f.now(); stage < StageBody || broken(err) {
		return referee.Disconnected, stage.String()
	}
	return referee.BadProtocol, "http"
}

// broken reports whether a connection ended, as opposed to one that brought nonsense.
func broken(err error) bool {
	var errno syscall.Errno
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &errno) || errors.As(err, &network)
}
