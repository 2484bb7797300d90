package arena_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

var errFull = errors.New("no space left")

// outage is a store whose calls fail from one of them on, for a time.
type outage struct {
	referee.MemoryStore
	mu    sync.Mutex
	calls int
	at    int           // the first call that fails; 0: none
	lasts time.Duration // how long calls fail
	done  bool          // an append that fails is carried out
	lost  bool          // the records are gone
	seal  bool          // it was a seal that could not be appended first
	until time.Time
}

func (o *outage) fails() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.calls++; o.calls == o.at {
		o.until = time.Now().Add(o.lasts)
	}
	return o.at > 0 && o.calls >= o.at && !time.Now().After(o.until)
}

func (o *outage) called() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.calls
}

func (o *outage) Open(ctx context.Context, id string) (referee.Log, error) {
	log, err := o.MemoryStore.Open(ctx, id)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost {
		log = new(referee.Memory)
	}
	return outLog{log, o}, err
}

type outLog struct {
	referee.Log
	o *outage
}

func (l outLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	if !l.o.fails() {
		return l.Log.Append(ctx, at, lines)
	}
	if l.o.called() == l.o.at {
		l.o.seal = referee.IsSeal(lines[0])
	}
	if l.o.done {
		if err := l.Log.Append(ctx, at, lines); err != nil {
			return err
		}
	}
	return errFull
}

// once counts how often the hooks are told of an end.
type once struct {
	arena.NoHooks
	mu    sync.Mutex
	ended int
}

func (o *once) Ended(string, *referee.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended++
}

// TestRetry has each append of a match fail in turn, once or for ten minutes: the match goes on, its handle stays good, and nobody is told twice.
func TestRetry(t *testing.T) {
	for _, done := range []bool{false, true} {
		for _, lasts := range []time.Duration{0, 10 * time.Minute} {
			for at := 1; ; at++ {
				o := &outage{at: at, lasts: lasts, done: done}
				t.Run(fmt.Sprint(done, lasts, at), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { retried(t, o) }) })
				if o.calls < at || t.Failed() { // there are no more calls
					break
				}
			}
		}
	}
}

func retried(t *testing.T, o *outage) {
	hooks, here := new(once), &inProcess{delay: time.Second}
	terms := func(int) (referee.Policy, referee.Clock) { return referee.Policy{}, referee.Clock{Move: time.Hour} }
	a := newArena(t, arena.Config{Store: o, Key: key, Seal: replay.Sealer(), Hooks: hooks, Carriers: map[string]arena.Carrier{"here": {Transport: here, Terms: terms}}})
	begin := time.Now()
	seats := agents()
	seats[1] = arena.Seat{Player: slow(time.Second)} // of this process, which no record can make again
	h, err := a.Start(t.Context(), arena.Match{ID: "m-1", Seats: seats, Ruleset: []byte(`{"columns":4,"rows":4}`)})
	if err != nil {
		t.Fatal(err)
	}
	views := h.Watch(t.Context())
	r, err := h.Wait(t.Context())
	if err != nil || r.Cause != referee.CausePlay {
		t.Fatalf("%+v, %v", r, err)
	}
	if d := time.Since(begin); o.calls >= o.at && !o.done && d < o.lasts || d > o.lasts+3*time.Minute {
		t.Errorf("it took %v", d)
	}
	var last referee.Public
	for last = range views {
	}
	if last.Result == nil {
		t.Errorf("spectators see no end: %+v", last)
	}
	if hooks.ended != 1 {
		t.Errorf("told of %d ends", hooks.ended)
	}
	if failed := o.calls >= o.at; (failed && !o.seal) != (len(here.seated) > 1) { // who has heard the end does not hear it again
		t.Errorf("the agent was seated %d times", len(here.seated))
	}
	if err := a.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	valid(t, &o.MemoryStore, "m-1")
}

// TestNoRetry: what cannot help is not tried, nor where the host says so, and Shutdown ends the trying.
func TestNoRetry(t *testing.T) {
	start := func(t *testing.T, c arena.Config) (*arena.Arena, *arena.Handle) {
		c.Key = key
		a := newArena(t, c)
		h, err := a.Start(t.Context(), arena.Match{ID: "m-1", Seats: []arena.Seat{{Player: slow(time.Second)}, {Player: slow(time.Second)}}})
		if err != nil {
			t.Fatal(err)
		}
		return a, h
	}
	synctest.Test(t, func(t *testing.T) {
		a, h := start(t, arena.Config{Store: &outage{at: 3}, Retry: -1})
		if _, err := h.Wait(t.Context()); !errors.Is(err, errFull) {
			t.Error(err)
		}
		a.Shutdown(t.Context())
	})
	synctest.Test(t, func(t *testing.T) { // another referee has the match
		o := new(outage)
		a, h := start(t, arena.Config{Store: o})
		time.Sleep(2500 * time.Millisecond)
		b := newArena(t, arena.Config{Store: o, Key: key})
		m := arena.Match{ID: "m-1", Seats: []arena.Seat{{Player: slow(time.Minute)}, {Player: slow(time.Minute)}}}
		other, err := b.Start(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Wait(t.Context()); !errors.Is(err, referee.ErrFenced) {
			t.Error(err)
		}
		a.Shutdown(t.Context())
		if err := other.Abort("host", "over"); err != nil {
			t.Error(err)
		}
		b.Shutdown(t.Context())
	})
	synctest.Test(t, func(t *testing.T) {
		o := &outage{at: 3, lasts: time.Hour}
		a, h := start(t, arena.Config{Store: o})
		time.Sleep(30 * time.Minute)
		if n := o.called(); n < 25 || n > 60 { // one a minute
			t.Errorf("%d calls of the store", n)
		}
		select {
		case <-h.Done():
			t.Error("it gave up")
		default:
		}
		if err := h.Abort("host", "over"); !errors.Is(err, referee.ErrStopped) {
			t.Error(err)
		}
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := a.Shutdown(soon); err == nil {
			t.Error("nothing was stopped")
		}
		if _, err := h.Wait(t.Context()); !errors.Is(err, arena.ErrShutdown) || !errors.Is(err, errFull) {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the seat of who went on
		o := &outage{at: 3, lasts: time.Second}
		a, h := start(t, arena.Config{Store: o})
		old := h.Seat(game.Seat(0))
		time.Sleep(time.Minute)
		if old.Running() || !h.Seat(0).Running() && !isDone(h) {
			t.Error("the handle gives the seat of who stopped")
		}
		a.Shutdown(t.Context())
	})
}

func isDone(h *arena.Handle) bool {
	select {
	case <-h.Done():
		return true
	default:
		return false
	}
}

// TestFind: a match is found by its id while it is at play, or stands still, and not after its end.
func TestFind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena(t, arena.Config{Store: &outage{at: 3, lasts: time.Minute}, Key: key})
		if _, ok := a.Find("m-1"); ok {
			t.Error("found before it began")
		}
		h, err := a.Start(t.Context(), arena.Match{ID: "m-1", Seats: []arena.Seat{{Player: slow(time.Second)}, {Player: slow(time.Second)}}})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 { // it stands still in the second of them
			if found, ok := a.Find("m-1"); !ok || found != h {
				t.Errorf("%v, %v", found, ok)
			}
			time.Sleep(500 * time.Millisecond)
		}
		if _, err := h.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, ok := a.Find("m-1"); ok {
			t.Error("found after its end")
		}
		b := newArena(t, arena.Config{}) // which records nothing
		one, _ := b.Start(t.Context(), arena.Match{ID: "m-2", Seats: []arena.Seat{{Player: slow(time.Second)}, {Player: slow(time.Second)}}})
		two, _ := b.Start(t.Context(), arena.Match{ID: "m-2", Seats: []arena.Seat{{Player: slow(time.Minute)}, {Player: slow(time.Minute)}}})
		one.Wait(t.Context())
		if found, ok := b.Find("m-2"); !ok || found != two {
			t.Errorf("%v, %v", found, ok)
		}
		two.Abort("host", "over")
		for _, x := range []*arena.Arena{a, b} {
			if err := x.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}
