package lease_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/transport/lease"
)

// rolled is a store that knows who died.
type rolled struct {
	flaky
	shared *lease.Memory
	owner  string
	mu     *sync.Mutex
	dead   map[string]bool
}

func (r *rolled) Update(ctx context.Context, do func([]byte) ([]byte, error)) error {
	if err := r.flaky.Update(ctx, func([]byte) ([]byte, error) { return nil, nil }); err != nil {
		return err
	}
	return r.shared.Update(ctx, do)
}

func (r *rolled) Owner() string { return r.owner }

func (r *rolled) Alive(owner string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.dead[owner]
}

// TestDead: the place of a dead process is in nobody's way, and is there for whoever takes its work over within a TTL.
func TestDead(t *testing.T) {
	for _, test := range []struct {
		name   string
		late   time.Duration // after the death its work is taken over
		served []string
	}{{"in time", 5 * time.Second, []string{"second", "first", "third"}}, {"too late", 15 * time.Second, []string{"second", "third", "first"}}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				shared, dead := new(lease.Memory), map[string]bool{}
				open := func(owner string) (*lease.Lease, *rolled) {
					r := &rolled{shared: shared, owner: owner, mu: &mu, dead: dead}
					return newLease(t, lease.Options{Store: r, Bound: time.Hour}), r
				}
				doomed, store := open("doomed")
				sound, _ := open("sound")
				var served []string
				var wg sync.WaitGroup
				wait := func(l *lease.Lease, id string) {
					wg.Go(func() {
						held, err := l.Acquire(t.Context(), lease.Claim{ID: id})
						if err != nil {
							if l != doomed {
								t.Error(id, err)
							}
							return
						}
						mu.Lock()
						served = append(served, id)
						mu.Unlock()
						time.Sleep(20 * time.Second)
						held.Release()
					})
					time.Sleep(time.Second)
				}
				held := acquire(t, sound, lease.Claim{})
				wait(doomed, "first")
				wait(sound, "second")
				wait(sound, "third")
				store.set(errDisk, nil)
				mu.Lock()
				dead["doomed"] = true
				mu.Unlock()
				began := time.Now()
				held.Release()
				synctest.Wait()
				mu.Lock()
				if fmt.Sprint(served) != "[second]" || time.Since(began) != 0 {
					t.Errorf("%v after %v", served, time.Since(began))
				}
				mu.Unlock()
				time.Sleep(test.late)
				heir, _ := open("heir")
				wait(heir, "first")
				wg.Wait()
				if fmt.Sprint(served) != fmt.Sprint(test.served) {
					t.Errorf("%v, not %v", served, test.served)
				}
			})
		})
	}
}

// TestOwner: a store has to name its user.
func TestOwner(t *testing.T) {
	for _, owner := range []string{"", "\xff", fmt.Sprintf("%0200d", 0)} {
		r := &rolled{shared: new(lease.Memory), owner: owner, mu: new(sync.Mutex)}
		if _, err := lease.New(t.Context(), lease.Options{Store: r}); err == nil {
			t.Errorf("%q is taken", owner)
		}
	}
}

// TestManyAccounts: what is kept of accounts that were served is bounded; the one that was served longest ago goes.
func TestManyAccounts(t *testing.T) {
	const most = 1024
	accounts := make([]string, most)
	for i := range accounts {
		accounts[i] = fmt.Sprint("account ", i)
	}
	state, err := json.Marshal(map[string]any{"v": 1, "token": 0, "ticket": 0, "served": accounts})
	if err != nil {
		t.Fatal(err)
	}
	store := new(lease.Memory)
	kept := func(put []byte) (kept string) {
		if err := store.Update(t.Context(), func(b []byte) ([]byte, error) { kept = string(b); return put, nil }); err != nil {
			t.Fatal(err)
		}
		return kept
	}
	kept(state)
	l := newLease(t, lease.Options{Store: store})
	for i := range 3 {
		acquire(t, l, lease.Claim{Account: fmt.Sprint("new ", i)}).Release()
	}
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	now := kept(nil)
	if n := strings.Count(now, `"account `) + strings.Count(now, `"new `); n != most || strings.Contains(now, `"account 2"`) || !strings.Contains(now, `"account 3"`) {
		t.Errorf("%d accounts: %.100s", n, now)
	}
}
