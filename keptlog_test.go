package arena_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/referee"
)

// TestRetryFenced: what stands still is not gone on with where somebody else has taken it over meanwhile, or its record is gone.
func TestRetryFenced(t *testing.T) {
	carriers := func() map[string]arena.Carrier {
		return map[string]arena.Carrier{"here": {Transport: &inProcess{delay: 10 * time.Second}}}
	}
	for _, done := range []bool{false, true} {
		for at := 1; at <= 8; at++ {
			o := &outage{at: at, lasts: 10 * time.Minute, done: done}
			t.Run(fmt.Sprint(done, at), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					a := newArena(t, arena.Config{Store: o, Key: key, Carriers: carriers()})
					m := arena.Match{ID: "m-1", Seats: agents()}
					h, err := a.Start(t.Context(), m)
					if err != nil {
						t.Fatal(err)
					}
					time.Sleep(5 * time.Minute)
					b := newArena(t, arena.Config{Store: &o.MemoryStore, Key: key, Carriers: carriers()})
					other, err := b.Start(t.Context(), m) // goes on with it, as Recover would
					if err != nil {
						t.Fatal(err)
					}
					if _, err := h.Wait(t.Context()); !errors.Is(err, referee.ErrFenced) {
						t.Errorf("who stood still has %v", err)
					}
					if r, err := other.Wait(t.Context()); err != nil || r.Cause != referee.CausePlay {
						t.Errorf("who took over has %+v, %v", r, err)
					}
					a.Shutdown(t.Context())
					b.Shutdown(t.Context())
					valid(t, &o.MemoryStore, "m-1")
				})
			})
		}
	}
	synctest.Test(t, func(t *testing.T) {
		o := &outage{at: 4, lasts: time.Minute}
		a := newArena(t, arena.Config{Store: o, Key: key, Carriers: carriers()})
		h, err := a.Start(t.Context(), arena.Match{ID: "m-1", Seats: agents()})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		o.mu.Lock()
		o.lost = true
		o.mu.Unlock()
		if _, err := h.Wait(t.Context()); !errors.Is(err, referee.ErrFenced) {
			t.Errorf("a match whose record is gone begins again: %v", err)
		}
		a.Shutdown(t.Context())
	})
}
