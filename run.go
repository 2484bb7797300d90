package arena

import (
	"context"
	"sync"
	"sync/atomic"
)

// run is a match at play and its context, which ends with the one it was made
// from or when the arena takes the match from its referee, who leaves it
// resumable. Most short matches never wait for it, so it gets a channel of its
// own only when somebody asks.
type run struct {
	context.Context        // what it was made from
	id              string // "" until it is known, and where nothing is recorded
	stopped         atomic.Bool
	told            atomic.Bool // of one in the background: its end was recorded, and told to all
	log             keptLog     // of a match in the background; what plays it uses it, one after another

	mu     sync.Mutex
	inner  context.Context
	cancel context.CancelCauseFunc

	next, prev *run // in runs
}

// runs is a list of the matches at play. Arena.mu guards it and its links.
type runs struct {
	first *run
	n     int
}

func (l *runs) add(r *run) {
	r.next = l.first
	if r.next != nil {
		r.next.prev = r
	}
	l.first = r
	l.n++
}

func (l *runs) remove(r *run) {
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		l.first = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	}
	r.next, r.prev = nil, nil
	l.n--
}

// Done is the context's own channel from the first call on.
func (r *run) Done() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inner == nil {
		r.inner, r.cancel = context.WithCancelCause(r.Context)
		if r.stopped.Load() {
			r.cancel(ErrShutdown)
		}
	}
	return r.inner.Done()
}

// Err is ErrShutdown where the arena stopped the match.
func (r *run) Err() error {
	if r.stopped.Load() {
		return ErrShutdown
	}
	return r.Context.Err()
}

// Value makes contexts that are made from this one find its channel.
func (r *run) Value(key any) any {
	r.mu.Lock()
	inner := r.inner
	r.mu.Unlock()
	if inner != nil {
		return inner.Value(key)
	}
	return r.Context.Value(key)
}

// stop takes the match from its referee.
func (r *run) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped.Store(true)
	if r.cancel != nil {
		r.cancel(ErrShutdown)
	}
}

// end frees what the context holds.
func (r *run) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel(nil)
	}
}
