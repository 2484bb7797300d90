package callback

import (
	"sync"
	"time"
)

// pool keeps connections that nobody uses, at most one an agent; max 0: of any
// number of agents.
type pool struct {
	max  int
	time time.Duration

	mu     sync.Mutex
	idle   map[*agent]*conn
	closed bool
}

// take gives the kept connection of an agent to a target; nil: there is none.
func (p *pool) take(a *agent, to *target) *conn {
	p.mu.Lock()
	c := p.idle[a]
	delete(p.idle, a)
	p.mu.Unlock()
	if c == nil {
		return nil
	}
	c.expiry.Stop()
	if c.target != to || !c.wake() { // the agent has moved, or its server has
		c.close()
		return nil
	}
	return c
}

// put keeps a connection, or closes it where enough are kept.
func (p *pool) put(a *agent, c *conn) {
	p.mu.Lock()
	old := p.idle[a]
	if p.closed || old == nil && p.max > 0 && len(p.idle) >= p.max {
		p.mu.Unlock()
		c.close()
		return
	}
	p.idle[a] = c
	c.rest()
	if c.expiry == nil {
		c.expiry = time.AfterFunc(p.time, func() { p.expire(a, c) })
	} else {
		c.expiry.Reset(p.time)
	}
	p.mu.Unlock()
	if old != nil {
		old.close()
	}
}

// drop closes the connection of an agent, if one is kept.
func (p *pool) drop(a *agent) {
	p.mu.Lock()
	c := p.idle[a]
	delete(p.idle, a)
	p.mu.Unlock()
	if c != nil {
		c.expiry.Stop()
		c.close()
	}
}

// expire closes a connection if it is still kept.
func (p *pool) expire(a *agent, c *conn) {
	p.mu.Lock()
	kept := p.idle[a] == c
	if kept {
		delete(p.idle, a)
	}
	p.mu.Unlock()
	if kept {
		c.close()
	}
}

// close closes all, and keeps none from now on.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for a, c := range p.idle {
		c.expiry.Stop()
		c.close()
		delete(p.idle, a)
	}
}
