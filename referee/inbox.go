package referee

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// submission is an answer on its way to judgement.
type submission struct {
	seat    game.Seat
	answer  Answer
	verdict Verdict
	err     error
	done    chan struct{}
}

// safely runs a step of the match; when the rules panic, that match is void.
func (l *Live) safely(f func() Output) (o Output) {
	defer func() {
		if p := recover(); p != nil {
			o = l.m.Crash(l.stamp(), fmt.Sprint("panic: ", p))
		}
	}()
	return f()
}

// drain judges what is in the inbox, in the order of arrival, and gives a
// moment before which nothing else has arrived.
func (l *Live) drain() Time {
	for {
		l.mu.Lock()
		now := l.time()
		subs := l.inbox
		l.inbox = nil
		for _, s := range subs {
			l.seats[s.seat].waiting--
		}
		l.mu.Unlock()
		for _, s := range subs {
			if l.err != nil {
				s.err = l.err
			} else {
				var o Output
				s.verdict, o = l.judge(s.seat, &s.answer)
				if l.commit(o); l.err != nil {
					s.verdict, s.err = Verdict{}, l.err
				}
			}
			close(s.done)
		}
		if len(subs) == 0 {
			return now
		}
	}
}

// judge is Match.Answer that survives panics of the rules.
func (l *Live) judge(s game.Seat, a *Answer) (v Verdict, o Output) {
	defer func() {
		if p := recover(); p != nil {
			v = Verdict{Code: Refused, Fault: Internal, Do: DoVoid, Event: l.m.pos}
			o = l.m.Crash(l.stamp(), fmt.Sprint("panic: ", p))
		}
	}()
	l.filter(a)
	return l.m.Answer(l.stamp(), s, a)
}

// filter lets the host's filter see what the agent says beside its action.
func (l *Live) filter(a *Answer) {
	if l.c.Filter == nil {
		return
	}
	if a.Note != "" {
		a.Note = l.c.Filter(a.Note)
	}
	if a.Detail != "" {
		a.Detail = l.c.Filter(a.Detail)
	}
}

// do makes a step of the match from any goroutine.
func (l *Live) do(ctx context.Context, f func(now Time) (Output, error)) error {
	select {
	case l.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.lock }()
	if !l.alive() {
		if _, over := l.m.Result(); over && !l.record.failed {
			return ErrOver
		}
		return ErrStopped
	}
	if l.err != nil {
		return l.err
	}
	l.drain()
	var err error
	l.commit(l.safely(func() Output {
		var o Output
		o, err = f(l.stamp())
		return o
	}))
	l.poke()
	if l.err != nil {
		return l.err
	}
	return err
}

// alive reports whether Run is at work.
func (l *Live) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running && !l.closed
}

// poke wakes Run.
func (l *Live) poke() {
	select {
	case l.nudge <- struct{}{}:
	default:
	}
}

// spawn starts a goroutine, which Run lets finish before it returns; false: Run is ending.
func (l *Live) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || !l.running {
		return false
	}
	l.wg.Go(f)
	return true
}
