package referee

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/matchreferee/arena/game"
)

// Public is what a spectator may know after a step of a live match.
type Public struct {
	Turn   int32        // steps of seats so far; 0 where information is hidden
	Phase  string       // the game's
	Seats  game.SeatSet // to move; empty where information is hidden
	View   any          // the author's View type, for a spectator
	Board  string       // drawing for a spectator; "" from games without
	Result *Result      // at the end; read only
}

// watchers are spectators' channels and those who wait for a change. All but
// any is guarded by Live.lock.
type watchers struct {
	any     atomic.Bool
	chans   []chan Public
	changed []chan struct{} // by seat; nil: nobody waits
	closed  bool
}

// watchBuffer is how many positions a slow spectator may lag behind before it
// misses the oldest.
const watchBuffer = 64

// Watch gives the public positions of the match, the present one first. A
// reader that lags behind by more than a buffer's length misses the oldest ones.
// The channel closes when Run returns or the context ends. Where information is
// hidden, only what a spectator may see is in it.
func (l *Live) Watch(ctx context.Context) <-chan Public {
	ch := make(chan Public, watchBuffer)
	select {
	case l.lock <- struct{}{}:
	case <-ctx.Done(): // who holds it may wait for a slow log
		close(ch)
		return ch
	}
	defer func() { <-l.lock }()
	if l.m.pos > 0 && !l.record.failed {
		ch <- l.public()
	}
	if l.watch.closed || ctx.Err() != nil {
		close(ch)
		return ch
	}
	l.watch.chans = append(l.watch.chans, ch)
	if l.m.info.Hidden && !l.watch.any.Load() {
		l.steps, l.before = l.m.steps, l.face() // those who play in place look at it for spectators alone
	}
	l.watch.any.Store(true)
	context.AfterFunc(ctx, func() {
		l.lock <- struct{}{}
		defer func() { <-l.lock }()
		l.watch.leave(ch)
	})
	return ch
}

// leave closes the channel of a spectator that goes.
func (w *watchers) leave(ch chan Public) {
	if i := slices.Index(w.chans, ch); i >= 0 {
		w.chans = slices.Delete(w.chans, i, i+1)
		close(ch)
	}
}

// public makes the present position; the rules may panic here too.
func (l *Live) public() (p Public) {
	defer func() {
		if r := recover(); r != nil {
			p.View = nil
		}
	}()
	p.Phase, p.Result = l.m.turn.Phase, l.m.result.clone()
	if !l.m.info.Hidden {
		p.Turn, p.Seats = l.m.moves, l.m.turn.Seats
	}
	p.View = l.m.state.View(game.Spectator)
	p.Board, _ = l.m.state.Board(game.Spectator)
	return p
}

// recorded wakes who waits for a change. Where information is hidden, that
// something happened, and when, may be a secret: spectators and seats hear of it
// where it has visibly stepped, a seat of its own events too.
func (w *watchers) recorded(l *Live, o *Output, stepped bool) {
	for i, ch := range w.changed {
		if ch != nil && (stepped || !l.m.info.Hidden || o.concerns(game.Seat(i))) {
			close(ch)
			w.changed[i] = nil
		}
	}
	if len(w.chans) == 0 || !stepped {
		return
	}
	p := l.public()
	for _, ch := range w.chans {
		for {
			select {
			case ch <- p:
			default:
				select {
				case <-ch:
				default:
				}
				continue
			}
			break
		}
	}
}

// concerns reports whether a step was a seat's own, or opened its request.
func (o *Output) concerns(s game.Seat) bool {
	if o.Open.Has(s) {
		return true
	}
	for i := range o.Events {
		if o.Events[i].Seat == s && o.Events[i].Kind != KindEnd {
			return true
		}
	}
	return slices.ContainsFunc(o.Effects, func(e Effect) bool { return e.Seat == s || e.Kind == EffectEnded })
}

func (w *watchers) close() {
	for _, ch := range w.changed {
		if ch != nil {
			close(ch)
		}
	}
	for _, ch := range w.chans {
		close(ch)
	}
	w.changed, w.chans, w.closed = nil, nil, true
}

// View shows a seat the match as it was at one moment, as far as that seat may
// see it. It is valid only while [Seat.Look] runs.
type View struct {
	Request *Request // open for this seat; nil: none. Valid as long as the View
	Phase   string
	Seats   game.SeatSet // to move; where information is hidden, of this seat alone
	Turn    int32        // as in [Request]
	Strikes int
	Result  *Result // nil: the match goes on
	live    *Live
	seat    game.Seat
}

// State gives the author's View type for this seat, to keep.
func (v View) State() any { return v.live.m.state.View(v.seat) }

// Board draws what the seat sees; false where the game has no drawing.
func (v View) Board() (string, bool) { return v.live.m.state.Board(v.seat) }

// Look calls f with the present View, while the match stands still: f must be
// quick and call nothing of the match. As soon as anything changes, visible to
// the seat or not, the channel is closed.
func (s *Seat) Look(f func(View)) (changed <-chan struct{}) {
	l := s.live
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	m := l.m
	v := View{Phase: m.turn.Phase, Seats: m.turn.Seats, Turn: m.moves, Strikes: m.seats[s.num].strikes, Result: m.result.clone(), live: l, seat: s.num}
	if m.info.Hidden {
		v.Turn, v.Seats = m.seats[s.num].nth, v.Seats&game.Seats(s.num)
	}
	if m.seated(s.num) && m.addressed(s.num, Address{}) {
		r := m.request(s.num)
		r.filter = l.c.Filter
		v.Request = &r
	}
	l.safeLook(f, v)
	if l.watch.closed {
		ch := make(chan struct{})
		close(ch)
		return ch
	}
	if l.watch.changed == nil {
		l.watch.changed = make([]chan struct{}, len(l.seats))
	}
	ch := &l.watch.changed[s.num]
	if *ch == nil {
		*ch = make(chan struct{})
	}
	l.watch.any.Store(true)
	return *ch
}

// safeLook voids the match when the rules panic in a look.
func (l *Live) safeLook(f func(View), v View) {
	defer func() {
		if p := recover(); p != nil && l.err == nil && l.alive() {
			l.commit(l.m.Crash(l.stamp(), "panic in a look"))
			l.poke()
		}
	}()
	f(v)
}
