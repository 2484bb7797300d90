package callback_test

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// TestDeadline answers the first request around its deadline of 10 s, counted
// from when it was sent.
func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		late  bool
	}{{9999 * time.Millisecond, false}, {10 * time.Second, true}, {10001 * time.Millisecond, true}} {
		t.Run(c.after.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{reply: func(n int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
					if m.Deadline != 10*time.Second {
						t.Errorf("request %d tells of %v", n, m.Deadline)
					}
					if n == 1 {
						<-time.After(c.after)
					}
					return writeGood(conn, m)
				}}
				tr := p.over(t, plain(nil))
				r, faults, took := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
				want, strikes := c.after, 0
				if c.late {
					want, strikes = 10*time.Second+250*time.Millisecond, 1 // and its pause
				}
				// Exactly at the deadline the reply may still be read, and is stale.
				faults = slices.DeleteFunc(faults, func(f string) bool { return c.after == 10*time.Second && f == "stale" })
				if r.Cause != referee.CausePlay || r.Seats[0].Strikes != strikes || len(faults) != strikes || took != want {
					t.Errorf("got %v, faults %q, took %v, want %d strikes and %v", r.Cause, faults, took, strikes, want)
				}
			})
		})
	}
}

// TestSlowConnection has dialling on the clock of the agent.
func TestSlowConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			return writeGood(conn, m)
		}}
		o := plain(&got)
		tr := p.over(t, o)
		hang := newTransport(t, callback.Options{
			AllowHTTP: true, Observe: got.add, Resolver: resolver(map[string][]lookup{"agent.example": {{addrs: []string{"1.1.1.1"}}}}),
			Dial: func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
		})
		if r, _, _ := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "good"); r.Cause != referee.CausePlay {
			t.Errorf("got %v", r.Cause)
		}
		r, faults, took := playedOver(t, seat(t, hang, "agent", "http://agent.example/"), "hang")
		if r.Cause != referee.CauseForfeit || !slices.Equal(faults, []string{"late", "late", "late"}) || took != 30*time.Second+750*time.Millisecond {
			t.Errorf("got %v, faults %q, took %v", r.Cause, faults, took)
		}
		es := got.all()
		for _, e := range es[len(es)-3:] {
			if e.Stage != callback.StageConnect || !e.Closed || e.Took != 10*time.Second || e.Connected != 0 {
				t.Errorf("%+v", e)
			}
		}
	})
}

// deadResolver answers nothing about some names.
type deadResolver struct {
	*names
	mu   sync.Mutex
	dead map[string]bool
}

func (r *deadResolver) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	dead := r.dead[host]
	r.mu.Unlock()
	if dead {
		<-ctx.Done()
		return nil, &net.DNSError{Err: "i/o timeout", Name: host, IsTimeout: true}
	}
	return r.names.LookupNetIP(ctx, network, host)
}

// TestDeadResolver shows a dead resolver before the agent's clock ends: it costs
// the agent nothing. If only the agent's own name hangs, it does.
func TestDeadResolver(t *testing.T) {
	for _, ours := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := &deadResolver{names: web(), dead: map[string]bool{}}
			p := new(pipes)
			o := plain(nil)
			o.Resolver = r
			tr := p.over(t, o)
			player := seat(t, tr, "agent", "http://agent.example/")
			r.mu.Lock()
			r.dead["agent.example."], r.dead["arena.example."] = true, ours
			r.mu.Unlock()
			result, faults, took := playedOver(t, player, "m")
			if ours && (result.Cause != referee.CauseVoid || took != 6*time.Second) {
				t.Errorf("ours: got %v, faults %q, after %v", result.Cause, faults, took)
			}
			if !ours && (!slices.Equal(faults, slices.Repeat([]string{"unreachable: resolve"}, 3)) || took != 9*time.Second+750*time.Millisecond) {
				t.Errorf("theirs: got %v, faults %q, after %v", result.Cause, faults, took)
			}
		})
	}
}

// TestGate lets two matches of one agent that never answers take turns: their
// requests never overlap, and waiting for each other costs neither any time.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, _ agentarena.MoveRequest) bool { untilClosed(c); return false }}
		tr := p.over(t, plain(&got))
		player := seat(t, tr, "agent", "http://agent.example/")
		var took [2]time.Duration
		var wg sync.WaitGroup
		for i, id := range []string{"a", "b"} {
			wg.Go(func() {
				s := setupFor(t, id, "agent") // without pauses
				begun := time.Now()
				r, faults := played(t, s, player)
				took[i] = time.Since(begun)
				if r.Cause != referee.CauseForfeit || !slices.Equal(faults, []string{"late", "late", "late"}) {
					t.Errorf("%s: got %v, faults %q", id, r.Cause, faults)
				}
				if used := r.Seats[0].Used; used != 30_000 {
					t.Errorf("%s: charged %d ms", id, used)
				}
			})
		}
		wg.Wait()
		slices.Sort(took[:])
		if took != [2]time.Duration{50 * time.Second, 60 * time.Second} {
			t.Errorf("took %v", took)
		}
		if _, requests, most := p.seen(); requests != 6 || most != 1 {
			t.Errorf("%d requests, %d at once", requests, most)
		}
		var waited time.Duration
		for _, e := range got.all() {
			waited += e.Waited
		}
		// The first request waits for none, each of the other five for 10 s at the time of another.
		if waited != 50*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}

// TestGateIsPerAgent asks two agents of one server at the same time.
func TestGateIsPerAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			<-time.After(time.Second)
			return writeGood(c, m)
		}}
		tr := p.over(t, plain(nil))
		var wg sync.WaitGroup
		for _, slug := range []string{"a", "b"} {
			player := seat(t, tr, slug, "http://agent.example/"+slug)
			wg.Go(func() { played(t, setupFor(t, slug, slug), player) })
		}
		wg.Wait()
		if _, _, most := p.seen(); most != 2 {
			t.Errorf("%d at once", most)
		}
	})
}

// TestWaitingEnds is a match that is stopped while its request waits for another.
func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got events
		p := &pipes{reply: func(_ int, c net.Conn, _ *http.Request, _ agentarena.MoveRequest) bool { untilClosed(c); return false }}
		tr := p.over(t, plain(&got))
		player := seat(t, tr, "agent", "http://agent.example/")
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for _, id := range []string{"a", "b"} {
			wg.Go(func() {
				if _, err := new(referee.Local).Play(ctx, setupFor(t, id, "agent"), player, leftmost()); err == nil {
					t.Error("the match went on")
				}
			})
		}
		wg.Wait()
		if _, requests, _ := p.seen(); requests != 1 {
			t.Errorf("%d requests went out", requests)
		}
		es := got.all()
		if len(es) != 2 || !es[0].Closed || !es[1].Closed {
			t.Fatalf("events %+v", es)
		}
		stages := []callback.Stage{es[0].Stage, es[1].Stage}
		slices.Sort(stages)
		if !slices.Equal(stages, []callback.Stage{callback.StageWait, callback.StageFirstByte}) {
			t.Errorf("stages %v", stages)
		}
	})
}

// TestLateReply lets the late answer of one request arrive while the next one is
// open: its connection is gone, and it counts for nothing.
func TestLateReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failed atomic.Bool
		p := &pipes{reply: func(n int, c net.Conn, _ *http.Request, m agentarena.MoveRequest) bool {
			if n == 1 {
				<-time.After(10*time.Second + 300*time.Millisecond) // the second request is open by now
				failed.Store(!writeGood(c, m))
				return false
			}
			if n == 2 {
				<-time.After(time.Second)
			}
			return writeGood(c, m)
		}}
		tr := p.over(t, plain(nil))
		r, faults, _ := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
		if r.Cause != referee.CausePlay || !slices.Equal(faults, []string{"late"}) {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		if conns, _, _ := p.seen(); !failed.Load() || conns != 2 {
			t.Errorf("the late reply failed: %v; %d connections", failed.Load(), conns)
		}
	})
}

// TestRace tries the addresses of a name in turn.
func TestRace(t *testing.T) {
	for _, c := range []struct {
		name    string
		slow    map[string]time.Duration // how long a connection takes; -1: refused at once
		want    string
		took    time.Duration
		dialled int
	}{
		{"the first answers", map[string]time.Duration{}, "[2606:4700::1111]:443", 0, 1},
		{"the first is refused", map[string]time.Duration{"[2606:4700::1111]:443": -1}, "1.1.1.1:443", 0, 2},
		{"the first hangs", map[string]time.Duration{"[2606:4700::1111]:443": time.Hour}, "1.1.1.1:443", 250 * time.Millisecond, 2},
		{"the first is slow", map[string]time.Duration{"[2606:4700::1111]:443": 300 * time.Millisecond, "1.1.1.1:443": time.Second}, "[2606:4700::1111]:443", 300 * time.Millisecond, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool { return writeGood(conn, m) }}
				server, roots := certificate(t, "agent.example")
				p.tls = server
				t.Cleanup(p.wg.Wait)
				var got events
				var mu sync.Mutex
				var dialled []string
				tr := newTransport(t, callback.Options{
					TLS: clientTLS(roots), Observe: got.add,
					Resolver: resolver(map[string][]lookup{"agent.example": {{addrs: []string{"2606:4700::1111", "1.1.1.1"}}}}),
					Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
						if want := "tcp4"; address[0] == '[' && network != "tcp6" || address[0] != '[' && network != want {
							t.Errorf("%s %s", network, address)
						}
						mu.Lock()
						dialled = append(dialled, address)
						mu.Unlock()
						d := c.slow[address]
						if d < 0 {
							return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
						}
						select {
						case <-time.After(d):
						case <-ctx.Done():
							return nil, ctx.Err()
						}
						if address != c.want {
							t.Errorf("connected to %s", address)
						}
						return p.dial(ctx, "tcp4", "1.1.1.1:443")
					},
				})
				r, faults, took := playedOver(t, seat(t, tr, "agent", "https://agent.example/"), "m")
				mu.Lock()
				defer mu.Unlock()
				if r.Cause != referee.CausePlay || len(faults) != 0 || took != c.took || len(dialled) != c.dialled {
					t.Errorf("got %v, faults %q, took %v, dialled %q", r.Cause, faults, took, dialled)
				}
				if e := got.all()[0]; e.Connected != c.took || e.Reused {
					t.Errorf("%+v", e)
				}
			})
		})
	}
}
