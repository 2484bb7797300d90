package lease_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/transport/lease"
)

// op is a step of a test: somebody claims, a hold is released, a claim that
// waits is given up, or time passes. The claim is by one of two processes.
type op struct {
	what    string
	process int
	claim   lease.Claim
	which   int
	pass    time.Duration
}

func ops(rt *rapid.T) []op {
	n, most := 0, 80
	if testing.Short() {
		most = 30
	}
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) op {
		n++
		return op{
			what:    rapid.SampledFrom([]string{"claim", "claim", "claim", "claim", "release", "release", "release", "leave", "pass", "pass"}).Draw(rt, "what"),
			process: rapid.IntRange(0, 1).Draw(rt, "process"),
			claim: lease.Claim{
				ID:      fmt.Sprint(n),
				Account: rapid.SampledFrom([]string{"ann", "bob", "cat"}).Draw(rt, "account"),
				Class:   rapid.SampledFrom([]lease.Class{lease.Ordinary, lease.Heavy, lease.Host}).Draw(rt, "class"),
			},
			which: rapid.IntRange(0, 9).Draw(rt, "which"),
			pass:  time.Duration(rapid.IntRange(1, 20).Draw(rt, "pass")) * time.Second,
		}
	}), 20, most).Draw(rt, "ops")
}

// model says by the words of the documentation who holds.
type model struct {
	holders  int
	patience time.Duration
	waiting  []waiter // in the order of their arrival
	holding  []string
	served   map[string]int // when an account was served last
	n        int
}

type waiter struct {
	lease.Claim
	since time.Time
}

func (m *model) serve() {
	for len(m.holding) < m.holders && len(m.waiting) > 0 {
		best := m.choose()
		w := m.waiting[best]
		m.waiting = slices.Delete(m.waiting, best, best+1)
		m.n++
		m.served[w.Account] = m.n
		m.holding = append(m.holding, w.ID)
	}
}

func (m *model) choose() int {
	if i := slices.IndexFunc(m.waiting, func(w waiter) bool {
		return m.patience > 0 && time.Since(w.since) >= m.patience
	}); i >= 0 {
		return i
	}
	for _, class := range []lease.Class{lease.Host, lease.Ordinary, lease.Heavy} {
		longest, best := 0, -1
		for i, w := range m.waiting {
			if w.Class == class && (best < 0 || m.served[w.Account] < longest) {
				longest, best = m.served[w.Account], i
			}
		}
		if best >= 0 {
			return best
		}
	}
	panic("nobody waits")
}

// TestOrder holds two processes against the model.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := lease.Options{
			Holders:  rapid.IntRange(1, 2).Draw(rt, "holders"),
			Patience: time.Duration(rapid.SampledFrom([]int{0, 10}).Draw(rt, "patience")) * time.Second,
			Bound:    time.Hour, Poll: 900 * time.Millisecond, Queue: 100, PerAccount: 100,
		}
		steps := ops(rt)
		if wrong := follow(t, o, steps); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// follow says where the lease is not what the model says.
func follow(t *testing.T, o lease.Options, steps []op) (wrong string) {
	synctest.Test(t, func(t *testing.T) {
		o.Store = new(lease.Memory)
		processes := []*lease.Lease{newLease(t, o), newLease(t, o)}
		m := &model{holders: o.Holders, patience: o.Patience, served: map[string]int{}}
		type result struct {
			id   string
			held *lease.Held
		}
		results := make(chan result, len(steps))
		cancels := map[string]context.CancelFunc{}
		held := map[string]*lease.Held{}
		token := int64(0)
		defer func() {
			for _, c := range cancels {
				c()
			}
			for _, l := range processes {
				l.Close(t.Context())
			}
		}()
		for n, s := range steps {
			if wrong != "" {
				return
			}
			switch s.what {
			case "claim":
				ctx, cancel := context.WithCancel(t.Context())
				cancels[s.claim.ID] = cancel
				go func() {
					if h, err := processes[s.process].Acquire(ctx, s.claim); err == nil {
						results <- result{s.claim.ID, h}
					}
				}()
				m.waiting = append(m.waiting, waiter{s.claim, time.Now()})
			case "release":
				if len(m.holding) == 0 {
					continue
				}
				i := s.which % len(m.holding)
				held[m.holding[i]].Release()
				delete(held, m.holding[i])
				m.holding = slices.Delete(m.holding, i, i+1)
			case "leave":
				if len(m.waiting) == 0 {
					continue
				}
				i := s.which % len(m.waiting)
				cancels[m.waiting[i].ID]()
				m.waiting = slices.Delete(m.waiting, i, i+1)
			case "pass":
				time.Sleep(s.pass)
			}
			m.serve()
			// What one process does the other finds when it looks again, the first one maybe after that.
			time.Sleep(time.Second)
			synctest.Wait()
			for len(results) > 0 {
				r := <-results
				held[r.id] = r.held
				if r.held.Token() <= token && o.Holders == 1 {
					wrong = fmt.Sprintf("step %d: token %d after %d", n, r.held.Token(), token)
				}
				token = max(token, r.held.Token())
			}
			for id, h := range held {
				if err := h.Context().Err(); err != nil {
					wrong = fmt.Sprintf("step %d: %s lost it: %v", n, id, context.Cause(h.Context()))
				}
			}
			want := slices.Sorted(slices.Values(m.holding))
			if got := slices.Sorted(maps.Keys(held)); !slices.Equal(got, want) {
				wrong = fmt.Sprintf("step %d, %+v: %v hold, not %v; waiting: %v", n, s, got, want, m.waiting)
			}
		}
	})
	return wrong
}
