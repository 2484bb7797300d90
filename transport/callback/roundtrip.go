package callback

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/matchreferee/arena/referee"
)

// trip is how far one request came.
type trip struct {
	began                time.Time
	stage                Stage
	connected, firstByte time.Duration
	reused               bool
	status               int
}

// roundTrip sends a request and reads the reply. It ends, and the connection is
// closed, when the context does. again writes the request anew, for another
// connection: what it says of times is to be true when that one is there.
func (t *Transport) roundTrip(ctx context.Context, tr *trip, a *agent, to *target, request []byte, again func() ([]byte, error)) (status int, reply []byte, err error) {
	if c := a.pool.take(a, to); c != nil {
		tr.reused = true
		status, reply, err = t.over(ctx, tr, a, c, request)
		// Servers close connections that nobody used for a while, some with a word
		// (RFC 9110, section 15.5.9), and this request may have met that. Nothing
		// else came back.
		closed := err != nil && tr.stage <= StageFirstByte || err == nil && status == http.StatusRequestTimeout
		if !closed || ctx.Err() != nil {
			return status, reply, err
		}
		*tr = trip{began: tr.began}
	}
	c, err := t.dial(ctx, tr, to)
	if err != nil {
		return 0, nil, err
	}
	if request, err = again(); err != nil {
		c.close()
		return 0, nil, err
	}
	return t.over(ctx, tr, a, c, request)
}

// over is roundTrip over one connection, which it keeps or closes.
func (t *Transport) over(ctx context.Context, tr *trip, a *agent, c *conn, request []byte) (int, []byte, error) {
	tr.connected = time.Since(tr.began)
	stop := context.AfterFunc(ctx, c.close)
	status, reply, keep, err := c.exchange(tr, request, t.o.MaxHeader)
	if stop() && keep {
		a.pool.put(a, c)
	} else {
		c.close()
	}
	return status, reply, err
}

// fault says what a failed round trip means.
func (t *Transport) fault(tr *trip, err error) (referee.Fault, string) {
	var own *ownFault
	switch {
	case errors.As(err, &own):
		return referee.Internal, own.detail
	case errors.Is(err, ErrAddress):
		return referee.Unreachable, "refused_address"
	case tr.stage < StageWrite && t.ours(err):
		return referee.Internal, tr.stage.String()
	case tr.stage < StageWrite:
		return referee.Unreachable, tr.stage.String()
	case tr.stage < StageBody || broken(err):
		return referee.Disconnected, tr.stage.String()
	}
	return referee.BadProtocol, "http"
}

// ownFault is why the host could not even write a request. detail is for the
// record, which everybody may read some day, and err is not.
type ownFault struct {
	detail string
	err    error
}

func (f *ownFault) Error() string { return f.err.Error() }
func (f *ownFault) Unwrap() error { return f.err }

// broken reports whether a connection ended, as opposed to one that brought nonsense.
func broken(err error) bool {
	var errno syscall.Errno
	var network net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &errno) || errors.As(err, &network)
}
