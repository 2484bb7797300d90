package websocket

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/protocol/ludux"
)

var errSilent = errors.New("websocket: no ping of the arena for too long")

// link is one connection. What the client's mutex guards is said to be so.
type link struct {
	c        *Client
	conn     *ws.Conn
	welcome  *ludux.Welcome
	since    time.Time     // it was welcomed
	patience time.Duration // without a frame; 0: any
	alive    *time.Timer   // ends the connection after that
	useful   bool          // more came than errors; the reader's

	wake  chan struct{} // capacity 1: there is something in queue, or hold has changed
	queue []*thought    // whose answers are to be sent; under mu
}

// serve reads and writes until the connection is lost, and says why.
func (c *Client) serve(ctx context.Context, l *link) error {
	alive, cut := context.WithCancelCause(context.Background())
	defer cut(nil)
	if l.patience > 0 {
		l.alive = time.AfterFunc(l.patience, func() { cut(errSilent) })
		defer l.alive.Stop()
	}
	left := make(chan struct{})
	bye := context.AfterFunc(ctx, func() {
		defer close(left)
		defer time.AfterFunc(leave, func() { cut(nil) }).Stop()
		l.conn.Close(ws.StatusNormalClosure, "")
	})
	written := make(chan struct{})
	go func() {
		defer close(written)
		err := l.write(alive)
		// The reader is likely to find out better why the connection is no good.
		if err != nil && sleep(alive, leave) {
			cut(err)
		}
	}()
	c.mu.Lock()
	c.link = l
	c.mu.Unlock()
	c.o.Told(l.welcome)

	err := l.read(alive)
	if cause := context.Cause(alive); cause != nil {
		err = cause
	}
	c.mu.Lock()
	c.link, l.queue = nil, nil
	c.mu.Unlock()
	if !bye() {
		<-left
	}
	cut(nil)
	<-written
	l.conn.CloseNow()
	return err
}

// heard puts off the end of a connection on which nothing comes. A timer that has
// gone off already stays so.
func (l *link) heard() {
	if t := l.alive; t != nil && t.Stop() {
		t.Reset(l.patience)
	}
}

// read handles what comes.
func (l *link) read(ctx context.Context) error {
	for {
		kind, frame, err := l.conn.Read(ctx)
		if ws.CloseStatus(err) == CloseReplaced {
			return ErrReplaced
		}
		if err != nil {
			return fmt.Errorf("websocket: %w", ended(err))
		}
		l.heard()
		if kind != ws.MessageText {
			l.c.o.Failed(errors.New("websocket: a frame that is no text"))
			continue
		}
		m, err := ludux.DecodeFromArena(frame)
		if errors.Is(err, ludux.ErrUnknownKind) {
			continue // of a later version
		}
		if err != nil {
			l.c.o.Failed(fmt.Errorf("websocket: %w", err))
			continue
		}
		if err := l.handle(m); err != nil {
			return err
		}
	}
}

// handle does what a message asks for; an error ends the connection.
func (l *link) handle(m ludux.Message) error {
	c := l.c
	switch m := m.(type) {
	case *ludux.ActionRequest:
		l.useful = true
		c.asked(l, m)
		return nil
	case *ludux.MatchEnd:
		l.useful = true
		c.forget(m.MatchID)
	case *ludux.MatchStart, *ludux.TimeoutWarning:
		l.useful = true
	case *ludux.Error:
		c.o.Told(m)
		switch m.Code {
		case ludux.CodeUnauthorized:
			return &RefusedError{Message: m.Message}
		case ludux.CodeMatchOver:
			c.forget(m.MatchID)
		case ludux.CodeRateLimited:
			c.slower(l, m)
		}
		return nil
	}
	c.o.Told(m)
	return nil
}

// write sends the answers in the queue until ctx ends or the network fails.
func (l *link) write(ctx context.Context) error {
	for {
		frame, wait := l.take()
		if frame == nil {
			var due <-chan time.Time
			if wait > 0 {
				due = time.After(wait)
			}
			select {
			case <-due:
			case <-l.wake:
			case <-ctx.Done():
				return nil
			}
			continue
		}
		sending, cancel := context.WithTimeout(ctx, slowest)
		err := l.conn.Write(sending, ws.MessageText, frame)
		cancel()
		if err != nil {
			return fmt.Errorf("websocket: %w", err)
		}
	}
}

// take gives the next answer to be sent; nil: there is none before wait has passed,
// 0 meaning that it is not known when.
func (l *link) take() (frame []byte, wait time.Duration) {
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(l.queue) == 0 {
		return nil, 0
	}
	if wait := time.Until(c.hold); wait > 0 {
		return nil, wait
	}
	t := l.queue[0]
	l.queue = slices.Delete(l.queue, 0, 1)
	return t.frame, 0
}

// offer queues the answer of a thought if this connection waits for it. The mutex
// is held.
func (l *link) offer(t *thought) {
	if l == nil || t.owed != l || t.frame == nil || slices.Contains(l.queue, t) {
		return
	}
	l.queue = append(l.queue, t)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
