package uci

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestLateAnswer: the answer to a search that was given up is never taken for that to the next, of whatever match.
func TestLateAnswer(t *testing.T) {
	t.Run("B54", func(t *testing.T) {
		for _, next := range []string{"m 0", "another 0"} {
			e := open(t, options(t, "repeats itself"))
			ctx, cancel := context.WithCancel(t.Context())
			given := from("m 0")
			given.left = func() (time.Duration, bool) { cancel(); return 0, false } // as the search begins
			if x, f := e.search(ctx, given); f != nil || x.move != "a2a3" {
				t.Fatal(x, f)
			}
			x, f := e.search(t.Context(), from(next))
			if f != nil || x.move != "e2e4" || x.info.depth != 1 {
				t.Error(x, f)
			}
		}
	})
}

// TestIdleDeath: a process that ends while nothing is asked of it costs nobody anything.
func TestIdleDeath(t *testing.T) {
	e := open(t, options(t, "dies when idle"))
	if x, f := e.search(t.Context(), from("m 0")); f != nil || x.move != "e2e4" {
		t.Fatal(x, f)
	}
	// The process ends as it is asked whether it is ready, which it still says.
	p := e.take("m 0")
	p.ready(t.Context(), time.Minute)
	<-p.killed
	e.mu.Lock()
	e.idle = append(e.idle, p)
	e.mu.Unlock()
	if x, f := e.search(t.Context(), from("m 0")); f != nil || x.move != "e2e4" {
		t.Error(x, f)
	}
}

// TestAffinity: seats keep their processes while there are enough, and no process is searching twice.
func TestAffinity(t *testing.T) {
	o := options(t, "good")
	o.Processes = 2
	e := open(t, o)
	pids := map[string]int{}
	look := func(seat string) int {
		t.Helper()
		if _, f := e.search(t.Context(), from(seat)); f != nil {
			t.Fatal(f)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, p := range e.idle {
			if p.seat == seat {
				return p.cmd.Process.Pid
			}
		}
		t.Fatal("no process")
		return 0
	}
	for range 2 {
		for _, seat := range []string{"a 0", "b 0"} {
			pid := look(seat)
			if pids[seat] == 0 {
				pids[seat] = pid
			}
			if pids[seat] != pid {
				t.Errorf("%s has changed its process", seat)
			}
		}
	}
	if pids["a 0"] == pids["b 0"] {
		t.Error("two seats on one process, where there may be two")
	}
	if pid := look("c 0"); pid != pids["a 0"] {
		t.Error("not the one that was idle longest")
	}
	e.release("c 0")
	if pid := look("d 0"); pid != pids["a 0"] {
		t.Error("not the one whose match was over, but the one that was idle longer")
	}
	e.release("b 0")
	if pid := look("e 0"); pid != pids["b 0"] {
		t.Error("not the one whose match was over")
	}
	if len(e.idle) != 2 {
		t.Errorf("%d processes", len(e.idle))
	}
}

// TestManySeats: more seats than processes wait for one another.
func TestManySeats(t *testing.T) {
	o := options(t, "good")
	o.Processes = 2
	e := open(t, o)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if x, f := e.search(t.Context(), from(string(rune('a'+i)))); f != nil || x.move != "e2e4" {
					t.Error(x, f)
				}
			}
		})
	}
	wg.Wait()
	if n := len(e.idle); n < 1 || n > 2 {
		t.Errorf("%d processes", n)
	}
}
