package callback

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// player stands for an agent that is called.
type player struct {
	t   *Transport
	a   *agent
	who referee.Agent
}

// Tell asks the agent, in a goroutine of its own, when a request opens.
func (p *player) Tell(s *referee.Seat, n referee.Notice) {
	signed := p.t.o.Signed != nil
	switch n.Kind {
	case referee.Seated:
		p.t.seated(p, s)
		if signed {
			p.tellStart(s)
		}
	case referee.Opened:
		if signed {
			s.Go(func(ctx context.Context) { p.askSigned(ctx, s, n.Request) })
		} else {
			s.Go(func(ctx context.Context) { p.ask(ctx, s, n.Request) })
		}
	case referee.Ended:
		p.t.left(p.a, s)
		if signed {
			p.tellEnd(s, n.Result)
		}
	}
}

// ask brings one request to the agent and its answer to the referee. When
// the request closes, the context is done.
func (p *player) ask(ctx context.Context, s *referee.Seat, r *referee.Request) {
	begun := time.Now()
	tr := trip{began: begun}
	var a referee.Answer
	var err error
	var ok bool
	select {
	case p.a.gate <- struct{}{}:
		to := p.a.to.Load()
		turn, stopped := p.t.turns.take(ctx, to, p.a.guest)
		tr.began = time.Now()
		if stopped == nil {
			a, err, ok = p.exchange(ctx, &tr, s, r, &moveRequest{p: p, r: r}, to)
			p.t.turns.end(turn)
		}
		<-p.a.gate
	case <-ctx.Done():
		tr.began = time.Now()
	}
	var v referee.Verdict
	if ok {
		// The verdict does not wait for the request, which it closes.
		v, _ = s.Submit(context.WithoutCancel(ctx), a)
	}
	p.observe(&tr, Event{
		Match: s.Match(), Seat: r.Seat, Ask: r.Ask, Strikes: r.Strikes, Attempt: 1, Waited: tr.began.Sub(begun),
		Closed: !ok, Fault: a.Fault, Detail: a.Detail, Verdict: v, Err: err,
	})
}

// observe tells the host of a trip.
func (p *player) observe(tr *trip, e Event) {
	if p.t.o.Observe == nil {
		return
	}
	e.Agent = p.a.slug
	e.Stage, e.Reused, e.Status = tr.stage, tr.reused, tr.status
	e.Took, e.Connected, e.FirstByte = time.Since(tr.began), tr.connected, tr.firstByte
	p.t.o.Observe(e)
}

// message is a request for a move in one of the formats.
type message interface {
	// write makes the HTTP request, which differs each time that it is sent. An
	// error is an ownFault, or the context's.
	write(context.Context, *target) ([]byte, error)
	// sent is told of the deadline, 0 for none, once the clock runs.
	sent(deadline referee.Time)
	// read judges the reply to what was written last.
	read(status int, body []byte) referee.Answer
}

// exchange sends the request and reads the answer. false: the request was
// closed before there was one.
func (p *player) exchange(ctx context.Context, tr *trip, s *referee.Seat, r *referee.Request, m message, target *target) (a referee.Answer, err error, ok bool) {
	defer func() {
		if x := recover(); x != nil { // the rules did: they draw the board and read the move
			a, ok = referee.Answer{To: to(r), Fault: referee.Internal, Detail: fmt.Sprint("panic: ", x)}, true
		}
	}()
	write := func() ([]byte, error) { return m.write(ctx, target) }
	var status int
	var reply []byte
	request, err := write()
	if err == nil {
		deadline, open := s.Sent(r.Ask)
		if !open {
			return a, nil, false
		}
		m.sent(deadline)
		status, reply, err = p.t.roundTrip(ctx, tr, p.a, target, request, write)
	}
	arrived := s.Now()
	switch {
	case err == nil:
		a = m.read(status, reply)
	case ctx.Err() != nil:
		return a, err, false
	default:
		a.To = to(r)
		a.Fault, a.Detail = p.t.fault(tr, err)
	}
	a.Arrived = arrived
	return a, err, true
}

func to(r *referee.Request) referee.Address { return referee.Address{By: referee.ByAsk, N: r.Ask} }

// moveRequest is a request as it goes over the wire in agentarena/1.
type moveRequest struct {
	p     *player
	r     *referee.Request
	nonce string
}

func (m *moveRequest) write(_ context.Context, to *target) ([]byte, error) {
	m.nonce = m.p.t.nonces.next()
	body := agentarena.AppendRequest(make([]byte, 0, 1024), m.r, m.nonce, strings.Join(m.p.t.replay, m.r.Match()))
	return to.appendRequest(nil, userAgent, body), nil
}

var userAgent = []byte("user-agent: " + agentarena.UserAgent + "\r\n")

func (m *moveRequest) sent(referee.Time) {}

func (m *moveRequest) read(status int, body []byte) referee.Answer {
	return agentarena.Decode(status, body, m.nonce, m.r)
}
