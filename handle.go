package arena

import (
	"context"
	"fmt"
	"sync"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Handle is a match that was started. It stays good while the match stands still
// because its store failed, and goes on ([Config.Retry]). Safe for concurrent use.
type Handle struct {
	id     string
	done   chan struct{}
	result *referee.Result
	err    error

	mu   sync.Mutex
	live *referee.Live
	next chan struct{} // closes when another one takes its place
}

func newHandle(id string, live *referee.Live) *Handle {
	return &Handle{id: id, live: live, done: make(chan struct{}), next: make(chan struct{})}
}

// Find gives the handle of a match that runs by Start or Recover; false: there is
// none that has not ended. Of matches that are not recorded several may have one id:
// the latest is found.
func (a *Arena) Find(id string) (*Handle, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h, ok := a.handles[id]
	return h, ok
}

// forget takes the handle of a match that has ended out of Find.
func (a *Arena) forget(h *Handle) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.handles[h.id] == h {
		delete(a.handles, h.id)
	}
}

// ID gives the match's id.
func (h *Handle) ID() string { return h.id }

// Done closes when the match has ended or stopped for good.
func (h *Handle) Done() <-chan struct{} { return h.done }

// Wait waits for the end of the match, or of the context. The result is read
// only. An error that is not the context's says why the match stopped; a
// recorded match can be recovered then.
func (h *Handle) Wait(ctx context.Context) (*referee.Result, error) {
	select {
	case <-h.done:
		return h.result, h.err
	case <-ctx.Done():
	}
	select {
	case <-h.done: // what has ended is told, whatever the context says
		return h.result, h.err
	default:
		return nil, ctx.Err()
	}
}

// end notes how it ended.
func (h *Handle) end(r *referee.Result, err error) {
	h.result, h.err = r, err
	close(h.done)
}

// now gives who plays the match, and a channel that closes when somebody else does.
func (h *Handle) now() (*referee.Live, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.live, h.next
}

// pass says who plays the match from now on.
func (h *Handle) pass(live *referee.Live) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.live = live
	close(h.next)
	h.next = make(chan struct{})
}

// Watch gives what spectators may see, the present position first, until the match
// is over or stops for good, or the context ends; see [referee.Live.Watch]. Where the
// match stood still and went on, the present position comes again.
func (h *Handle) Watch(ctx context.Context) <-chan referee.Public {
	live, next := h.now()
	one, leave := context.WithCancel(ctx)
	in, out := live.Watch(one), make(chan referee.Public, watchBuffer)
	go func() {
		defer close(out)
		for {
			for p := range in {
				select {
				case out <- p:
				default: // the reader misses the oldest
					select {
					case <-out:
					default:
					}
					out <- p
				}
			}
			leave() // or the context would keep who has stopped
			select {
			case <-next:
			case <-h.done:
				select {
				case <-next: // and who has the end is still to be heard
				default:
					return
				}
			case <-ctx.Done():
				return
			}
			live, next = h.now()
			one, leave = context.WithCancel(ctx)
			in = live.Watch(one)
		}
	}()
	return out
}

// watchBuffer is how many positions a slow spectator may lag behind.
const watchBuffer = 64

// Seat gives the mailbox of a seat, for agents that call in. Where the match stood
// still and went on, it is another one.
func (h *Handle) Seat(s game.Seat) *referee.Seat {
	live, _ := h.now()
	return live.Seat(s)
}

// Abort voids the match: it does not count. by and reason are recorded.
func (h *Handle) Abort(by, reason string) error {
	return h.Adjudicate(referee.Ruling{What: referee.RuleVoid, By: by, Reason: reason})
}

// Adjudicate ends the match by the host's word. The error names each bad
// field, or is referee.ErrOver or referee.ErrStopped.
func (h *Handle) Adjudicate(r referee.Ruling) error {
	live, _ := h.now()
	if err := live.Rule(r); err != nil {
		return fmt.Errorf("arena: match %s: %w", h.id, err)
	}
	return nil
}
