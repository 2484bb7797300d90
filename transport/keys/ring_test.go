package keys

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// refused fails unless a key stands for nobody.
func refused(t *testing.T, r *Ring, key, why string) {
	t.Helper()
	if g, err := r.Authenticate(t.Context(), key); !errors.Is(err, transport.ErrKey) || g != nil {
		t.Errorf("%s: %+v, %v", why, g, err)
	}
}

func accepted(t *testing.T, r *Ring, key string, want *transport.Grant) {
	t.Helper()
	g, err := r.Authenticate(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Error(diff)
	}
}

func TestLife(t *testing.T) {
	stores(t, func(t *testing.T, s Store, again func() Store) {
		c := newClock()
		o := Options{Prefix: "lcb_", Now: c.Now, Rand: seeded(1)}
		r := ring(t, s, o)
		q := benchmark("acme", "solver")
		q.Agent.Labels = map[string]string{"lab": "north"}
		key, info := issue(t, r, q)
		q.Agent.Labels["lab"], q.Scopes[0] = "changed later", "changed"
		want := Info{
			ID: info.ID, Agent: referee.Agent{Slug: "solver", Name: "My solver", Labels: map[string]string{"lab": "north"}}, Account: "acme",
			Scopes: []string{"benchmark", "watch"}, Created: start, Expires: start.Add(30 * 24 * time.Hour),
		}
		if diff := cmp.Diff(want, info); diff != "" || len(info.ID) != 12 {
			t.Error(diff, info.ID)
		}
		if len(key) != len("lcb_")+48 || !strings.HasPrefix(key, "lcb_") {
			t.Errorf("key %q", key)
		}
		grant := &transport.Grant{Agent: want.Agent, Account: "acme", Key: info.ID, Scopes: want.Scopes}
		accepted(t, r, key, grant)
		other := ring(t, again(), o)
		accepted(t, other, key, grant)
		if g, err := r.Authenticate(t.Context(), key); err != nil {
			t.Fatal(err)
		} else {
			g.Scopes[0], g.Agent.Labels["lab"] = "play", "stolen" // the caller's
		}
		accepted(t, r, key, grant)

		c.forward(30*24*time.Hour - time.Millisecond)
		accepted(t, r, key, grant)
		c.forward(time.Millisecond)
		refused(t, r, key, "expired")
		refused(t, other, key, "expired, elsewhere")

		second, info2 := issue(t, r, Request{Agent: referee.Agent{Slug: "solver"}, Scopes: []string{"play"}, Lifetime: time.Hour})
		if info2.Account != "solver" || !info2.Expires.Equal(c.now.Add(time.Hour)) || second == key || info2.ID == info.ID {
			t.Errorf("%+v", info2)
		}
		if err := r.Revoke(t.Context(), info2.ID); err != nil {
			t.Fatal(err)
		}
		refused(t, r, second, "revoked")
		refused(t, other, second, "revoked, elsewhere")
		revoked := c.now
		c.forward(time.Minute)
		if err := r.Revoke(t.Context(), info2.ID); err != nil {
			t.Fatal(err)
		}
		if err := r.Revoke(t.Context(), "nobody"); !errors.Is(err, ErrNoKey) {
			t.Error(err)
		}
		list, err := other.List(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		info2.Revoked = revoked
		if diff := cmp.Diff([]Info{want, info2}, list); diff != "" {
			t.Error(diff)
		}
		if list, err = r.List(t.Context(), "acme"); err != nil || len(list) != 1 || list[0].ID != info.ID {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err = r.List(t.Context(), "ac"); err != nil || len(list) != 0 {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

func TestWipe(t *testing.T) {
	stores(t, func(t *testing.T, s Store, again func() Store) {
		c := newClock()
		r := ring(t, s, Options{Now: c.Now, Rand: seeded(1)})
		q := play("ann")
		q.Lifetime = time.Hour
		issue(t, r, q)
		_, b := issue(t, r, play("bob"))
		last, _ := issue(t, r, play("eve"))
		if err := r.Revoke(t.Context(), b.ID); err != nil {
			t.Fatal(err)
		}
		wipe := func(since time.Duration, want int) {
			t.Helper()
			if n, err := r.Wipe(t.Context(), since); err != nil || n != want {
				t.Errorf("wiped %d, want %d: %v", n, want, err)
			}
		}
		c.forward(59 * time.Minute)
		wipe(time.Hour, 0)
		c.forward(time.Minute)
		wipe(time.Hour, 1) // bob's was revoked an hour ago, ann's has just expired
		wipe(0, 1)
		wipe(0, 0)
		list, err := ring(t, again(), Options{}).List(t.Context(), "")
		if err != nil || len(list) != 1 || list[0].Agent.Slug != "eve" {
			t.Errorf("%+v, %v", list, err)
		}
		if _, err := r.Authenticate(t.Context(), last); err != nil {
			t.Error(err)
		}
	})
}

func TestLimits(t *testing.T) {
	stores(t, func(t *testing.T, s Store, _ func() Store) {
		c := newClock()
		r := ring(t, s, Options{Now: c.Now, Rand: seeded(1), PerAccount: 2, Total: 5})
		full := func(q Request) {
			t.Helper()
			if secret, info, err := r.Issue(t.Context(), q); !errors.Is(err, ErrTooMany) || secret != (Secret{}) || info.ID != "" {
				t.Errorf("%v, %+v, %v", secret, info, err)
			}
		}
		_, a := issue(t, r, benchmark("acme", "a"))
		q := benchmark("acme", "b")
		q.Lifetime = time.Hour
		issue(t, r, q)
		full(benchmark("acme", "c"))
		issue(t, r, benchmark("else", "c"))
		if err := r.Revoke(t.Context(), a.ID); err != nil {
			t.Fatal(err)
		}
		issue(t, r, benchmark("acme", "d"))
		full(benchmark("acme", "e"))
		c.forward(time.Hour)
		issue(t, r, benchmark("acme", "e"))
		full(benchmark("third", "f")) // five are kept
		if n, err := r.Wipe(t.Context(), 0); err != nil || n != 2 {
			t.Error(n, err)
		}
		issue(t, r, benchmark("third", "f"))
	})
}

// TestParallel: keys that are wanted at once are all kept, and no more than there may be.
func TestParallel(t *testing.T) {
	stores(t, func(t *testing.T, s Store, again func() Store) {
		rings := []*Ring{ring(t, s, Options{PerAccount: 10}), ring(t, again(), Options{PerAccount: 10})}
		var wg sync.WaitGroup
		var mu sync.Mutex
		var keys []string
		for i := range 16 {
			wg.Go(func() {
				secret, _, err := rings[i%2].Issue(t.Context(), play("ann"))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					keys = append(keys, secret.Reveal())
				} else if !errors.Is(err, ErrTooMany) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(keys) != 10 {
			t.Errorf("%d keys", len(keys))
		}
		for i, key := range keys {
			if _, err := rings[i%2].Authenticate(t.Context(), key); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBadRequests(t *testing.T) {
	r := ring(t, new(Memory), Options{})
	for want, q := range map[string]Request{
		"Scopes: there are none":     {Agent: referee.Agent{Slug: "a"}},
		`Scopes: "admin" is unknown`: {Agent: referee.Agent{Slug: "a"}, Scopes: []string{"play", "admin"}},
		"Agent.Slug: is needed":      {Account: "a", Scopes: []string{"benchmark"}},
		"Account: is needed":         {Scopes: []string{"watch"}},
		"Agent.Slug: not at most":    play("Ann"),
		"Agent.Name: not one line":   {Agent: referee.Agent{Slug: "a", Name: "a\nb"}, Scopes: []string{"play"}},
		"Agent.Version: longer":      {Agent: referee.Agent{Slug: "a", Version: strings.Repeat("é", 65)}, Scopes: []string{"play"}},
		"Agent.Model: longer":        {Agent: referee.Agent{Slug: "a", Model: strings.Repeat("é", 129)}, Scopes: []string{"play"}},
		"Agent.Owner: not one":       {Agent: referee.Agent{Slug: "a", Owner: "\xff"}, Scopes: []string{"play"}},
		"Agent.Framework: not one":   {Agent: referee.Agent{Slug: "a", Framework: "\u2028"}, Scopes: []string{"play"}},
		"Agent.House":                {Agent: referee.Agent{Slug: "a", House: true}, Scopes: []string{"play"}},
		"Agent.Rating":               {Agent: referee.Agent{Slug: "a", Rating: 1e10}, Scopes: []string{"play"}},
		"Agent.Labels: longer":       {Agent: referee.Agent{Slug: "a", Labels: map[string]string{"x": strings.Repeat("y", 257)}}, Scopes: []string{"play"}},
		"Account: longer":            {Agent: referee.Agent{Slug: "a"}, Account: strings.Repeat("x", 65), Scopes: []string{"play"}},
		"Lifetime: -1":               {Agent: referee.Agent{Slug: "a"}, Scopes: []string{"play"}, Lifetime: -1},
		"Lifetime: 96":               {Agent: referee.Agent{Slug: "a"}, Scopes: []string{"play"}, Lifetime: 11 * 366 * 24 * time.Hour},
	} {
		if _, _, err := r.Issue(t.Context(), q); !errors.Is(err, ErrRequest) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	_, _, err := r.Issue(t.Context(), Request{Agent: referee.Agent{Slug: "A", House: true}, Lifetime: -1})
	if n := strings.Count(fmt.Sprint(err), "bad request"); n != 4 {
		t.Errorf("%d errors: %v", n, err)
	}
	if list, err := r.List(t.Context(), ""); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	if _, info := issue(t, r, Request{Account: "viewer", Scopes: []string{"watch"}}); info.Account != "viewer" {
		t.Errorf("%+v", info)
	}
}

// TestRecorded: an agent with the longest of everything can be seated.
func TestRecorded(t *testing.T) {
	long := strings.Repeat("é", 64)
	q := Request{Agent: referee.Agent{
		Slug: strings.Repeat("a", 64), Name: long, Version: long, Owner: long, Framework: long, Model: long + long, Rating: -1e9, Labels: map[string]string{long: strings.Repeat("x", 256)},
	}, Scopes: []string{"play"}}
	_, info := issue(t, ring(t, new(Memory), Options{}), q)
	seat(t, info.Agent)
}

func TestBadOptions(t *testing.T) {
	_, err := New(nil, Options{Prefix: "lcb", Lifetime: -1, PerAccount: -1, Total: -1})
	for _, field := range []string{"no store", "Prefix", "Lifetime", "PerAccount", "Total"} {
		if !strings.Contains(fmt.Sprint(err), "keys: "+field) {
			t.Errorf("nothing of %s: %v", field, err)
		}
	}
	for prefix, good := range map[string]bool{"a_": true, "lcb_": true, "a1_": true, "abcdefghijklmno_": true, "_": false, "1a_": false, "A_": false, "a-b_": false, "a_b_": false, "abcdefghijklmnop_": false} {
		if _, err := New(new(Memory), Options{Prefix: prefix}); (err == nil) != good {
			t.Errorf("%s: %v", prefix, err)
		}
	}
}
