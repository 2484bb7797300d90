package callback

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
)

var errBusy = errors.New("callback: too many positions at once")

// agentHandler is the handler of Agent.
type agentHandler struct {
	play func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error)
	o    AgentOptions

	mu       sync.Mutex
	thoughts map[thoughtKey]*thought
	order    []thoughtKey // finished ones, oldest first; some may have been dropped since
	thinking int
}

// thoughtKey is the SHA-256 of what a request asks.
type thoughtKey [sha256.Size]byte

// keyOf tells requests apart by all but nonce and strikes.
func keyOf(m *agentarena.MoveRequest) (k thoughtKey) {
	h := sha256.New()
	var n [8]byte
	number := func(x uint64) {
		binary.BigEndian.PutUint64(n[:], x)
		h.Write(n[:])
	}
	text := func(s string) { // its length first, so that nothing can move from one to the next
		number(uint64(len(s)))
		io.WriteString(h, s)
	}
	for _, s := range [...]string{m.MatchID, m.Game, m.You, m.Opponent, m.Board, m.ReplayURL} {
		text(s)
	}
	number(uint64(m.MoveNumber))
	number(uint64(m.Deadline))
	for _, s := range m.Legal {
		text(s)
	}
	h.Sum(k[:0])
	return k
}

// thought is the search for one answer, and then the answer. Its fields but done
// are under agentHandler.mu.
type thought struct {
	done    chan struct{} // closed when reply and err are there
	ended   bool
	reply   agentarena.Reply
	err     error
	waiting int
	cancel  func()
	lonely  *time.Timer // cancels when nobody has waited for long
	strikes int         // of the newest request that was answered in time
	told    bool        // there was one
}

// answer gives the answer to a request that arrived at that time, waiting for it.
func (h *agentHandler) answer(ctx context.Context, m *agentarena.MoveRequest, arrived time.Time) (agentarena.Reply, error) {
	key := keyOf(m)
	h.mu.Lock()
	t := h.thoughts[key]
	if t != nil && t.refused(m) {
		delete(h.thoughts, key)
		t = nil
	}
	if t == nil {
		if h.thinking >= h.o.Concurrent {
			h.mu.Unlock()
			return agentarena.Reply{}, errBusy
		}
		t = h.think(key, m)
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
		return agentarena.Reply{}, ctx.Err()
	}
	if t.err == nil && (m.Deadline == 0 || time.Since(arrived) < m.Deadline) {
		t.told, t.strikes = true, m.Strikes
	}
	return t.reply, t.err
}

// refused reports whether the referee cannot have liked the answer.
func (t *thought) refused(m *agentarena.MoveRequest) bool {
	return t.ended && t.told && m.Strikes > t.strikes && (t.reply.Reason != "" || !slices.Contains(m.Legal, t.reply.Move))
}

// think starts the search for an answer.
func (h *agentHandler) think(key thoughtKey, m *agentarena.MoveRequest) *thought {
	ctx, cancel := context.WithCancel(context.Background())
	t := &thought{done: make(chan struct{}), cancel: cancel}
	h.thoughts[key] = t
	h.thinking++
	position := *m
	go func() {
		reply, err := h.played(ctx, position)
		h.mu.Lock()
		defer h.mu.Unlock()
		cancel()
		if t.lonely != nil {
			t.lonely.Stop()
		}
		h.thinking--
		// Cloned, so that no whole request is kept for a word of it.
		reply.Move, reply.Nonce, reply.Reason = strings.Clone(reply.Move), "", strings.Clone(reply.Reason)
		t.ended, t.reply, t.err = true, reply, err
		if err != nil || len(reply.Move)+len(reply.Reason) > agentarena.MaxReply {
			delete(h.thoughts, key)
		} else {
			h.keep(key)
		}
		close(t.done)
	}()
	return t
}

// played is the function, whose panic is an error.
func (h *agentHandler) played(ctx context.Context, m agentarena.MoveRequest) (r agentarena.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("callback: panic: %v", p)
		}
	}()
	return h.play(ctx, m)
}

// keep remembers an answer and forgets the oldest one.
func (h *agentHandler) keep(key thoughtKey) {
	h.order = append(h.order, key)
	if len(h.order) > h.o.Remember {
		if old := h.thoughts[h.order[0]]; old != nil && old.ended {
			delete(h.thoughts, h.order[0])
		}
		h.order = h.order[1:]
	}
}
