package websocket

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
)

// lostAfter is how many pings in a row bring no sign of life before a
// connection is cut.
const lostAfter = 2

// rounds are when connections are pinged next: one goroutine for all of them.
// Each waits as long as the others, so a line is enough.
type rounds struct {
	mu      sync.Mutex
	line    []round
	running bool
}

type round struct {
	c   *conn
	due time.Time
}

// join lines a connection up. The caller counts in the wait group.
func (t *Transport) join(c *conn) {
	r := &t.rounds
	r.mu.Lock()
	defer r.mu.Unlock()
	r.line = append(r.line, round{c, time.Now().Add(t.o.Ping)})
	if !r.running {
		r.running = true
		t.wg.Go(t.goRound)
	}
}

// goRound is the goroutine of the rounds. It sweeps, too.
func (t *Transport) goRound() {
	swept := time.Now()
	for {
		wait := min(sweepEvery, t.o.Ping) // nobody who joins meanwhile is due before
		now := time.Now()
		for {
			c, d := t.rounds.next(now)
			if wait = min(wait, d); c == nil {
				break
			}
			if t.check(c) {
				t.join(c)
			}
		}
		if now.Sub(swept) >= sweepEvery {
			swept = now
			t.sweep(now)
		}
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-timer.C:
		case <-t.ctx.Done():
			timer.Stop()
			return
		}
	}
}

// next takes the connection whose round is due, or says how long none is.
func (r *rounds) next(now time.Time) (*conn, time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.line) == 0 {
		return nil, sweepEvery
	}
	first := r.line[0]
	if d := first.due.Sub(now); d > 0 {
		return nil, d
	}
	r.line[0] = round{}
	r.line = r.line[1:]
	return first.c, sweepEvery
}

// check is a round of one connection; false: it has ended.
func (t *Transport) check(c *conn) bool {
	if c.ended() {
		return false
	}
	c.pings.Store(0)
	c.wire.reset()
	switch alive := c.heard.Swap(false); {
	case alive:
		c.missed = 0
	case c.pinged:
		c.missed++
	}
	if c.missed >= lostAfter {
		c.end(0, ReasonPing, nil)
		return false
	}
	c.pinged = true
	t.wg.Go(c.ping)
	if c.checking.CompareAndSwap(false, true) {
		t.wg.Go(c.verify)
	}
	return true
}

// verify ends the connection of a key that does not count any more. A look-up that
// takes its time holds up no ping, so that nobody seems to be gone for it.
func (c *conn) verify() {
	defer c.checking.Store(false)
	if why, err := c.t.recheck(c); why != "" {
		c.line(&ludux.Error{Code: ludux.CodeUnauthorized, Message: "the key does not count any more"})
		c.end(statusPolicy, why, err)
	}
}

// ping asks for a sign of life.
func (c *conn) ping() {
	ctx, cancel := context.WithTimeout(context.Background(), c.t.o.Ping)
	defer cancel()
	proof := c.out.sent(c)
	if c.ws.Ping(ctx) == nil {
		proof()
	}
}

// recheck looks a key up again; "": it counts still, as far as the host knows.
func (t *Transport) recheck(c *conn) (Reason, error) {
	ctx, cancel := context.WithTimeout(t.ctx, t.o.Ping)
	defer cancel()
	g, err := t.o.Auth.Authenticate(ctx, c.key)
	switch {
	case errors.Is(err, transport.ErrKey):
		return ReasonUnauthorized, nil
	case err != nil: // the host's own, for which nobody loses a match
		return "", nil
	case g.Agent.Slug != c.grant.Agent.Slug:
		return ReasonUnauthorized, fmt.Errorf("the key stands for %q now", g.Agent.Slug)
	case !g.May(c.scope):
		return ReasonScope, nil
	}
	return "", nil
}
