package websocket

import (
	"sync/atomic"
	"time"
)

// What a reader has read it judges itself: to wake another goroutine for that takes
// longer than to judge and to write the next request. It may take long, though: the
// store is slow, or the other side does not read. So readers that judge stand at a
// post, and who still stands there when the watch comes round a second time is
// relieved: another goroutine reads on.

const (
	// quick is how long judging takes at most if the reader is to do it the next time.
	quick = time.Millisecond
	// restFactor is how much longer than it judged, without waiting for a message
	// between, a reader rests where that was not quick. The store may be slow for all
	// seats of an agent, and what they send is read meanwhile.
	restFactor = 10
	// watchEvery is how often the watch goes round, and watchRounds how often it
	// does so in vain before it ends.
	watchEvery  = 5 * time.Millisecond
	watchRounds = 20
	// posts are how many readers may judge at once. Other answers are the crew's.
	posts = 64
)

// shift is of the reader of a connection.
type shift struct {
	post  int           // where it stands while it judges
	rest  time.Time     // before then it leaves that to the crew
	last  time.Time     // when it ended to judge
	spent time.Duration // judging, less restFactor times what it waited since
	count atomic.Uint64 // odd: it does; goes up whenever that begins or ends, or it is relieved
	over  int           // messages over the pace
}

// watchmen relieve readers.
type watchmen struct {
	posts [posts]atomic.Pointer[conn]
	next  atomic.Uint64 // post
	awake atomic.Bool
}

// lend has the reader judge; false: somebody has relieved it meanwhile.
func (c *conn) lend(judging func()) (reads bool) {
	t, begun := c.t, time.Now()
	post := &t.watch.posts[c.post]
	if begun.Before(c.rest) || !post.CompareAndSwap(nil, c) {
		t.do(judging)
		return true
	}
	t.wg.Add(1) // for who relieves us
	n := c.count.Add(1)
	if !t.watch.awake.Load() && t.watch.awake.CompareAndSwap(false, true) {
		t.wg.Go(t.goWatch)
	}
	judging()
	if !c.count.CompareAndSwap(n, n+1) {
		return false
	}
	post.Store(nil)
	t.wg.Done()
	c.tire(begun, time.Since(begun))
	return true
}

// tire has a reader rest that has judged for a while.
func (c *conn) tire(begun time.Time, took time.Duration) {
	waited := min(begun.Sub(c.last), c.spent) // more makes no difference
	c.last = begun.Add(took)
	if c.spent = max(c.spent-restFactor*waited, 0) + took; c.spent > quick {
		c.rest = c.last.Add(restFactor * c.spent)
	}
}

// goWatch is the goroutine of the watch, while readers judge.
func (t *Transport) goWatch() {
	w := &t.watch
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	var seen [posts]struct {
		c *conn
		n uint64
	}
	for quiet := 0; ; {
		select {
		case <-ticker.C:
		case <-t.ctx.Done():
			return
		}
		quiet++
		for i := range w.posts {
			c := w.posts[i].Load()
			if c == nil {
				continue
			}
			quiet = 0
			n := c.count.Load()
			if n%2 == 1 && seen[i].c == c && seen[i].n == n && c.count.CompareAndSwap(n, n+1) {
				w.posts[i].Store(nil)
				c.tire(time.Now().Add(-2*watchEvery), 2*watchEvery) // at most
				go func() {
					defer t.wg.Done() // the reader added it
					c.read()
				}()
			}
			seen[i].c, seen[i].n = c, n
		}
		if quiet < watchRounds {
			continue
		}
		w.awake.Store(false)
		if w.manned() == 0 || !w.awake.CompareAndSwap(false, true) {
			return
		}
	}
}

// manned counts the readers at their posts.
func (w *watchmen) manned() (n int) {
	for i := range w.posts {
		if w.posts[i].Load() != nil {
			n++
		}
	}
	return n
}
