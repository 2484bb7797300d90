package websocket

import (
	"fmt"
	"slices"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// maxAnswers is how many answers of a seat may wait to be judged. More than one
// do so only for agents that do not wait, and while the host's store is slow; of an
// agent that has maxWaiting in all, each seat has room for one.
const (
	maxAnswers = 4
	maxWaiting = 64
)

// answer is what came for a seat: a response, or bytes that are none.
type answer struct {
	response *ludux.ActionResponse
	bad      *ludux.FrameError
	arrived  referee.Time
	silent   bool // its sender has been told
}

// handle takes a message of the agent that came over c, and gives what is left to
// do about it, which may take a while; nil: nothing.
func (a *agent) handle(c *conn, m ludux.Message, bad *ludux.FrameError) (judging func()) {
	var reply *ludux.Error
	switch m := m.(type) {
	case *ludux.ActionResponse:
		judging, reply = a.respond(c, m)
	case *ludux.Hello:
		reply = &ludux.Error{Code: ludux.CodeMalformed, Message: "the key was given before"}
	default:
		judging, reply = a.fault(c, bad)
	}
	if reply != nil {
		c.line(reply)
	}
	return judging
}

// respond hands a response to its seat, or gives what to answer.
func (a *agent) respond(c *conn, r *ludux.ActionResponse) (judging func(), _ *ludux.Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != c {
		return nil, nil // replaced: only the newer one counts
	}
	m := a.find(r.MatchID, r.Seq, r.Seat)
	switch {
	case m != nil && m.box.Running():
		return m.hand(answer{response: r})
	case a.ended(r.MatchID):
		return nil, &ludux.Error{Code: ludux.CodeMatchOver, Message: "the match is over", MatchID: r.MatchID, Seq: r.Seq}
	}
	return nil, &ludux.Error{Code: ludux.CodeStaleResponse, Message: "no seat of yours in that match", MatchID: r.MatchID, Seq: r.Seq}
}

// fault lays bytes that are no message to a seat, if it can be told to which, or
// gives what to answer.
func (a *agent) fault(c *conn, bad *ludux.FrameError) (judging func(), _ *ludux.Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != c {
		return nil, nil
	}
	m := a.blame()
	if bad.MatchID != "" {
		m = a.find(bad.MatchID, bad.Seq, bad.Seat)
	}
	last := bad.Code == ludux.CodeFrameTooLarge // the connection ends
	if m == nil || !m.box.Running() {
		return nil, bad.Reply()
	}
	judging, reply := m.hand(answer{bad: bad, silent: last})
	if last {
		reply = bad.Reply()
	}
	return judging, reply
}

// hand puts an answer in to be judged, and gives what does that, unless it is being
// done; or gives what to answer.
func (m *mailbox) hand(in answer) (judging func(), _ *ludux.Error) {
	if len(m.answers) >= maxAnswers || len(m.answers) > 0 && m.a.waiting >= maxWaiting {
		e := &ludux.Error{Code: ludux.CodeRateLimited, Message: "answers wait to be judged", RetryAfter: time.Second}
		if in.response != nil {
			e.MatchID, e.Seq = m.match, in.response.Seq
		}
		return nil, e
	}
	in.arrived = m.box.Now()
	m.answers = append(m.answers, in)
	m.a.waiting++
	if m.busy {
		return nil, nil
	}
	m.busy = true
	if m.slow {
		m.a.t.do(m.judging)
		return nil, nil
	}
	return m.judging, nil
}

// judge submits the answers of a seat, one after another, and then writes what the
// agent is to hear, unless that is being done. It is m.judging.
func (m *mailbox) judge() {
	if c := m.submitAll(); c != nil {
		c.write()
	}
}

// submitAll gives the connection to write to.
func (m *mailbox) submitAll() (write *conn) {
	a, since := m.a, time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(m.answers) > 0 {
		in := m.answers[0]
		m.answers = slices.Delete(m.answers, 0, 1)
		q := m.request
		a.mu.Unlock()
		v, err := m.submit(&in, q)
		a.mu.Lock()
		a.waiting--
		if err != nil {
			continue // the store's, or the match stops: it is asked again when it goes on
		}
		if q != nil && (v.Code == referee.OK || v.Code == referee.Refused && v.Do != referee.DoReject) {
			m.close(q.ask)
		}
		if v.Code == referee.OK || in.silent {
			continue
		}
		if e, told := in.error(v, m.match, q); told {
			m.err(e)
		}
	}
	m.busy, m.slow = false, time.Since(since) > quick
	if m.enqueue() && a.conn.toWrite() {
		return a.conn
	}
	return nil
}

// submit has an answer judged, q being the seat's open request, nil if none is.
func (m *mailbox) submit(in *answer, q *request) (referee.Verdict, error) {
	a := in.answer(q)
	a.Arrived = in.arrived
	return m.box.Submit(m.a.t.ctx, a)
}

func (in *answer) answer(q *request) (a referee.Answer) {
	var r *referee.Request
	if q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		r = q.r
		defer func() {
			if p := recover(); p != nil { // the rules did
				a = referee.Answer{To: referee.Address{By: referee.ByAsk, N: q.ask}, Fault: referee.Internal, Detail: fmt.Sprint("panic: ", p)}
			}
		}()
	}
	if in.response != nil {
		return in.response.Answer(r)
	}
	return in.bad.Answer(r)
}

// error gives what the sender is told of a verdict.
func (in *answer) error(v referee.Verdict, match string, q *request) (*ludux.Error, bool) {
	var seq int64
	switch {
	case in.response != nil:
		seq = in.response.Seq
	case in.bad.Seq != 0:
		seq = in.bad.Seq
	case q != nil:
		seq = int64(q.ask)
	}
	return ludux.ErrorOf(v, match, seq)
}
