package program

import (
	"context"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// player is a program on one seat of one match.
type player struct {
	t      *Transport
	launch func(*referee.Seat) (*process, *failure)
	scribe scribe

	mu   sync.Mutex
	p    *process // nil: none runs
	over bool     // the match has ended or stopped: nothing may start
}

// Tell answers the requests of a seat, each in a goroutine of the match's.
func (pl *player) Tell(s *referee.Seat, n referee.Notice) {
	switch n.Kind {
	case referee.Seated:
		pl.scribe.begin(s)
		pl.t.background(func() { pl.watch(s) })
	case referee.Opened:
		s.Go(func(ctx context.Context) { pl.ask(ctx, s, n.Ask) })
	case referee.Ended:
		if p := pl.take(); p != nil {
			pl.leave(s, p)
		}
	}
}

// leave lets the process end by itself. The transport waits for that; that of streams nobody closes, so that the match waits for the last
// observation to be written.
func (pl *player) leave(s *referee.Seat, p *process) {
	last, gone := pl.scribe.last(s), make(chan struct{})
	if !pl.t.background(func() { defer close(gone); p.leave(last, pl.t.o.Grace) }) {
		p.kill("")
		return
	}
	if p.cmd == nil {
		s.Go(func(context.Context) {
			timer := time.NewTimer(pl.t.o.Grace)
			defer timer.Stop()
			select {
			case <-gone:
			case <-timer.C:
			}
		})
	}
}

// take ends the player's part, and gives the process that still runs, if any.
func (pl *player) take() *process {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	p := pl.p
	pl.p, pl.over = nil, true
	return p
}

// watch kills the process if the match stops before its end, of which players
// hear nothing.
func (pl *player) watch(s *referee.Seat) {
	for {
		changed := s.Look(func(referee.View) {})
		if !s.Running() {
			break
		}
		select {
		case <-changed:
			continue
		case <-pl.t.closing.Done():
		}
		break
	}
	if p := pl.take(); p != nil {
		p.kill("")
	}
}

// ask has the program answer a request, as often as that leaves it open.
func (pl *player) ask(ctx context.Context, s *referee.Seat, ask int32) {
	if s.Info().Clock.Starts == referee.AtSent {
		if _, open := s.Sent(ask); !open {
			return
		}
	}
	for range 1 + MaxAgain {
		line, open, err := pl.scribe.line(s, ask)
		if !open {
			return
		}
		a := referee.Answer{To: referee.Address{By: referee.ByAsk, N: ask}, Fault: referee.Internal, Detail: "view"}
		if err == nil {
			a = pl.answer(ctx, s, ask, line)
		}
		if ctx.Err() != nil && a.Fault != referee.NoFault {
			return // the request is closed; what came of that is nobody's fault
		}
		pl.scribe.hands(ask, a.Action)
		v, err := s.Submit(context.WithoutCancel(ctx), a)
		pl.scribe.judged(s, ask, err == nil && v.Code == referee.OK)
		if err != nil || ctx.Err() != nil || !again(a, v) {
			return
		}
	}
	pl.drop("refused")
}

// again tells whether the request is still open for the process that gave an answer.
func again(a referee.Answer, v referee.Verdict) bool {
	alive := a.Fault == referee.NoFault || a.Fault == referee.Malformed
	return alive && (v.Code == referee.WasStale || v.Code == referee.Refused && v.Do == referee.DoReject)
}

// answer asks the process, which it starts if none runs. If ctx ends before there
// is an answer the process is killed.
func (pl *player) answer(ctx context.Context, s *referee.Seat, ask int32, line []byte) referee.Answer {
	to := referee.Address{By: referee.ByAsk, N: ask}
	p, f := pl.process(s)
	if f != nil {
		return referee.Answer{To: to, Fault: f.fault, Detail: f.detail}
	}
	r, f := p.exchange(ctx, line)
	if f != nil {
		pl.drop(f.code)
		return referee.Answer{To: to, Fault: f.fault, Detail: f.detail}
	}
	return r.answer(to)
}

// process gives the running process, a new one where there is none.
func (pl *player) process(s *referee.Seat) (*process, *failure) {
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if pl.p != nil {
		return pl.p, nil
	}
	if pl.over {
		return nil, &failure{referee.Disconnected, "closed", "closed"}
	}
	p, f := pl.launch(s)
	pl.p = p
	return p, f
}

// drop gives the process up.
func (pl *player) drop(code string) {
	pl.mu.Lock()
	p := pl.p
	pl.p = nil
	pl.mu.Unlock()
	if p != nil {
		p.kill(code)
	}
}

// failure says why a process gave no answer.
type failure struct {
	fault  referee.Fault
	code   string // for Exit.Code
	detail string // for the record: names no path of the host
}

// stale hands an answer in that nobody asked for, so that it is recorded: it is
// for request 0, which there never was.
func stale(ctx context.Context, s *referee.Seat, line []byte) {
	a := game.Action(line[:min(len(line), 200)])
	_, _ = s.Submit(ctx, referee.Answer{To: referee.Address{By: referee.ByAsk}, Action: a})
}
