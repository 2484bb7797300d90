package referee

import (
	"context"
	"time"
)

// driver is who plays on: lets inline players move, and tells the others what
// happened, one notice after another. That is Run, unless it waits and somebody
// brings an answer: who does so plays on at once, for to wake Run would take
// longer than a move. All under Live.lock.
type driver struct {
	busy   bool // somebody plays on
	wanted bool // Run has something to do, and waits for a nudge from who does
	armed  Time // Run wakes by then
}

// stint bounds how long somebody who brought an answer plays on before Run takes
// over, and so how long other players, or a slow store, keep a verdict from its agent.
const stint = time.Millisecond

// handOver is called, with the lock, by who brings an answer: it judges what is in
// the inbox, and plays on.
func (l *Live) handOver() {
	since := time.Now()
	now := l.drain()
	if l.busy || l.wanted {
		return // whoever it is looks again, and Run does
	}
	l.busy = true
	more := true
	for more && time.Since(since) < stint {
		played := l.playInline(l.ctx, 1)
		more = l.tell() || played
	}
	l.busy = false
	wake := l.m.Wake() // past already where the host's clock has leapt, of which Run's timer knows nothing
	if more || l.wanted || l.m.result != nil || l.err != nil || wake < l.armed || wake <= now {
		l.poke()
	}
}

// wait gives the lock back until something happens, and takes it again.
func (l *Live) wait(ctx context.Context) {
	l.armed = l.m.Wake()
	now := l.time()
	var alarm <-chan time.Time
	if l.armed < never-1 {
		const longest = 1 << 40 // ms; a Duration holds no more than 292 years
		t := time.NewTimer(time.Duration(min(max(l.armed-now, 0), longest)) * time.Millisecond)
		defer t.Stop()
		alarm = t.C
	}
	l.busy = false
	<-l.lock
	select {
	case <-alarm:
	case <-l.nudge:
	case <-ctx.Done():
	}
	l.lock <- struct{}{}
	for l.busy {
		l.wanted = true
		<-l.lock
		<-l.nudge
		l.lock <- struct{}{}
	}
	l.busy, l.wanted = true, false
	if ctx.Err() != nil {
		return
	}
	now = l.drain()
	if l.m.result == nil && l.m.Wake() <= now {
		l.commit(l.safely(func() Output { return l.m.Tick(now) }))
	}
}
