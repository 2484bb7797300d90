package callback

import (
	"context"
	"crypto/rand"
	"encoding/hex"
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
	if n.Kind == referee.Opened {
		s.Go(func(ctx context.Context) { p.ask(ctx, s, n.Request) })
	}
}

// ask brings one request to the agent and its answer to the referee. The
// context ends when the request closes.
func (p *player) ask(ctx context.Context, s *referee.Seat, r *referee.Request) {
	f := &flight{Context: ctx}
	begun := time.Now()
	select {
	case p.a.gate <- struct{}{}:
	case <-ctx.Done():
		p.report(s, r, f, begun, begun, referee.Answer{}, nil, true)
		return
	}
	f.began = time.Now()
	a, err, ok := p.exchange(f, s, r)
	<-p.a.gate
	p.report(s, r, f, begun, f.began, a, err, !ok)
}

// exchange sends the request and reads the answer. false: the request was
// closed before there was one.
func (p *player) exchange(f *flight, s *referee.Seat, r *referee.Request) (a referee.Answer, err error, ok bool) {
	defer func() {
		if x := recover(); x != nil { // the rules did: they draw the board and read the move
			a, ok = internal(r, fmt.Sprint("panic: ", x)), true
		}
	}()
	nonce := newNonce()
	body := agentarena.AppendRequest(make([]byte, 0, 1024), r, nonce, p.t.replayURL(s.Match()))
	if _, open := s.Sent(r.Ask); !open {
		return a, nil, false
	}
	status, reply, err := p.t.roundTrip(f, p.a.url.Load(), body)
	arrived := s.Now()
	if err != nil {
		if f.Err() != nil {
			return a, err, false
		}
		fault, detail := p.t.fault(f, err)
		a = referee.Answer{To: to(r), Fault: fault, Detail: detail}
	} else {
		a = agentarena.Decode(status, reply, nonce, r)
	}
	a.Arrived = arrived
	return a, err, true
}

// report hands the answer in, then tells the host.
func (p *player) report(s *referee.Seat, r *referee.Request, f *flight, begun, began time.Time, a referee.Answer, err error, closed bool) {
	var v referee.Verdict
	if !closed {
		// The verdict does not wait for the request, which it closes.
		v, _ = s.Submit(context.WithoutCancel(f), a)
	}
	if p.t.o.Observe == nil {
		return
	}
	e := Event{
		Match: s.Match(), Seat: r.Seat, Agent: p.a.slug, Ask: r.Ask, Strikes: r.Strikes,
		Waited: began.Sub(begun), Took: time.Since(began), Closed: closed, Fault: a.Fault, Detail: a.Detail, Verdict: v, Err: err,
	}
	f.describe(&e)
	p.t.o.Observe(e)
}

func to(r *referee.Request) referee.Address { return referee.Address{By: referee.ByAsk, N: r.Ask} }

func internal(r *referee.Request, detail string) referee.Answer {
	return referee.Answer{To: to(r), Fault: referee.Internal, Detail: detail}
}

// newNonce gives 128 random bits.
func newNonce() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// replayURL fills in the template. An id needs no escaping (referee.ValidID).
func (t *Transport) replayURL(match string) string {
	return strings.ReplaceAll(t.o.ReplayURL, matchID, match)
}
