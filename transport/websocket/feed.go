package websocket

import (
	"context"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// Bounds of what waits for its time. Beyond, every second position is left out.
const (
	maxDelayed      = 512
	maxDelayedBytes = 4 << 20
)

// feed is one match as all its spectators see it.
type feed struct {
	t      *Transport
	key    feedKey
	delay  time.Duration
	ctx    context.Context
	cancel context.CancelFunc

	mu         sync.Mutex // before conn.mu
	spectators map[*spectator]struct{}
	now        []byte // what is shown; nil: nothing yet
	over       bool   // nothing follows
}

type feedKey struct {
	w     *watch
	match string
}

// feed lets a spectator join the feed of a match, which begins with its first.
func (w *watch) feed(s *spectator, c *conn) error {
	t, key := w.t, feedKey{w, c.match}
	s.conn = c
	if t.joinFeed(key, s) {
		return nil
	}
	ctx, cancel := context.WithCancel(t.ctx)
	views, err := w.o.Views(ctx, c.match)
	if err != nil {
		cancel()
		return err
	}
	t.mu.Lock()
	f := t.feeds[key]
	if f == nil {
		f = &feed{t: t, key: key, delay: w.o.Delay, ctx: ctx, cancel: cancel, spectators: map[*spectator]struct{}{s: {}}}
		s.feed = f
		t.feeds[key] = f
		t.wg.Go(func() { f.run(views) }) // the caller counts
		t.mu.Unlock()
		return nil
	}
	f.join(s)
	t.mu.Unlock()
	cancel() // somebody was quicker
	return nil
}

func (t *Transport) joinFeed(key feedKey, s *spectator) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.feeds[key]
	if f != nil {
		f.join(s)
	}
	return f != nil
}

// join adds a spectator. Under Transport.mu.
func (f *feed) join(s *spectator) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.feed = f
	f.spectators[s] = struct{}{}
	if s.last = f.over; f.now != nil {
		s.frames = append(s.frames, f.now)
	}
}

// leaveFeed takes a spectator away; the feed ends with the last.
func (t *Transport) leaveFeed(s *spectator) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := s.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.spectators, s)
	if len(f.spectators) == 0 && t.feeds[f.key] == f {
		delete(t.feeds, f.key)
		f.cancel()
	}
}

// delayed is a position that waits for its time.
type delayed struct {
	frame []byte // nil: the end of the feed
	at    time.Time
}

// run shows positions when their time has come.
func (f *feed) run(views <-chan referee.Public) {
	defer f.cancel()
	var wait []delayed
	size := 0
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := time.Now()
		for len(wait) > 0 && !now.Before(wait[0].at) {
			d := wait[0]
			wait[0] = delayed{}
			wait = wait[1:]
			size -= len(d.frame)
			if f.show(d.frame); d.frame == nil {
				return
			}
		}
		if len(wait) > 0 {
			timer.Reset(wait[0].at.Sub(now))
		}
		select {
		case p, ok := <-views:
			d := delayed{at: time.Now().Add(f.delay)}
			if ok {
				frame, err := ludux.AppendPublic(nil, f.key.match, &p)
				if err != nil {
					continue // a view that does not fit, or does not marshal
				}
				d.frame = frame
			} else {
				views = nil
			}
			wait = append(wait, d)
			if size += len(d.frame); len(wait) > maxDelayed || size > maxDelayedBytes {
				wait, size = thin(wait)
			}
		case <-timer.C:
		case <-f.ctx.Done():
			return
		}
	}
}

// thin leaves out every second position, but neither of the last two: the
// result, and the end.
func thin(wait []delayed) (kept []delayed, size int) {
	for i, d := range wait {
		if i%2 == 0 || i >= len(wait)-2 {
			kept = append(kept, d)
			size += len(d.frame)
		}
	}
	return kept, size
}

// show gives a position to the spectators; nil: there are no more.
func (f *feed) show(frame []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if frame == nil {
		f.over = true
	} else {
		f.now = frame
	}
	for s := range f.spectators {
		if frame == nil {
			s.last = true
			s.conn.wake()
		} else {
			s.push(frame)
		}
	}
}
