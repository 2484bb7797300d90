package websocket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
)

const (
	// maxHello bounds what is read of somebody who has not shown a key.
	maxHello = 4096
	// maxOver is how many messages over the pace close a connection that does
	// not rest until it may send half a burst again.
	maxOver = 16
	// maxRest is how long a connection over the pace is not read from.
	maxRest = 250 * time.Millisecond
)

var errTooLarge = errors.New("over the limit of a message")

// next reads a message of at most most bytes into a buffer of the pool, which
// the caller gives back. Nothing is held while none comes.
func (c *conn) next(most int) (typ ws.MessageType, data []byte, err error) {
	typ, r, err := c.ws.Reader(context.Background())
	if err != nil {
		return typ, nil, err
	}
	c.heard.Store(true)
	data = getBuffer()
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):min(cap(data), most+1)])
		data = data[:len(data)+n]
		switch {
		case len(data) > most:
			return typ, data, errTooLarge
		case err == io.EOF:
			c.received.Add(1)
			return typ, data, nil
		case err != nil:
			putBuffer(data)
			return typ, nil, err
		}
	}
}

// read is the reader: it hands messages on until the connection ends or somebody
// relieves it.
func (c *conn) read() {
	for {
		typ, data, err := c.next(ludux.MaxFrame)
		if errors.Is(err, errTooLarge) {
			putBuffer(data)
			if judging := c.handle(c, nil, tooLarge(ludux.MaxFrame)); judging != nil {
				c.t.do(judging)
			}
			c.end(statusTooLarge, ReasonTooLarge, err)
			return
		}
		if err != nil {
			c.fail(err)
			return
		}
		if c.ended() {
			putBuffer(data)
			return
		}
		cost := 1 + int(c.wire.reset())/bytesPerToken
		m, bad := decode(typ, data)
		putBuffer(data)
		if _, ok := m.(*ludux.ActionResponse); ok && c.asked.Add(-1) >= 0 {
			cost-- // who asks often is answered often
		} else if ok {
			c.asked.Add(1)
		}
		now := time.Now()
		if c.letters.TokensAt(now) >= float64(c.letters.Burst())/2 {
			c.over = 0
		}
		if c.letters.AllowN(now, min(cost, mostTokens)) {
			if judging := c.handle(c, m, bad); judging != nil && !c.lend(judging) {
				return
			}
			continue
		}
		rest := c.t.paces.messages.wait(float64(cost))
		c.line(tooFast(m, bad, rest))
		if c.over++; c.over > maxOver {
			c.end(statusPolicy, ReasonPace, nil)
			return
		}
		time.Sleep(min(rest, maxRest))
	}
}

func decode(typ ws.MessageType, data []byte) (ludux.Message, *ludux.FrameError) {
	if typ != ws.MessageText {
		return nil, &ludux.FrameError{Code: ludux.CodeMalformed, Err: errors.New("a message is a text frame")}
	}
	m, err := ludux.DecodeFromAgent(data)
	if err == nil {
		return m, nil
	}
	var bad *ludux.FrameError
	if !errors.As(err, &bad) {
		bad = &ludux.FrameError{Code: ludux.CodeMalformed, Err: err}
	}
	return nil, bad
}

func tooLarge(most int) *ludux.FrameError {
	return &ludux.FrameError{Code: ludux.CodeFrameTooLarge, Err: fmt.Errorf("a message has at most %d bytes", most)}
}

// tooFast answers a message over the pace, which was not looked at further.
func tooFast(m ludux.Message, bad *ludux.FrameError, rest time.Duration) *ludux.Error {
	e := &ludux.Error{Code: ludux.CodeRateLimited, Message: "too many messages", RetryAfter: max(rest, time.Millisecond)}
	switch a, ok := m.(*ludux.ActionResponse); {
	case ok:
		e.MatchID, e.Seq = a.MatchID, a.Seq
	case bad != nil:
		e.MatchID, e.Seq = bad.MatchID, bad.Seq
	}
	return e
}
