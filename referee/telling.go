package referee

import (
	"encoding/json"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// tellLater queues the notices of a batch. Where the rules panic at it, the
// match is void.
func (l *Live) tellLater(o *Output) {
	defer func() {
		if p := recover(); p != nil {
			l.commit(l.m.Crash(l.stamp(), fmt.Sprint("panic: ", p)))
		}
	}()
	if len(o.Events) > 0 {
		for i := range l.seats {
			l.seats[i].closeStale(l.m)
		}
	}
	for i := range o.Effects {
		e := &o.Effects[i]
		switch e.Kind {
		case EffectClosed:
			l.post(e.Seat, Notice{Kind: Closed, Ask: e.Ask})
		case EffectWarned:
			if l.seats[e.Seat].ask == e.Ask { // else it is told of only now, or closed: the match stood still
				l.post(e.Seat, Notice{Kind: Warned, Ask: e.Ask})
			}
		case EffectJudged:
			l.post(e.Seat, Notice{Kind: Judged, Ask: e.Ask, Verdict: e.Verdict})
		case EffectAsked:
			l.askHost(e.HostAsk)
		case EffectLimit:
			l.askRuler()
		case EffectSaid:
			to := e.To
			if to == 0 {
				to = game.FirstSeats(len(l.seats))
			}
			for s := range to.Without(e.Seat).All() {
				l.post(s, Notice{Kind: Said, From: e.Seat, Text: e.Text})
			}
		}
	}
	stepped := l.visiblyStepped()
	if stepped {
		for i := range l.seats {
			l.post(game.Seat(i), Notice{Kind: Stepped})
		}
	}
	for s := range o.Open.All() {
		if !l.inline.Has(s) {
			r := l.m.request(s)
			r.state, r.filter = r.state.Clone(), l.c.Filter
			l.seats[s].open(l.ctx, r.Ask)
			l.post(s, Notice{Kind: Opened, Ask: r.Ask, Request: &r})
		}
	}
	if len(o.Events) == 0 {
		return
	}
	if l.m.result != nil {
		stepped = true
		l.tellEnd()
	}
	l.watch.recorded(l, o, stepped || o.Events[0].Kind == KindStart)
}

// visiblyStepped reports whether the position changed since the last call in a
// way that everybody may know of: where information is hidden, only what a
// spectator sees tells, for that somebody moved unseen, and when, is a secret too.
func (l *Live) visiblyStepped() bool {
	if l.steps == l.m.steps {
		return false
	}
	l.steps = l.m.steps
	if !l.m.info.Hidden {
		return true
	}
	face := l.face()
	if face == l.before {
		return false
	}
	l.before = face
	return true
}

// face is what a spectator sees, as text.
func (l *Live) face() (text string) {
	defer func() {
		if recover() != nil {
			text = l.m.turn.Phase
		}
	}()
	view, _ := json.Marshal(l.m.state.View(game.Spectator))
	return l.m.turn.Phase + "\n" + string(view)
}

// tellEnd queues the end for everybody.
func (l *Live) tellEnd() {
	for i := range l.seats {
		if s := game.Seat(i); !l.inline.Has(s) {
			l.post(s, Notice{Kind: Ended, Result: l.m.result.clone()})
		}
	}
}

// post queues a notice; inline players are told nothing.
func (l *Live) post(s game.Seat, n Notice) {
	if !l.inline.Has(s) {
		l.queue = append(l.queue, notice{s, n})
	}
}

// tell gives the queued notices to their players, outside the lock; false:
// there were none.
func (l *Live) tell() bool {
	if len(l.queue) == 0 {
		return false
	}
	q := l.queue
	l.queue = l.spare[:0]
	<-l.lock
	var trouble any
	for i := range q {
		if p := l.tellOne(&q[i]); p != nil {
			trouble = p
		}
		q[i] = notice{}
	}
	l.lock <- struct{}{}
	l.spare = q
	if trouble != nil && l.err == nil {
		l.commit(l.m.Crash(l.stamp(), fmt.Sprint("a player panicked: ", trouble)))
	}
	return true
}

func (l *Live) tellOne(n *notice) (trouble any) {
	defer func() { trouble = recover() }()
	l.ps[n.seat].Tell(&l.seats[n.seat], n.Notice)
	return nil
}
