package websocket

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// mailbox is one seat of an agent in one match. What it has to tell is state:
// what changed meanwhile is told as it is now. All but the first fields are
// under agent.mu.
type mailbox struct {
	place
	a        *agent
	box      *referee.Seat
	moveTime time.Duration
	atSent   bool // the clock of a request starts when it is sent

	request *request // open; nil: none
	errs    []*ludux.Error
	end     []byte // match_end, once the match has ended
	start   bool   // match_start is due
	ask     bool   // the request is
	warn    bool   // a warning is
	queued  bool   // in agent.due
	busy    bool   // a goroutine judges
	slow    bool   // the time before that took long
	answers []answer
	judging func()
	attendance
}

// request is an open one. The lock is for r, which one at a time may use.
type request struct {
	ask  int32
	sent bool // its clock runs; under agent.mu
	mu   sync.Mutex
	r    *referee.Request
}

// maxErrs is how many errors may wait to be read for one seat.
const maxErrs = 16

// player stands for an agent in its matches.
type player struct {
	t    *Transport
	slug string
}

// Tell notes what the agent is to hear.
func (p *player) Tell(s *referee.Seat, n referee.Notice) {
	if n.Kind == referee.Seated {
		p.t.seated(p.slug, s)
		return
	}
	if v, ok := p.t.boxes.Load(s); ok {
		v.(*mailbox).tell(&n)
	}
}

// seated gives a seat its mailbox.
func (t *Transport) seated(slug string, s *referee.Seat) {
	clock := s.Info().Clock
	m := &mailbox{place: place{s.Match(), s.Num()}, box: s, moveTime: clock.Move, atSent: clock.Starts == referee.AtSent}
	t.mu.Lock()
	a := t.enter(slug)
	a.mu.Lock()
	t.mu.Unlock()
	defer a.mu.Unlock()
	m.a, m.judging = a, m.judge
	t.boxes.Store(s, m)
	a.sit(m)
	if a.conn != nil {
		m.renew()
		return
	}
	m.presence(false, "not connected")
}

// renew makes due all that a new connection has to hear.
func (m *mailbox) renew() {
	m.errs, m.warn, m.start = nil, false, true
	m.queued = false
	m.open()
	m.presence(true, "")
	m.queue()
}

// open makes the request due, if there is one.
func (m *mailbox) open() {
	q := m.request
	switch {
	case q == nil || m.a.conn == nil:
	case m.atSent && !q.sent:
		m.box.Go(func(context.Context) { m.send(q) })
	default:
		m.ask = true
	}
}

// send starts the clock of a request that is about to go out.
func (m *mailbox) send(q *request) {
	deadline, open := m.box.Sent(q.ask)
	q.mu.Lock()
	q.r.Deadline = deadline
	q.mu.Unlock()
	m.a.mu.Lock()
	defer m.a.mu.Unlock()
	if m.request != q {
		return
	}
	if !open {
		m.close(q.ask)
		return
	}
	q.sent = true
	m.open()
	m.queue()
}

// tell notes what happened.
func (m *mailbox) tell(n *referee.Notice) {
	a := m.a
	a.mu.Lock()
	defer a.mu.Unlock()
	switch n.Kind {
	case referee.Opened:
		m.request = &request{ask: n.Ask, r: n.Request}
		m.open()
	case referee.Closed:
		m.close(n.Ask)
	case referee.Warned:
		m.warn = m.request != nil && m.request.ask == n.Ask && a.conn != nil
	case referee.Judged:
		if n.Verdict.Do != referee.DoReject {
			m.close(n.Ask)
		}
		if e, ok := ludux.ErrorOf(n.Verdict, m.match, int64(n.Ask)); ok {
			m.err(e)
		}
	case referee.Ended:
		m.request, m.ask, m.warn = nil, false, false
		m.end = ludux.EndOf(m.match, m.seat, n.Result).Append(nil)
		a.t.boxes.Delete(m.box)
		a.rise(m)
	}
	m.queue()
}

// close forgets a request.
func (m *mailbox) close(ask int32) {
	if m.request != nil && m.request.ask == ask {
		m.request, m.ask, m.warn = nil, false, false
	}
}

// err makes an error due, for an agent that is there to hear it. When too many
// wait, the connection ends.
func (m *mailbox) err(e *ludux.Error) {
	c := m.a.conn
	switch {
	case c == nil:
	case len(m.errs) < maxErrs:
		m.errs = append(m.errs, e)
	default:
		c.t.wg.Go(func() { c.end(statusPolicy, ReasonSlow, nil) }) // not under agent.mu
	}
}

// queue lines the mailbox up if it has something to tell, and sees to it that
// somebody writes.
func (m *mailbox) queue() {
	if m.enqueue() {
		m.a.conn.wake()
	}
}

// enqueue lines the mailbox up if it has something to tell, true, and is not lined
// up. While answers are being judged it waits, so that an agent hears of those first.
func (m *mailbox) enqueue() bool {
	switch {
	case m.busy || m.queued:
	case m.a.conn == nil:
		if m.end != nil {
			m.a.remember(m, nil)
		}
	case m.start || m.ask || m.warn || m.end != nil || len(m.errs) > 0:
		m.queued = true
		m.a.due = append(m.a.due, m)
		return true
	}
	return false
}

// note is what a mailbox tells at one time.
type note struct {
	m           *mailbox
	errs        []*ludux.Error
	start, warn bool
	request     *request // for warn, and to be sent if ask
	ask         bool
	end         []byte
}

// take gives what is due; false: nothing, or not now.
func (m *mailbox) take(c *conn) (n note, ok bool) {
	if m.busy {
		return n, false
	}
	n = note{m: m, errs: m.errs, start: m.start, warn: m.warn && !m.ask, request: m.request, ask: m.ask, end: m.end}
	m.errs, m.start, m.warn, m.ask = nil, false, false, false
	if m.end != nil {
		m.a.remember(m, c)
	}
	return n, true
}

// write writes it.
func (n *note) write(c *conn, buf []byte) []byte {
	for _, e := range n.errs {
		buf = e.Append(buf[:0])
		c.send(buf)
	}
	m := n.m
	if n.start {
		buf = ludux.StartOf(m.box.Card(), m.moveTime).Append(buf[:0])
		c.send(buf)
	}
	if n.ask {
		var err error
		if buf, err = n.request.append(buf[:0], m); err != nil {
			m.blunder(n.request.ask, err)
		} else {
			c.asked.Add(1) // first, for the response may be quicker than we are
			c.send(buf)
		}
	}
	if n.warn && n.request != nil {
		n.request.mu.Lock()
		w := ludux.WarningOf(n.request.r, m.box.Now())
		n.request.mu.Unlock()
		buf = w.Append(buf[:0])
		c.send(buf)
	}
	if n.end != nil {
		c.send(n.end)
		m.a.wrote(m.place, c)
	}
	return buf
}

// append appends the message of a request, with the time that is left now. Where
// the rules panic, that is the error.
func (q *request) append(buf []byte, m *mailbox) (_ []byte, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ludux.AppendRequest(buf, q.r, ludux.Delivery{Now: m.box.Now(), MoveTime: m.moveTime})
}

// blunder tells the match that we could not write a request.
func (m *mailbox) blunder(ask int32, err error) {
	m.box.Go(func(context.Context) {
		m.box.Submit(context.Background(), referee.Answer{
			To: referee.Address{By: referee.ByAsk, N: ask}, Fault: referee.Internal, Detail: err.Error(),
		})
	})
}
