package websocket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// ErrNoMatch is what WatchOptions.Views wraps where there is no such match to watch.
var ErrNoMatch = errors.New("websocket: no such match")

// WatchOptions configure what spectators see.
type WatchOptions struct {
	// Views gives the public positions of a match, such as [referee.Live.Watch]
	// does, until the context ends. It is called when the first spectator of a match
	// comes, and the rest share what it gives. The error wraps ErrNoMatch where there is
	// no such match, or none that may be watched. Required. The arena finds a match by
	// its id (arena.Arena.Find), and its handle gives them.
	Views func(ctx context.Context, match string) (<-chan referee.Public, error)
	// Delay is how much later than the match spectators see it, its end
	// included; up to an hour. Who comes first waits as long for the first position.
	// Views is to know a match for as long after its end: that it is not known any
	// more is told at once.
	// In a match of long moves a delay keeps agents from being told by spectators.
	Delay time.Duration
	// PerKey is how many connections a key may have. 0: 16.
	PerKey int
}

// watch takes spectators.
type watch struct {
	t *Transport
	o WatchOptions

	mu   sync.Mutex
	keys map[string]int // connections
}

// Watch gives a handler for spectators, who ask for GET ?match=ID with a key of
// scope watch, as agents do. They are sent [ludux.PublicState] for each public
// position, the present one first, and the connection closes with 1000 after the
// last. Where there is no such match, error match_over comes and the connection
// closes with 1008. Who reads slowly misses positions, but not the last one. Everything else is as for agents: one
// rhythm of pings, one set of limits, and Close closes it all.
func (t *Transport) Watch(o WatchOptions) (http.Handler, error) {
	var errs []error
	if o.Views == nil {
		errs = append(errs, errors.New("websocket: Views: required"))
	}
	if o.Delay < 0 || o.Delay > time.Hour {
		errs = append(errs, fmt.Errorf("websocket: Delay: %v is not in 0 to 1h", o.Delay))
	}
	if o.PerKey < 0 {
		errs = append(errs, fmt.Errorf("websocket: PerKey: %d is negative", o.PerKey))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	or(&o.PerKey, 16)
	return &watch{t: t, o: o, keys: map[string]int{}}, nil
}

// ServeHTTP takes the connection of a spectator.
func (w *watch) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	match := r.URL.Query().Get("match")
	if len(match) > maxMatch { // no id of a match, and not for anybody's log
		match = ""
	}
	w.t.serve(rw, r, visit{scope: transport.ScopeWatch, match: match, enter: w.enter, handle: func(c *conn, m ludux.Message, bad *ludux.FrameError) func() {
		c.line(&ludux.Error{Code: ludux.CodeMalformed, Message: "spectators only watch"})
		return nil
	}})
}

// enter seats a spectator.
func (w *watch) enter(c *conn) {
	key := c.grant.Key
	w.mu.Lock()
	full := w.keys[key] >= w.o.PerKey
	if !full {
		w.keys[key]++
	}
	w.mu.Unlock()
	if full {
		c.line(&ludux.Error{Code: ludux.CodeRateLimited, Message: "too many connections of this key", RetryAfter: 5 * time.Second})
		c.end(statusPolicy, ReasonPace, nil)
		return
	}
	s := &spectator{w: w}
	if err := w.feed(s, c); err != nil {
		w.gone(key)
		if errors.Is(err, ErrNoMatch) {
			c.line(&ludux.Error{Code: ludux.CodeMatchOver, Message: "there is no such match to watch", MatchID: c.match})
			c.end(statusPolicy, ReasonUnknown, nil)
		} else {
			c.end(statusTryAgain, ReasonHost, err)
		}
		return
	}
	c.mu.Lock()
	c.out = s
	ended := c.ending != nil
	c.mu.Unlock()
	if ended {
		s.leave(c, "")
	}
	w.t.observe(c.event(Opened))
	c.wake()
}

func (w *watch) gone(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.keys[key]--; w.keys[key] == 0 {
		delete(w.keys, key)
	}
}

// maxMatch is how many bytes the id of a match may have.
const maxMatch = 128

// maxBehind is how many positions may wait for a slow spectator.
const maxBehind = 32

// spectator is the outlet to one.
type spectator struct {
	w    *watch
	feed *feed
	// Under feed.mu.
	conn   *conn
	frames [][]byte // shared by all, read only
	last   bool     // no more come
}

func (s *spectator) flush(c *conn, buf []byte) ([]byte, bool) {
	s.feed.mu.Lock()
	if len(s.frames) == 0 {
		last := s.last
		s.feed.mu.Unlock()
		if last {
			c.end(1000, ReasonEnd, nil)
		}
		return buf, false
	}
	frame := s.frames[0]
	s.frames = s.frames[1:]
	s.feed.mu.Unlock()
	c.send(frame)
	return buf, true
}

func (s *spectator) sent(*conn) func() { return func() {} }

func (s *spectator) leave(c *conn, _ Reason) {
	s.w.gone(c.grant.Key)
	s.w.t.leaveFeed(s)
}

// push adds a frame. Under feed.mu.
func (s *spectator) push(frame []byte) {
	if len(s.frames) >= maxBehind {
		s.frames = append([][]byte(nil), s.frames[1:]...)
	}
	s.frames = append(s.frames, frame)
	s.conn.wake()
}
