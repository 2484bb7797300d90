package arena_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
)

// TestRecoverAtPlay leaves matches alone that are at play, whether they stand still or not: it seats nobody for them, and has nothing to complain of.
func TestRecoverAtPlay(t *testing.T) {
	for _, seed := range []*game.Seed{nil, arena.Seed(1)} {
		synctest.Test(t, func(t *testing.T) {
			o, c := &outage{at: 4, lasts: time.Hour}, &inProcess{delay: time.Second}
			a := newArena(t, arena.Config{Store: o, Key: key, Limit: 1, Carriers: map[string]arena.Carrier{"here": {Transport: c}}})
			h, err := a.Start(t.Context(), arena.Match{Seats: agents(), Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			look := func(what string) {
				synctest.Wait()
				c.mu.Lock()
				before := len(c.seated)
				c.mu.Unlock()
				hs, err := a.Recover(t.Context())
				c.mu.Lock()
				defer c.mu.Unlock()
				if seated := len(c.seated) - before; len(hs) > 0 || err != nil || seated > 0 {
					t.Errorf("%s: %d handles, %d players, %v", what, len(hs), seated, err)
				}
			}
			look("at play")
			time.Sleep(10 * time.Second)
			look("standing still")
			if _, err := h.Wait(t.Context()); err != nil {
				t.Error(err)
			}
			a.Shutdown(t.Context())
		})
	}
}
