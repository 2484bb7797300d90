package callback

import (
	"slices"
	"sync"
	"time"
)

// pool keeps connections that nobody uses: at most max, where that is not 0, and
// each of one agent.
type pool struct {
	max, each int
	time      time.Duration

	mu     sync.Mutex
	idle   map[*agent][]*conn // the last one used comes last; no list is empty
	count  int
	closed bool
}

// take gives a kept connection of an agent to a target; nil: there is none.
func (p *pool) take(a *agent, to *target) *conn {
	for {
		p.mu.Lock()
		list := p.idle[a]
		if len(list) == 0 {
			p.mu.Unlock()
			return nil
		}
		c := list[len(list)-1]
		p.remove(a, len(list)-1)
		p.mu.Unlock()
		c.expiry.Stop()
		if c.target == to && c.wake() {
			return c
		}
		c.close() // the agent has moved, or its server has
	}
}

// remove takes a connection out of the list. Under mu.
func (p *pool) remove(a *agent, i int) {
	p.count--
	if list := slices.Delete(p.idle[a], i, i+1); len(list) > 0 {
		p.idle[a] = list
	} else {
		delete(p.idle, a)
	}
}

// put keeps a connection, or closes it where enough are kept.
func (p *pool) put(a *agent, c *conn) {
	p.mu.Lock()
	var old *conn
	if list := p.idle[a]; len(list) >= p.each {
		old = list[0]
	}
	if p.closed || old == nil && p.max > 0 && p.count >= p.max {
		p.mu.Unlock()
		c.close()
		return
	}
	if old != nil {
		p.remove(a, 0)
	}
	p.idle[a] = append(p.idle[a], c)
	p.count++
	c.rest()
	if c.expiry == nil {
		c.expiry = time.AfterFunc(p.time, func() { p.expire(a, c) })
	} else {
		c.expiry.Reset(p.time)
	}
	p.mu.Unlock()
	if old != nil {
		old.expiry.Stop()
		old.close()
	}
}

// drop closes what is kept of an agent.
func (p *pool) drop(a *agent) {
	p.mu.Lock()
	list := p.idle[a]
	delete(p.idle, a)
	p.count -= len(list)
	p.mu.Unlock()
	for _, c := range list {
		c.expiry.Stop()
		c.close()
	}
}

// expire closes a connection if it is still kept.
func (p *pool) expire(a *agent, c *conn) {
	p.mu.Lock()
	at := slices.Index(p.idle[a], c)
	if at >= 0 {
		p.remove(a, at)
	}
	p.mu.Unlock()
	if at >= 0 {
		c.close()
	}
}

// close closes all, and keeps none from now on.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, list := range p.idle {
		for _, c := range list {
			c.expiry.Stop()
			c.close()
		}
	}
	clear(p.idle)
	p.count = 0
}
