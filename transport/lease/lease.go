package lease

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

var (
	// ErrFull says that as many claims wait as may, of all or of this account.
	ErrFull = errors.New("lease: too many wait already")
	// ErrReplaced says that a later claim of the same ID, in this process or
	// another, has taken the place.
	ErrReplaced = errors.New("lease: another claim of this ID has taken the place")
	// ErrLost says that the hold was not renewed in time and may be another's now:
	// the process or its store stood still.
	ErrLost = errors.New("lease: lost, because it was not renewed in time")
	// ErrBound says that the hold has lasted as long as one may.
	ErrBound = errors.New("lease: held as long as it may be")
	// ErrClosed says that the Lease was closed.
	ErrClosed = errors.New("lease: closed")
)

// Lease is one process's access to a lease. Make one with [New]. It runs a
// goroutine while somebody here holds or waits. Safe for concurrent use.
type Lease struct {
	o     Options
	name  string // unlike those of all others
	owner string // the process, to its Roster
	alive func(owner string) bool

	mu      sync.Mutex
	seq     int64
	claims  []*claim // of this process, in the order of their arrival, until the store has forgotten them
	running chan struct{}
	closed  bool
	failing bool // the store
	poke    chan struct{}
}

// claim is a claim of this process. Its fields are under Lease.mu.
type claim struct {
	Claim
	key    string
	ctx    context.Context // of Acquire
	since  int64
	ticket int64 // 0: the store does not have it yet
	seen   int64 // when the store was last reached for it
	until  int64 // as in the store
	held   *Held
	err    error
	done   bool          // released, or nobody waits any more: to be taken out of the store
	told   chan struct{} // closed when held or err is set
}

// New gives access to the lease in a store, which it reads, so that one that
// cannot be used is found out at once. It returns one error for each bad
// option, joined, or the store's; [ErrState] is among them.
func New(ctx context.Context, o Options) (*Lease, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	o.fill()
	l := &Lease{o: o, alive: func(string) bool { return true }, poke: make(chan struct{}, 1)}
	var b [8]byte
	rand.Read(b[:]) // which never fails
	l.name = hex.EncodeToString(b[:])
	l.owner = l.name
	if r, ok := o.Store.(Roster); ok {
		l.owner, l.alive = r.Owner(), r.Alive
		if n := len(l.owner); n == 0 || n > maxOwner || !utf8.ValidString(l.owner) {
			return nil, fmt.Errorf("lease: Store: its Owner is not a text of 1 to %d bytes in UTF-8", maxOwner)
		}
	}
	if _, err := l.Status(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// Acquire waits for the lease. The error is the context's, [ErrFull],
// [ErrReplaced], [ErrClosed], one for each bad field of the claim, or the store's
// if that has failed for [Options.TTL]. When the context ends while the lease is
// held, so does the context of the hold; it has to be released all the same.
func (l *Lease) Acquire(ctx context.Context, c Claim) (*Held, error) {
	if err := errors.Join(ctx.Err(), c.validate()); err != nil {
		return nil, err
	}
	x := &claim{Claim: c, ctx: ctx, told: make(chan struct{})}
	if err := l.enter(x); err != nil {
		return nil, err
	}
	select {
	case <-x.told:
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case x.err != nil:
		return nil, x.err
	case ctx.Err() != nil:
		l.leave(x)
		return nil, ctx.Err()
	}
	return x.held, nil
}

// enter gives a claim to the goroutine, which it starts if there is none.
func (l *Lease) enter(x *claim) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	l.seq++
	x.key = l.name + "." + strconv.FormatInt(l.seq, 10)
	if x.ID == "" {
		x.ID = x.key
	}
	x.since = l.o.Now().UnixMilli()
	x.seen = x.since
	l.claims = append(l.claims, x)
	if l.running == nil {
		l.running = make(chan struct{})
		go l.run(l.running)
	}
	l.wake()
	return nil
}

// leave ends a claim, whatever it was; under mu.
func (l *Lease) leave(x *claim) {
	x.done = true
	if x.held != nil {
		x.held.cancel(context.Canceled)
	}
	l.wake()
}

// fail tells whoever waits or holds why it does no more; under mu.
func (l *Lease) fail(x *claim, why error) {
	x.done = true
	if x.held != nil {
		x.held.cancel(why)
		return
	}
	x.err = why
	close(x.told)
}

func (l *Lease) wake() {
	select {
	case l.poke <- struct{}{}:
	default:
	}
}

// Close ends all holds and claims of this process with [ErrClosed] and waits
// until the store knows, or the context ends. The store stays open.
func (l *Lease) Close(ctx context.Context) error {
	l.mu.Lock()
	l.closed = true
	for _, x := range l.claims {
		if !x.done {
			l.fail(x, ErrClosed)
		}
	}
	l.wake()
	running := l.running
	l.mu.Unlock()
	if running == nil {
		return nil
	}
	select {
	case <-running:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Status is who holds the lease and who waits for it, in all processes.
type Status struct {
	Holding []Claim
	Waiting []Claim // whose turn is next first, if nobody else comes
}

// Status reads the store.
func (l *Lease) Status(ctx context.Context) (Status, error) {
	var out Status
	err := l.o.Store.Update(ctx, func(kept []byte) ([]byte, error) {
		s, err := decode(kept)
		if err != nil {
			return nil, err
		}
		h := l.house()
		s.purge(h)
		for _, p := range s.Holds {
			out.Holding = append(out.Holding, p.Claim)
		}
		for p := s.next(h); p != nil; p = s.next(h) {
			out.Waiting = append(out.Waiting, s.grant(h, p).Claim)
		}
		return nil, nil
	})
	if err != nil {
		return Status{}, fmt.Errorf("lease: reading the store: %w", err)
	}
	return out, nil
}

// house gives a step what it knows; it asks once for each owner.
func (l *Lease) house() *house {
	known := map[string]bool{}
	alive := func(owner string) bool {
		lives, asked := known[owner]
		if !asked {
			lives = l.alive(owner)
			known[owner] = lives
		}
		return lives
	}
	return &house{now: l.o.Now().UnixMilli(), alive: alive, o: &l.o}
}

// Held is the right to compute. Safe for concurrent use.
type Held struct {
	l      *Lease
	x      *claim
	ctx    context.Context
	cancel context.CancelCauseFunc
	token  int64
	end    time.Time
}

// Context ends with the right: when it is released or lost, or when the context
// of [Lease.Acquire] ends. Its cause ([context.Cause]) is [ErrLost], [ErrBound],
// [ErrReplaced] or [ErrClosed] where the right ended before its holder was done.
func (h *Held) Context() context.Context { return h.ctx }

// Token is higher than those of all holds before.
func (h *Held) Token() int64 { return h.token }

// End is when the hold ends at the latest.
func (h *Held) End() time.Time { return h.end }

// Release gives the lease back and ends the context. It does not wait for the
// store. Releasing again does nothing.
func (h *Held) Release() {
	h.l.mu.Lock()
	defer h.l.mu.Unlock()
	h.l.leave(h.x)
}
