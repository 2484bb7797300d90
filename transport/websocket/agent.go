package websocket

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

const (
	// maxPast ends of matches are kept for an agent that has not heard of them,
	// for pastTime.
	maxPast  = 16
	pastTime = 10 * time.Minute
)

// agent is all that is known of one agent: its connection, and its seats in all
// matches. It is an outlet.
type agent struct {
	t    *Transport
	slug string

	mu      sync.Mutex            // before conn.mu
	conn    *conn                 // nil: away
	seats   map[string][]*mailbox // by match, each list by seat
	count   int                   // of the mailboxes in seats
	waiting int                   // answers that wait to be judged, of all seats
	due     []*mailbox            // from next on, those with something to tell; empty while away
	next    int
	past    []past // matches that ended, the newest last
}

// place is where an agent sits.
type place struct {
	match string
	seat  game.Seat
}

// past is a match that ended.
type past struct {
	place
	at    time.Time
	frame []byte // match_end; nil: it has arrived
	to    *conn  // that it is written to
	out   bool   // the whole of it was
}

// enter gives the agent of a slug. Under t.mu.
func (t *Transport) enter(slug string) *agent {
	a := t.agents[slug]
	if a == nil {
		a = &agent{t: t, slug: slug, seats: map[string][]*mailbox{}}
		t.agents[slug] = a
	}
	return a
}

func (a *agent) seated() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.count
}

func (a *agent) connected() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conn != nil
}

// idle reports whether nothing of an agent is worth keeping.
func (a *agent) idle(now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.past = slices.DeleteFunc(a.past, func(p past) bool { return now.Sub(p.at) > pastTime })
	return a.conn == nil && a.count == 0 && len(a.past) == 0
}

// attach makes c the agent's connection: from now on it is told everything, and
// the one before it nothing.
func (t *Transport) attach(c *conn) {
	t.mu.Lock()
	a := t.enter(c.grant.Agent.Slug)
	a.mu.Lock()
	t.mu.Unlock()
	old := a.conn
	a.conn = c
	w := ludux.Welcome{
		Agent:    ludux.Identity{Slug: c.grant.Agent.Slug, Version: c.grant.Agent.Version},
		MaxFrame: ludux.MaxFrame, Ping: t.o.Ping, Replaced: old != nil,
	}
	c.mu.Lock()
	c.out = a
	ended := c.ending != nil
	c.mu.Unlock()
	c.line(&w)
	a.undue()
	for _, m := range a.inOrder() {
		m.renew()
	}
	a.mu.Unlock()
	if old != nil {
		old.line(&ludux.Error{Code: ludux.CodeRateLimited, Message: "replaced: a newer connection of this agent has taken over"})
		old.end(CloseReplaced, ReasonReplaced, nil)
	}
	if ended {
		a.leave(c, "") // nobody told it
	}
	ev := c.event(Opened)
	ev.Replaced = old != nil
	t.observe(ev)
	c.wake()
}

// inOrder gives the seats by match and number, so that two runs are told alike.
func (a *agent) inOrder() []*mailbox {
	all := make([]*mailbox, 0, a.count)
	for _, match := range slices.Sorted(maps.Keys(a.seats)) {
		all = append(all, a.seats[match]...)
	}
	return all
}

// leave ends the time of a connection: unless it was replaced, the seats are gone.
func (a *agent) leave(c *conn, why Reason) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != c {
		return
	}
	a.conn = nil
	a.undue()
	for _, m := range a.inOrder() {
		m.errs = nil
		m.presence(false, string(why))
	}
}

// undue empties the line of those with something to tell. The end of a match is
// kept for the next connection.
func (a *agent) undue() {
	for _, m := range a.due[a.next:] {
		m.queued = false
		if m.end != nil {
			a.remember(m, nil)
		}
	}
	a.due, a.next = nil, 0
}

// flush writes what the next seat has to hear.
func (a *agent) flush(c *conn, buf []byte) ([]byte, bool) {
	a.mu.Lock()
	if a.conn != c {
		a.mu.Unlock()
		return buf, false
	}
	for i := range a.past {
		if p := &a.past[i]; p.frame != nil && p.to != c {
			p.to, p.out = c, false
			frame, where := p.frame, p.place
			a.mu.Unlock()
			c.send(frame)
			a.wrote(where, c)
			return buf, true
		}
	}
	for a.next < len(a.due) {
		m := a.due[a.next]
		a.due[a.next] = nil
		a.next++
		m.queued = false
		if n, ok := m.take(c); ok {
			a.mu.Unlock()
			return n.write(c, buf), true
		}
	}
	if a.due, a.next = a.due[:0], 0; cap(a.due) > 8 {
		a.due = nil
	}
	a.mu.Unlock()
	return buf, false
}

// wrote notes that the end of a match was written to c.
func (a *agent) wrote(where place, c *conn) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.past {
		if p := &a.past[i]; p.place == where && p.to == c {
			p.out = true
		}
	}
}

// sent notes which ends have been written to c; when called, they have arrived.
func (a *agent) sent(c *conn) func() {
	a.mu.Lock()
	defer a.mu.Unlock()
	var written []place
	for i := range a.past {
		if p := &a.past[i]; p.to == c && p.out && p.frame != nil {
			written = append(written, p.place)
		}
	}
	return func() {
		if len(written) == 0 {
			return
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		for i := range a.past {
			if p := &a.past[i]; p.to == c && slices.Contains(written, p.place) {
				p.frame, p.to = nil, nil
			}
		}
	}
}

// remember keeps the end of a match, which is about to be written to c; nil: to nobody yet.
func (a *agent) remember(m *mailbox, c *conn) {
	if len(a.past) >= maxPast {
		a.past = slices.Delete(a.past, 0, 1)
	}
	a.past = append(a.past, past{place: m.place, at: time.Now(), frame: m.end, to: c})
	m.end = nil
}

// sit adds a mailbox, in place of one that another run of the match left there.
func (a *agent) sit(m *mailbox) {
	list := a.seats[m.match]
	i, found := slices.BinarySearchFunc(list, m.seat, func(x *mailbox, s game.Seat) int { return cmp.Compare(x.seat, s) })
	if found {
		list[i] = m
		return
	}
	a.seats[m.match] = slices.Insert(list, i, m)
	a.count++
}

// rise takes a mailbox away.
func (a *agent) rise(m *mailbox) {
	list := a.seats[m.match]
	i := slices.Index(list, m)
	if i < 0 {
		return
	}
	a.count--
	if len(list) == 1 {
		delete(a.seats, m.match)
		return
	}
	a.seats[m.match] = slices.Delete(list, i, i+1)
}

// forget drops the seat of a match that stopped.
func (a *agent) forget(m *mailbox) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rise(m)
}

// find gives the seat that a response to request seq of a match is for: the one
// that it names; if it names none, of several that the agent has, the lowest that
// has that request open and no answer that is being judged, else the lowest with
// that request, else the lowest. nil: it has none.
func (a *agent) find(match string, seq int64, seat *game.Seat) (found *mailbox) {
	list := a.seats[match]
	if seat != nil {
		i := slices.IndexFunc(list, func(m *mailbox) bool { return m.seat == *seat })
		if i < 0 {
			return nil
		}
		return list[i]
	}
	for _, m := range list {
		asks := m.request != nil && int64(m.request.ask) == seq
		if asks && !m.busy {
			return m
		}
		if found == nil || asks && (found.request == nil || int64(found.request.ask) != seq) {
			found = m
		}
	}
	return found
}

// ended reports whether a match of the agent's ended a short while ago.
func (a *agent) ended(match string) bool {
	return slices.ContainsFunc(a.past, func(p past) bool { return p.match == match })
}

// blame gives the seat that bytes which name no match can be laid to: the only
// one with an open request.
func (a *agent) blame() (found *mailbox) {
	for _, list := range a.seats {
		for _, m := range list {
			if m.request == nil {
				continue
			}
			if found != nil {
				return nil
			}
			found = m
		}
	}
	return found
}
