package callback

import (
	"context"
	"slices"
	"sync"
)

// turns keeps requests to one endpoint from overlapping, whoever sends them:
// agents that were registered with it, and guests who practise. Guests go last,
// and of all guests of a site one goes at a time, to whatever path.
type turns struct {
	mu    sync.Mutex
	sites map[string]*site // those that have a request, out or waiting
}

// site is one host and port. A request waits while it clashes with one that is
// out, or with one that waits before it.
type site struct {
	out, waiting []*turn // waiting: agents' before guests', each in order of arrival
}

// turn is one request's.
type turn struct {
	to    *target
	guest bool
	begun chan struct{} // closed when it is out; nil: it never waited
}

func (a *turn) clashes(b *turn) bool {
	switch {
	case a.guest && b.guest:
		return true
	case a.guest || b.guest: // a query may be there to make a URL look like another one
		return a.to.path == b.to.path
	}
	return a.to.endpoint == b.to.endpoint
}

// take waits for a turn, to be given back with end. The error is the context's.
func (t *turns) take(ctx context.Context, to *target, guest bool) (*turn, error) {
	x := t.join(to, guest)
	if x.begun == nil {
		return x, nil
	}
	select {
	case <-x.begun:
		return x, nil
	case <-ctx.Done():
		t.end(x)
		return nil, ctx.Err()
	}
}

// join gives a turn that is out, or waits and has to be ended too.
func (t *turns) join(to *target, guest bool) *turn {
	x := &turn{to: to, guest: guest}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sites[to.site]
	if s == nil {
		s = new(site)
		if t.sites == nil {
			t.sites = map[string]*site{}
		}
		t.sites[to.site] = s
	}
	at := len(s.waiting)
	if !guest {
		if i := slices.IndexFunc(s.waiting, func(w *turn) bool { return w.guest }); i >= 0 {
			at = i
		}
	}
	if !slices.ContainsFunc(s.out, x.clashes) && !slices.ContainsFunc(s.waiting[:at], x.clashes) {
		s.out = append(s.out, x)
		return x
	}
	x.begun = make(chan struct{})
	s.waiting = slices.Insert(s.waiting, at, x)
	return x
}

// end gives a turn back, or up, and lets out what waited for it.
func (t *turns) end(x *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.sites[x.to.site]
	is := func(o *turn) bool { return o == x }
	s.out, s.waiting = slices.DeleteFunc(s.out, is), slices.DeleteFunc(s.waiting, is)
	still := s.waiting[:0]
	for _, w := range s.waiting {
		if slices.ContainsFunc(s.out, w.clashes) || slices.ContainsFunc(still, w.clashes) {
			still = append(still, w)
			continue
		}
		s.out = append(s.out, w)
		close(w.begun)
	}
	clear(s.waiting[len(still):])
	s.waiting = still
	if len(s.out) == 0 {
		delete(t.sites, x.to.site) // nobody waits either
	}
}
