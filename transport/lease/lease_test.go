package lease_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/transport/lease"
)

// flaky is a memory that fails, or does not answer, when it is told to.
type flaky struct {
	lease.Memory
	mu    sync.Mutex
	err   error
	block chan struct{}
}

func (f *flaky) set(err error, block chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.block = err, block
}

func (f *flaky) Update(ctx context.Context, do func([]byte) ([]byte, error)) error {
	f.mu.Lock()
	err, block := f.err, f.block
	f.mu.Unlock()
	if block != nil {
		<-block // as a process that stands still: not even its context helps
	}
	if err != nil {
		return err
	}
	return f.Memory.Update(ctx, do)
}

var errDisk = errors.New("disk on fire")

// TestLost: a hold ends for both sides when it cannot be renewed, and no sooner.
func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(flaky)
		broken := newLease(t, lease.Options{Store: store, Bound: time.Hour})
		sound := newLease(t, lease.Options{Store: &store.Memory, Bound: time.Hour})
		held := acquire(t, broken, lease.Claim{})
		time.Sleep(20 * time.Minute) // renewed all the time
		if err := held.Context().Err(); err != nil {
			t.Fatal(err)
		}
		store.set(errDisk, nil)
		began := time.Now()
		waits := make(chan error, 1)
		go func() {
			_, err := broken.Acquire(t.Context(), lease.Claim{})
			waits <- err
		}()
		other := acquire(t, sound, lease.Claim{})
		if took := time.Since(began); took < 5*time.Second || took > 11*time.Second {
			t.Errorf("the other got it after %v", took)
		}
		if other.Token() <= held.Token() {
			t.Errorf("token %d after %d", other.Token(), held.Token())
		}
		<-held.Context().Done()
		if cause := context.Cause(held.Context()); !errors.Is(cause, lease.ErrLost) || !errors.Is(cause, errDisk) {
			t.Error(cause)
		}
		if took := time.Since(began); took > 11*time.Second {
			t.Errorf("its holder heard of it after %v", took)
		}
		if err := <-waits; !errors.Is(err, errDisk) {
			t.Error(err)
		}
		if took := time.Since(began); took < 10*time.Second || took > 11*time.Second {
			t.Errorf("who waited heard of the store after %v", took)
		}
		held.Release()
		other.Release()
	})
}

// TestPassing: a store that fails for less than the TTL changes nothing.
func TestPassing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(flaky)
		var told []error // by one goroutine, and looked at when there is none any more
		l := newLease(t, lease.Options{Store: store, Bound: time.Hour, Failed: func(err error) { told = append(told, err) }})
		held := acquire(t, l, lease.Claim{})
		got := make(chan *lease.Held, 1)
		store.set(errDisk, nil)
		go func() {
			h, err := l.Acquire(t.Context(), lease.Claim{})
			if err != nil {
				t.Error(err)
			}
			got <- h
		}()
		time.Sleep(5 * time.Second)
		store.set(nil, nil)
		time.Sleep(time.Minute)
		if err := held.Context().Err(); err != nil {
			t.Error(context.Cause(held.Context()))
		}
		held.Release()
		held.Release() // again: nothing
		h := <-got
		if err := h.Context().Err(); err != nil || h.Token() <= held.Token() {
			t.Error(err, h.Token())
		}
		h.Release()
		if !errors.Is(h.Context().Err(), context.Canceled) {
			t.Error("released, and not over")
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if len(told) != 2 || !errors.Is(told[0], errDisk) || told[1] != nil {
			t.Error(told)
		}
	})
}

// TestWaiting: who waits for long keeps its place all the time, for others to see.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := lease.Options{Store: new(lease.Memory), Bound: time.Hour}
		l, m := newLease(t, o), newLease(t, o)
		held := acquire(t, l, lease.Claim{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := l.Acquire(ctx, lease.Claim{})
			done <- err
		}()
		time.Sleep(time.Second)
		for range 1500 {
			time.Sleep(20 * time.Millisecond)
			if s, err := m.Status(t.Context()); err != nil || len(s.Waiting) != 1 || len(s.Holding) != 1 {
				t.Fatalf("%+v %v", s, err)
			}
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		held.Release()
	})
}

// TestStill: a process that stands still loses what it has, and hears so when it goes on.
func TestStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(flaky)
		still := newLease(t, lease.Options{Store: store, Bound: time.Hour})
		sound := newLease(t, lease.Options{Store: &store.Memory, Bound: time.Hour})
		held := acquire(t, still, lease.Claim{})
		block := make(chan struct{})
		store.set(nil, block)
		time.Sleep(5 * time.Second) // its goroutine asks, and hangs
		other := acquire(t, sound, lease.Claim{})
		if held.Context().Err() != nil {
			t.Error("it cannot know yet")
		}
		store.set(nil, nil)
		close(block)
		<-held.Context().Done()
		if cause := context.Cause(held.Context()); !errors.Is(cause, lease.ErrLost) {
			t.Error(cause)
		}
		held.Release()
		time.Sleep(time.Minute)
		if other.Context().Err() != nil || other.Token() <= held.Token() {
			t.Error("the release of a lost hold ended the other's", context.Cause(other.Context()))
		}
		other.Release()
	})
}

// TestSetBack: a clock that is set back keeps nothing for longer than a TTL or a bound from then on.
func TestSetBack(t *testing.T) {
	for _, test := range []struct {
		bound, most time.Duration
	}{{time.Hour, 11 * time.Second}, {5 * time.Second, 6 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			store := new(flaky)
			day := 24 * time.Hour
			ahead := lease.Options{Store: store, Bound: test.bound, Now: func() time.Time { return time.Now().Add(day) }}
			held := acquire(t, newLease(t, ahead), lease.Claim{})
			block := make(chan struct{})
			store.set(nil, block) // it is never heard of again
			began := time.Now()
			acquire(t, newLease(t, lease.Options{Store: &store.Memory, Bound: test.bound}), lease.Claim{}).Release()
			if took := time.Since(began); took > test.most {
				t.Errorf("free after %v", took)
			}
			store.set(nil, nil)
			close(block)
			held.Release()
		})
	}
}

func TestBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, lease.Options{})
		began := time.Now()
		held := acquire(t, l, lease.Claim{})
		next := acquire(t, l, lease.Claim{})
		if took := time.Since(began); took < 30*time.Second || took > 31*time.Second {
			t.Errorf("the next one got it after %v", took)
		}
		<-held.Context().Done()
		if cause := context.Cause(held.Context()); !errors.Is(cause, lease.ErrBound) || !held.End().Equal(began.Add(30*time.Second)) {
			t.Error(cause, held.End())
		}
		next.Release()
	})
}

// TestReplaced: a claim of the same ID stands where the one before stood.
func TestReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(lease.Memory)
		l, m := newLease(t, lease.Options{Store: store}), newLease(t, lease.Options{Store: store})
		errs := make(chan error, 3)
		order := make(chan string, 3)
		wait := func(l *lease.Lease, id string) {
			go func() {
				held, err := l.Acquire(t.Context(), lease.Claim{ID: id, Account: id})
				if err != nil {
					errs <- err
					return
				}
				order <- id
				held.Release()
			}()
			time.Sleep(time.Second)
		}
		held := acquire(t, l, lease.Claim{ID: "x"})
		wait(l, "y")
		wait(l, "z")
		wait(m, "y")
		if err := <-errs; !errors.Is(err, lease.ErrReplaced) {
			t.Error(err)
		}
		if s, err := m.Status(t.Context()); err != nil || len(s.Holding) != 1 || s.Holding[0].ID != "x" || len(s.Waiting) != 2 || s.Waiting[0].ID != "y" {
			t.Errorf("%+v %v", s, err)
		}
		again := acquire(t, m, lease.Claim{ID: "x"})
		time.Sleep(time.Second)
		if cause := context.Cause(held.Context()); !errors.Is(cause, lease.ErrReplaced) || again.Token() <= held.Token() {
			t.Error(cause, again.Token())
		}
		again.Release()
		if a, b := <-order, <-order; a != "y" || b != "z" {
			t.Error(a, b)
		}
		// Within one process, and one step of it, it is the same.
		one := acquire(t, l, lease.Claim{})
		for range 3 {
			go func() {
				held, err := l.Acquire(t.Context(), lease.Claim{ID: "w"})
				if err == nil {
					held.Release()
				}
				errs <- err
			}()
		}
		for range 2 {
			if err := <-errs; !errors.Is(err, lease.ErrReplaced) {
				t.Error(err)
			}
		}
		one.Release()
		if err := <-errs; err != nil {
			t.Error(err)
		}
	})
}

// TestFull: no more wait than may, in all processes together; who gives up makes room.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(lease.Memory)
		o := lease.Options{Store: store, Queue: 5, PerAccount: 2, Bound: time.Hour}
		l, m := newLease(t, o), newLease(t, o)
		held := acquire(t, l, lease.Claim{Account: "ann"})
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 10)
		for i, account := range []string{"ann", "ann", "ann", "bob", "bob", "cat", "dan"} {
			go func() {
				_, err := []*lease.Lease{l, m}[i%2].Acquire(ctx, lease.Claim{Account: account})
				results <- err
			}()
			time.Sleep(time.Second)
			if full := account == "ann" && i == 2 || account == "dan"; full != (len(results) == 1) {
				t.Errorf("claim %d: %d refused", i, len(results))
			} else if full {
				if err := <-results; !errors.Is(err, lease.ErrFull) {
					t.Error(err)
				}
			}
		}
		cancel()
		for range 5 {
			if err := <-results; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		time.Sleep(time.Second)
		if s, err := l.Status(t.Context()); err != nil || len(s.Waiting) != 0 || len(s.Holding) != 1 {
			t.Errorf("%+v %v", s, err)
		}
		held.Release()
	})
}

// TestCancelled: the end of the context ends the hold's, but who computes still is the only one until it is released.
func TestCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, lease.Options{Bound: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		held, err := l.Acquire(ctx, lease.Claim{})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan *lease.Held, 1)
		go func() { got <- acquire(t, l, lease.Claim{}) }()
		cancel()
		time.Sleep(time.Minute)
		if held.Context().Err() == nil || len(got) > 0 {
			t.Error("not over, or given on before it was released")
		}
		held.Release()
		(<-got).Release()
		if _, err := l.Acquire(ctx, lease.Claim{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(lease.Memory)
		l := newLease(t, lease.Options{Store: store})
		held := acquire(t, l, lease.Claim{})
		waits := make(chan error, 1)
		go func() {
			_, err := l.Acquire(t.Context(), lease.Claim{})
			waits <- err
		}()
		synctest.Wait()
		if err := l.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if cause := context.Cause(held.Context()); !errors.Is(cause, lease.ErrClosed) {
			t.Error(cause)
		}
		if err := <-waits; !errors.Is(err, lease.ErrClosed) {
			t.Error(err)
		}
		if _, err := l.Acquire(t.Context(), lease.Claim{}); !errors.Is(err, lease.ErrClosed) {
			t.Error(err)
		}
		m := newLease(t, lease.Options{Store: store})
		began := time.Now()
		acquire(t, m, lease.Claim{}).Release()
		if took := time.Since(began); took != 0 {
			t.Errorf("the next one waited %v", took)
		}
		if err := l.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestOne: of many who come at once in several processes, so many compute at a time and all do.
func TestOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(lease.Memory)
		o := lease.Options{Store: store, Holders: 2, Queue: 200}
		processes := []*lease.Lease{newLease(t, o), newLease(t, o), newLease(t, o)}
		var mu sync.Mutex
		var now, most int
		var tokens []int64
		n := 100
		if testing.Short() {
			n = 30
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				held := acquire(t, processes[i%3], lease.Claim{Account: fmt.Sprint(i % 7)})
				mu.Lock()
				now++
				most = max(most, now)
				tokens = append(tokens, held.Token())
				mu.Unlock()
				time.Sleep(time.Duration(i%5) * 100 * time.Millisecond)
				mu.Lock()
				now--
				mu.Unlock()
				held.Release()
			})
		}
		wg.Wait()
		slices.Sort(tokens)
		if most != 2 || len(slices.Compact(tokens)) != n || tokens[n-1] != int64(n) {
			t.Error(most, tokens)
		}
	})
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    lease.Options
		want []string
	}{
		{lease.Options{Holders: -1, Queue: -1, PerAccount: 5000}, []string{"Holders", "Queue", "PerAccount"}},
		{lease.Options{Bound: 2 * time.Hour, TTL: time.Millisecond}, []string{"Bound", "TTL"}},
		{lease.Options{TTL: time.Second, Poll: time.Second, Patience: -1}, []string{"Poll", "Patience"}},
		{lease.Options{Poll: 6 * time.Second}, []string{"Poll"}},
	} {
		_, err := lease.New(t.Context(), c.o)
		if err == nil {
			t.Errorf("%+v: accepted", c.o)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != len(c.want) {
			t.Errorf("%+v: %q", c.o, lines)
			continue
		}
		for i, w := range c.want {
			if !strings.HasPrefix(lines[i], "lease: "+w+": ") {
				t.Errorf("%q, not about %s", lines[i], w)
			}
		}
	}
	l := newLease(t, lease.Options{})
	for _, c := range []lease.Claim{{ID: strings.Repeat("x", 257)}, {Account: "\xff"}, {Class: 7}} {
		if held, err := l.Acquire(t.Context(), c); err == nil {
			t.Errorf("%+v: %v", c, held)
		}
	}
	if s, err := l.Status(t.Context()); err != nil || len(s.Holding)+len(s.Waiting) > 0 {
		t.Error(s, err)
	}
}
