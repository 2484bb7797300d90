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
	t *Transport
	a *agent
}

// Tell asks the agent, in a goroutine of its own, when a request opens.
func (p *player) Tell(s *referee.Seat, n referee.Notice) {
	switch n.Kind {
	case referee.Seated:
		p.t.seated(p, s)
	case referee.Opened:
		s.Go(func(ctx context.Context) { p.ask(ctx, s, n.Request) })
	case referee.Ended:
		p.t.left(p.a, s)
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
			a, err, ok = p.exchange(ctx, &tr, s, r, to)
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
	if p.t.o.Observe != nil {
		p.t.o.Observe(Event{
			Match: s.Match(), Seat: r.Seat, Agent: p.a.slug, Ask: r.Ask, Strikes: r.Strikes,
			Stage: tr.stage, Reused: tr.reused, Status: tr.status,
			Waited: tr.began.Sub(begun), Took: time.Since(tr.began), Connected: tr.connected, FirstByte: tr.firstByte,
			Closed: !ok, Fault: a.Fault, Detail: a.Detail, Verdict: v, Err: err,
		})
	}
}

// exchange sends the request and reads the answer. false: the request was
// closed before there was one.
func (p *player) exchange(ctx context.Context, tr *trip, s *referee.Seat, r *referee.Request, target *target) (a referee.Answer, err error, ok bool) {
	defer func() {
		if x := recover(); x != nil { // the rules did: they draw the board and read the move
			a, ok = referee.Answer{To: to(r), Fault: referee.Internal, Detail: fmt.Sprint("panic: ", x)}, true
		}
	}()
	var nonce string
	write := func() []byte {
		nonce = p.t.nonces.next()
		body := agentarena.AppendRequest(make([]byte, 0, 1024), r, nonce, strings.Join(p.t.replay, s.Match()))
		request := target.appendHead(make([]byte, 0, len(target.head)+16+len(body)), len(body))
		return append(request, body...)
	}
	request := write()
	if _, open := s.Sent(r.Ask); !open {
		return a, nil, false
	}
	status, reply, err := p.t.roundTrip(ctx, tr, p.a, target, request, write)
	arrived := s.Now()
	switch {
	case err == nil:
		a = agentarena.Decode(status, reply, nonce, r)
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
