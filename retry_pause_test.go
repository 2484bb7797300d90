package arena_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena"
)

// TestRetryPause: no pause is longer than about a minute whatever the host asks for, and who has played for a minute begins with the first pause again.
func TestRetryPause(t *testing.T) {
	for _, first := range []time.Duration{0, 1, 3, time.Hour, math.MaxInt64} {
		synctest.Test(t, func(t *testing.T) {
			o := &outage{at: 3, lasts: 20 * time.Minute}
			a := newArena(t, arena.Config{Store: o, Key: key, Retry: first})
			h, err := a.Start(t.Context(), arena.Match{Seats: []arena.Seat{{Player: slow(40 * time.Second)}, {Player: slow(40 * time.Second)}}})
			if err != nil {
				t.Fatal(err)
			}
			fails := func(at int) time.Time {
				for !isDone(h) {
					if o.called() >= at {
						return time.Now()
					}
					time.Sleep(100 * time.Millisecond)
				}
				t.Fatal("the match is over")
				return time.Time{}
			}
			works := func() time.Time {
				for !h.Seat(0).Running() {
					time.Sleep(100 * time.Millisecond)
				}
				return time.Now()
			}
			begun := fails(3)
			time.Sleep(20 * time.Minute)
			if d := works().Sub(begun); d > 22*time.Minute {
				t.Errorf("%v: it stood still for %v", first, d)
			}
			time.Sleep(2 * time.Minute)
			o.mu.Lock()
			next := o.calls + 1
			o.at, o.lasts = next, 0
			o.mu.Unlock()
			begun = fails(next)
			time.Sleep(time.Millisecond)
			if d := works().Sub(begun); first < time.Hour && d > 2*time.Second || d > 2*time.Minute {
				t.Errorf("%v: the second time it stood still for %v", first, d)
			}
			if _, err := h.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			a.Shutdown(t.Context())
		})
	}
}
