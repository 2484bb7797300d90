package websocket

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	ws "github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
)

const (
	statusGoingAway = int(ws.StatusGoingAway)
	statusPolicy    = int(ws.StatusPolicyViolation)
	statusTooLarge  = int(ws.StatusMessageTooBig)
	statusProtocol  = int(ws.StatusProtocolError)
	statusTryAgain  = int(ws.StatusTryAgainLater)
)

const (
	// closeWait is how long a connection that is being closed may take to
	// write what it has to say and to hear the other side's close.
	closeWait = time.Second
	// maxLines is how many messages may wait in a connection's line.
	maxLines = 64
	// mostDrained is how much more is read of a message that is too large: where
	// bytes stay unread, the system may not deliver our last words.
	mostDrained = 1 << 20
	// maxPings is how many pings of the other side are answered between two of
	// ours, and floodPings how many close the connection.
	maxPings, floodPings = 64, 1024
)

// conn is one connection. Its reader is one goroutine at a time; there is a writer
// while there is something to write, and it is the writer who closes.
type conn struct {
	t        *Transport
	ws       *ws.Conn
	wire     *wire
	source   string
	remote   string
	began    time.Time
	key      string // secret
	grant    *transport.Grant
	scope    string
	match    string // that a spectator watches
	stranger bool   // has shown no key; under Transport.mu
	letters  *rate.Limiter
	out      outlet
	writer   func() // write
	handle   func(*conn, ludux.Message, *ludux.FrameError) (judging func())
	shift

	heard    atomic.Bool // a sign of life since the last round
	pings    atomic.Int32
	checking atomic.Bool // the key is being looked up again
	pinged   bool        // a round came before; like missed, of the rounds' goroutine
	missed   int         // rounds without a sign of life
	received atomic.Int64
	sent     atomic.Int64
	asked    atomic.Int64 // requests that were sent, less the responses that came

	mu       sync.Mutex
	lines    [][]byte // go before what out has
	work     bool     // out may have something
	writing  bool     // there is a writer
	ending   *ending  // nil: it goes on
	lifeline *time.Timer
}

// ending is why a connection ends.
type ending struct {
	code   int // 0: without a close frame
	reason Reason
	err    error
}

// outlet is what a connection brings to its other side.
type outlet interface {
	// flush writes the next thing, if there is one.
	flush(c *conn, buf []byte) (_ []byte, more bool)
	// sent gives a function to call once it is sure that everything written so
	// far has arrived.
	sent(c *conn) func()
	// leave is called once, when the connection ends.
	leave(c *conn, why Reason)
}

// line queues a message. When too many wait, the connection ends.
func (c *conn) line(m ludux.Message) {
	c.mu.Lock()
	if c.ending != nil {
		c.mu.Unlock()
		return
	}
	slow := len(c.lines) >= maxLines
	if !slow {
		c.lines = append(c.lines, m.Append(nil))
		c.start()
	}
	c.mu.Unlock()
	if slow {
		c.end(statusPolicy, ReasonSlow, nil)
	}
}

// wake says that out may have something.
func (c *conn) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.note() {
		c.start()
	}
}

// toWrite is wake for a goroutine of the transport's that can write itself: true,
// and then it has to.
func (c *conn) toWrite() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.note() || c.writing {
		return false
	}
	c.writing = true
	return true
}

// note notes that out may have something; true: a writer is needed. Under c.mu.
func (c *conn) note() bool {
	if c.ending != nil {
		return false
	}
	c.work = true
	return c.out != nil // else whoever sets it wakes us again
}

// start sees to a writer. Under c.mu, and only before the writer has closed the
// connection: until then the reader or a writer counts in the wait group.
func (c *conn) start() {
	if !c.writing {
		c.writing = true
		c.t.do(c.writer)
	}
}

// end ends the connection, once; the first reason counts. What is in the line
// is still written, and a close frame if code is not 0. It must not be called
// under agent.mu or feed.mu.
func (c *conn) end(code int, why Reason, err error) {
	c.mu.Lock()
	if c.ending != nil {
		c.mu.Unlock()
		return
	}
	c.ending = &ending{code, why, err}
	c.lifeline = time.AfterFunc(closeWait, func() { c.wire.Close() })
	c.start()
	out := c.out
	c.mu.Unlock()
	if out != nil {
		out.leave(c, why)
	}
}

func (c *conn) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending != nil
}

// write is the writer.
func (c *conn) write() {
	var buf []byte
	for {
		c.mu.Lock()
		switch {
		case len(c.lines) > 0:
			line := c.lines[0]
			if c.lines = c.lines[1:]; len(c.lines) == 0 {
				c.lines = nil
			}
			c.mu.Unlock()
			c.send(line)
			continue
		case c.ending != nil:
			c.mu.Unlock()
			c.finish()
			putBuffer(buf)
			return
		case !c.work || c.out == nil:
			c.writing = false
			c.mu.Unlock()
			putBuffer(buf)
			return
		}
		c.work = false
		c.mu.Unlock()
		if buf == nil {
			buf = getBuffer()
		}
		var more bool
		if buf, more = c.out.flush(c, buf); more {
			c.mu.Lock()
			c.work = true
			c.mu.Unlock()
		}
	}
}

// send writes a message. An error ends the connection.
func (c *conn) send(frame []byte) {
	err := c.ws.Write(context.Background(), ws.MessageText, frame)
	if err == nil {
		c.sent.Add(1)
		return
	}
	c.mu.Lock()
	c.lines = nil
	c.mu.Unlock()
	c.fail(err)
}

// fail ends the connection by what an operation of the library says.
func (c *conn) fail(err error) {
	broken, written := c.wire.failure()
	switch status := ws.CloseStatus(err); {
	case status != -1:
		c.end(int(status), ReasonPeer, nil)
	case errors.Is(broken, errFlood):
		c.end(statusPolicy, ReasonFlood, broken)
	case errors.Is(broken, os.ErrDeadlineExceeded), broken == nil && errors.Is(err, context.DeadlineExceeded):
		c.end(0, ReasonWrite, err)
	case broken != nil && (written || !errors.Is(broken, io.EOF)):
		c.end(0, ReasonLost, broken)
	case broken != nil || errors.Is(err, net.ErrClosed):
		c.end(0, ReasonLost, io.ErrUnexpectedEOF)
	default:
		c.end(statusProtocol, ReasonProtocol, err)
	}
}

// finish closes the connection, and tells why.
func (c *conn) finish() {
	c.mu.Lock()
	e := *c.ending
	c.mu.Unlock()
	if e.reason == ReasonTooLarge {
		c.wire.read.Store(-mostDrained)
	}
	if e.code == 0 || e.reason == ReasonPeer {
		c.ws.CloseNow()
	} else {
		c.ws.Close(ws.StatusCode(e.code), string(e.reason))
	}
	c.wire.Close()
	c.lifeline.Stop()
	c.t.dismiss(c)
	ev := c.event(Closed)
	ev.Reason, ev.Code, ev.Err = e.reason, e.code, e.err
	ev.Lasted, ev.Received, ev.Sent = time.Since(c.began), c.received.Load(), c.sent.Load()
	c.t.observe(ev)
}

// event gives an event about the connection.
func (c *conn) event(k EventKind) Event {
	e := Event{Kind: k, Remote: c.remote, Source: c.source, Match: c.match}
	if c.grant != nil {
		e.Agent, e.Key = c.grant.Agent.Slug, c.grant.Key
	}
	return e
}
