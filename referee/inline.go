package referee

import (
	"context"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
)

// maxTries bounds how often an inline player is asked the same again.
const maxTries = 16

// playInline lets inline players move, at most so often, until somebody else has
// to be waited for or told; false: none of them could at last. It is called with
// the lock.
func (l *Live) playInline(ctx context.Context, most int) (played bool) {
	if l.inline == 0 {
		return false
	}
	for {
		n, done := l.inlineMoves(ctx, most)
		if most -= n; done || most <= 0 {
			return n > 0
		}
	}
}

// inlineMoves makes at most so many moves of inline players; false: something
// panicked, was dealt with, and the match may go on.
func (l *Live) inlineMoves(ctx context.Context, most int) (n int, done bool) {
	asking, s := false, game.Seat(0)
	defer func() {
		if p := recover(); p != nil {
			if asking {
				a := panicAnswer(p)
				v, o := l.judge(s, &a)
				l.judged(s, &v)
				l.commit(o)
				if l.tries >= maxTries {
					l.giveUp(s)
				}
			} else {
				l.commit(l.m.Crash(l.stamp(), fmt.Sprint("panic: ", p)))
			}
		}
	}()
	for n < most && len(l.queue) == 0 && l.err == nil && l.m.result == nil {
		due := l.m.open & l.m.shown & l.inline
		if len(l.stuck) > 0 {
			due &^= l.stalled()
		}
		if due == 0 || n&15 == 15 && ctx.Err() != nil {
			return n, true
		}
		s = due.First()
		n++
		if seat := &l.m.seats[s]; seat.sentAt == 0 && seat.info.Clock.Starts == AtSent {
			_, _, o := l.m.Sent(l.stamp(), s, seat.ask)
			if l.commit(o); l.err != nil {
				return n, true
			}
		}
		r := &l.reqs[s]
		l.m.fill(r, s)
		asking = true
		a := l.ps[s].(Inline)(r)
		asking = false
		a.own()
		l.filter(&a)
		var now Time
		a.Arrived, now = l.times()
		l.m.begin(now)
		v := l.m.judge(s, &a)
		l.judged(s, &v)
		open := l.m.finish()
		if l.alone && len(l.m.effects) == 0 && !l.watch.any.Load() {
			l.err = l.record.append(l.ctx, l.m.events)
		} else {
			l.commit(Output{Events: l.m.events, Open: open, Effects: l.m.effects})
		}
		if l.tries >= maxTries {
			l.giveUp(s)
		}
	}
	return n, true
}

// judged counts the answers of an inline player that leave its request open: those
// that are rejected, and those with a key that it has used.
func (l *Live) judged(s game.Seat, v *Verdict) {
	if v.Code == OK || v.Code == Refused && v.Do != DoReject {
		l.tries = 0
		return
	}
	if a := (asked{s, l.m.seats[s].ask}); l.tried != a {
		l.tried, l.tries = a, 0
	}
	l.tries++
}

// asked is a request.
type asked struct {
	seat game.Seat
	ask  int32
}

// giveUp deals with an inline player whose every answer is rejected: it is asked
// no more, so that its clock runs out, and where it has none the match is void.
func (l *Live) giveUp(s game.Seat) {
	l.tries = 0
	if l.m.seats[s].due == never && l.m.expiry == never {
		l.commit(l.m.Crash(l.stamp(), fmt.Sprintf("seat %v gives no acceptable answer and has no clock", s)))
		return
	}
	l.stuck = append(l.stuck, l.tried)
}

// stalled gives the seats that are asked no more until their request is closed.
func (l *Live) stalled() (s game.SeatSet) {
	l.stuck = slices.DeleteFunc(l.stuck, func(a asked) bool { return !l.m.open.Has(a.seat) || l.m.seats[a.seat].ask != a.ask })
	for _, a := range l.stuck {
		s = s.With(a.seat)
	}
	return s
}

// panicAnswer is the answer of a player that panicked: its own fault, unless
// the rules did it.
func panicAnswer(p any) Answer {
	if _, rules := p.(rulesPanic); rules {
		return Answer{Fault: Internal, Detail: fmt.Sprint("panic: ", p)}
	}
	return Answer{Fault: BadProtocol, Detail: fmt.Sprint("panic: ", p)}
}

// request makes the request of a seat, on the live state.
func (m *Match) request(i game.Seat) Request {
	var r Request
	m.fill(&r, i)
	r.rand, r.listed = nil, nil
	return r
}

// fill makes the request of a seat in place.
func (m *Match) fill(r *Request, i game.Seat) {
	s := &m.seats[i]
	r.seat, r.ask = i, s.ask
	r.Seat, r.Ask, r.Turn, r.Nth, r.Strikes = i, s.ask, s.turnNo, s.nth+1, s.strikes
	if r.Phase != m.turn.Phase {
		r.Phase = m.turn.Phase
	}
	r.Limit, r.Deadline = 0, 0
	if s.due != never {
		begun, _ := s.begun()
		r.Limit, r.Deadline = max(s.due-begun, 1).duration(), s.due // 0 would say that there is no limit
	} else if s.info.Clock.Starts == AtSent {
		r.Limit = s.limit()
	}
	if r.match != m || r.state != m.state || r.rand != &s.rand { // pointers cost more to store than to compare
		r.match, r.state, r.rand = m, m.state, &s.rand
	}
}

// Open gives the request that is open for a seat; the caller owns it.
func (m *Match) Open(i game.Seat) (Request, bool) {
	if !m.seated(i) || !m.addressed(i, Address{}) {
		return Request{}, false
	}
	r := m.request(i)
	r.state = r.state.Clone()
	return r, true
}
