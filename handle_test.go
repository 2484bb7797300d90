package arena_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/referee"
)

// counted is a context that knows how many wait for its end.
type counted struct {
	context.Context
	mu    sync.Mutex
	waits int
}

// Value hides which context is in it, so that AfterFunc is used.
func (c *counted) Value(any) any { return nil }

func (c *counted) AfterFunc(f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waits++
	stop := context.AfterFunc(c.Context, f)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.waits--
		return stop()
	}
}

// TestWatchPassed: every spectator sees the end, however quickly it comes after a match has gone on, and no context keeps what has stopped.
func TestWatchPassed(t *testing.T) {
	for range 5 {
		synctest.Test(t, func(t *testing.T) {
			o := &outage{at: 2, lasts: time.Hour, done: true}
			a := newArena(t, arena.Config{Store: o, Key: key, Retry: 1})
			h, err := a.Start(t.Context(), arena.Match{Seats: []arena.Seat{{Player: slow(time.Minute)}, {Player: slow(time.Minute)}}})
			if err != nil {
				t.Fatal(err)
			}
			ctx := &counted{Context: t.Context()}
			var all []<-chan referee.Public
			for range 100 {
				all = append(all, h.Watch(ctx))
			}
			synctest.Wait()
			if err := h.Abort("host", "over"); !errors.Is(err, errFull) {
				t.Error(err)
			}
			if _, err := h.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			blind := 0
			for _, views := range all {
				var last referee.Public
				for last = range views {
				}
				if last.Result == nil {
					blind++
				}
			}
			synctest.Wait()
			if blind > 0 || ctx.waits > 0 {
				t.Errorf("%d of %d do not see the end, %d are waiting for the context", blind, len(all), ctx.waits)
			}
			a.Shutdown(t.Context())
		})
	}
}
