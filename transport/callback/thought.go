package callback

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"
	"time"
)

var errBusy = errors.New("callback: too many positions at once")

// thinker finds answers of type A to questions of type Q, and the same one however
// often it is asked the same.
type thinker[Q question[A], A any] struct {
	play func(context.Context, Q) (A, error)
	keep func(A) (A, bool) // gives an answer with memory of its own; false: it is not one to remember
	o    AgentOptions

	mu       sync.Mutex
	thoughts map[thoughtKey]*thought[A]
	order    []thoughtKey // finished ones, oldest first; some may have been dropped since
	thinking int
}

// question is a request for an answer of type A.
type question[A any] interface {
	key() thoughtKey      // the same for questions that are the same
	limit() time.Duration // for an answer; 0: none
	strikes() int         // rises when an answer was no good, where the format tells
	taken(A) bool         // an answer that the referee must have liked, if it came
}

// thoughtKey is the SHA-256 of what a request asks.
type thoughtKey [sha256.Size]byte

// hashed adds members to a hash so that nothing can move from one to the next.
type hashed struct{ hash.Hash }

func (h hashed) number(x uint64) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], x)
	h.Write(n[:])
}

func (h hashed) text(s string) {
	h.number(uint64(len(s)))
	io.WriteString(h, s)
}

// thought is the search for one answer, and then the answer. Its fields but done
// are under thinker.mu.
type thought[A any] struct {
	done    chan struct{} // closed when reply and err are there
	ended   bool
	reply   A
	err     error
	waiting int
	cancel  func()
	lonely  *time.Timer // cancels when nobody has waited for long
	strikes int         // of the newest request that was answered in time
	told    bool        // there was one
}

// answer gives the answer to a request that arrived at that time, waiting for it.
func (h *thinker[Q, A]) answer(ctx context.Context, q Q, arrived time.Time) (none A, err error) {
	key := q.key()
	h.mu.Lock()
	t := h.thoughts[key]
	if t != nil && t.ended && t.told && q.strikes() > t.strikes && !q.taken(t.reply) { // the referee cannot have liked it
		delete(h.thoughts, key)
		t = nil
	}
	if t == nil {
		if h.thinking >= h.o.Concurrent {
			h.mu.Unlock()
			return none, errBusy
		}
		t = h.think(key, q)
	}
	t.waiting++
	if t.lonely != nil {
		t.lonely.Stop()
		t.lonely = nil
	}
	h.mu.Unlock()

	select {
	case <-t.done:
	case <-ctx.Done():
	}

	h.mu.Lock()
	defer h.mu.Unlock()
	t.waiting--
	if !t.ended {
		if t.waiting == 0 {
			t.lonely = time.AfterFunc(h.o.Linger, t.cancel)
		}
		return none, ctx.Err()
	}
	if t.err == nil && (q.limit() == 0 || time.Since(arrived) < q.limit()) {
		t.told, t.strikes = true, q.strikes()
	}
	return t.reply, t.err
}

// think starts the search for an answer.
func (h *thinker[Q, A]) think(key thoughtKey, q Q) *thought[A] {
	ctx, cancel := context.WithCancel(context.Background())
	t := &thought[A]{done: make(chan struct{}), cancel: cancel}
	h.thoughts[key] = t
	h.thinking++
	go func() {
		reply, err := h.played(ctx, q)
		h.mu.Lock()
		defer h.mu.Unlock()
		cancel()
		if t.lonely != nil {
			t.lonely.Stop()
		}
		h.thinking--
		good := false
		if err == nil {
			reply, good = h.keep(reply)
		}
		t.ended, t.reply, t.err = true, reply, err
		if good {
			h.remember(key)
		} else {
			delete(h.thoughts, key)
		}
		close(t.done)
	}()
	return t
}

// played is the function, whose panic is an error.
func (h *thinker[Q, A]) played(ctx context.Context, q Q) (reply A, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("callback: panic: %v", p)
		}
	}()
	return h.play(ctx, q)
}

// remember keeps an answer and forgets the oldest one.
func (h *thinker[Q, A]) remember(key thoughtKey) {
	h.order = append(h.order, key)
	if len(h.order) > h.o.Remember {
		if old := h.thoughts[h.order[0]]; old != nil && old.ended {
			delete(h.thoughts, h.order[0])
		}
		h.order = h.order[1:]
	}
}
