package callback

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func targetOf(t testing.TB, raw string) *target {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return newTarget(u)
}

// TestEndpoints has URLs that lead to one endpoint, and others that do not.
func TestEndpoints(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		endpoint, path bool // whether they are the same
	}{
		{"https://x.example/play", "https://x.example:443/play", true, true},
		{"https://x.example/play", "https://x.example:0443/play", true, true},
		{"https://x.example/play", "https://x.example/%70lay", true, true},
		{"https://x.example/play", "https://x.example/./a/../play", true, true},
		{"https://x.example/play", "https://x.example//play/", true, true},
		{"https://x.example/play", "https://x.example/play?", true, true},
		{"https://x.example", "https://x.example/", true, true},
		{"https://x.example/?a=1&b=2", "https://x.example/?b=2&a=%31", true, true},
		{"http://x.example/", "http://x.example:80/", true, true},
		{"https://[2606:4700::1]/", "https://[2606:4700:0:0::0001]:443/", true, true},
		{"https://x.example/play", "https://x.example/PLAY", false, true},
		{"https://x.example/play", "https://x.example/play?a", false, true},
		{"https://x.example/?a=1", "https://x.example/?a=2", false, true},
		{"https://x.example/?a;b", "https://x.example/?a;c", false, true},
		{"https://x.example/a", "https://x.example/b", false, false},
		{"https://x.example/", "https://x.example:8443/", false, false},
		{"https://x.example/", "http://x.example/", false, false},
		{"https://x.example/", "https://y.example/", false, false},
	} {
		a, b := targetOf(t, c.a), targetOf(t, c.b)
		if got := a.site+a.endpoint == b.site+b.endpoint; got != c.endpoint {
			t.Errorf("%s and %s: one endpoint: %v (%s, %s)", c.a, c.b, got, a.endpoint, b.endpoint)
		}
		if got := a.site+a.path == b.site+b.path; got != c.path {
			t.Errorf("%s and %s: one path: %v (%s, %s)", c.a, c.b, got, a.path, b.path)
		}
	}
}

// naive is what turns should do.
type naive struct{ out, waiting []*naiveTurn }

type naiveTurn struct {
	real  *turn
	to    *target
	guest bool
}

func (a *naiveTurn) against(b *naiveTurn) bool {
	if a.to.site != b.to.site {
		return false
	}
	return a.guest && b.guest || (a.guest || b.guest) && a.to.path == b.to.path || a.to.endpoint == b.to.endpoint
}

// settle lets out what may: agents first, in order of arrival.
func (m *naive) settle() {
	slices.SortStableFunc(m.waiting, func(a, b *naiveTurn) int {
		switch {
		case a.guest == b.guest:
			return 0
		case b.guest:
			return -1
		}
		return 1
	})
	for i := 0; i < len(m.waiting); i++ {
		w := m.waiting[i]
		if slices.ContainsFunc(m.out, w.against) || slices.ContainsFunc(m.waiting[:i], w.against) {
			continue
		}
		m.out = append(m.out, w)
		m.waiting = slices.Delete(m.waiting, i, i+1)
		i = -1
	}
}

func (x *turn) isOut() bool {
	if x.begun == nil {
		return true
	}
	select {
	case <-x.begun:
		return true
	default:
		return false
	}
}

// TestTurns lets requests come, give up and end in any order, and compares who
// is out with a naive model.
func TestTurns(t *testing.T) {
	targets := []*target{targetOf(t, "https://x.example/a"), targetOf(t, "https://x.example/a?q=1"), targetOf(t, "https://x.example/b"), targetOf(t, "https://y.example/a")}
	rapid.Check(t, func(t *rapid.T) {
		var ts turns
		var m naive
		check := func() {
			m.settle()
			for _, n := range m.out {
				if !n.real.isOut() {
					t.Fatalf("a request to %s, guest %v, waits", n.to.url, n.guest)
				}
			}
			for _, n := range m.waiting {
				if n.real.isOut() {
					t.Fatalf("a request to %s, guest %v, is out", n.to.url, n.guest)
				}
			}
		}
		end := func(list *[]*naiveTurn, i int) {
			ts.end((*list)[i].real)
			*list = slices.Delete(*list, i, i+1)
			check()
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			act := rapid.IntRange(0, 3).Draw(t, "act")
			switch {
			case act == 2 && len(m.waiting) > 0:
				end(&m.waiting, rapid.IntRange(0, len(m.waiting)-1).Draw(t, "gives up"))
			case act == 3 && len(m.out) > 0:
				end(&m.out, rapid.IntRange(0, len(m.out)-1).Draw(t, "ends"))
			default:
				n := &naiveTurn{to: rapid.SampledFrom(targets).Draw(t, "to"), guest: rapid.Bool().Draw(t, "guest")}
				n.real = ts.join(n.to, n.guest)
				m.waiting = append(m.waiting, n)
				check()
			}
		}
		for len(m.out) > 0 {
			end(&m.out, 0)
		}
		if len(m.waiting) != 0 || len(ts.sites) != 0 {
			t.Fatalf("%d wait for nothing, %d sites are left", len(m.waiting), len(ts.sites))
		}
	})
}

// TestTurnGivenUp has a request close while it waits.
func TestTurnGivenUp(t *testing.T) {
	var ts turns
	to := targetOf(t, "https://x.example/")
	first, err := ts.take(t.Context(), to, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if x, err := ts.take(ctx, to, false); x != nil || err != context.Canceled {
		t.Errorf("got %v, %v", x, err)
	}
	ts.end(first)
	if len(ts.sites) != 0 {
		t.Errorf("%d sites are left", len(ts.sites))
	}
}
