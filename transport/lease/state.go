package lease

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// state is what a store keeps. It is data: time and who lives are told.
type state struct {
	Version int     `json:"v"`
	Token   int64   `json:"token"`  // of the latest hold
	Ticket  int64   `json:"ticket"` // of the latest claim
	Holds   []place `json:"holds,omitempty"`
	Waits   []place `json:"waits,omitempty"`
	// Served are accounts that have held the lease, the one that was served
	// longest ago first.
	Served []string `json:"served,omitempty"`
}

// place is a claim that holds or waits. Moments are milliseconds since 1970.
type place struct {
	Claim
	Key    string `json:"key"` // tells it from other claims of the same ID
	Owner  string `json:"owner"`
	Ticket int64  `json:"ticket"`
	Since  int64  `json:"since"` // when it was claimed
	Until  int64  `json:"until"` // when it is free, unless it is renewed before
	Token  int64  `json:"token,omitempty"`
	End    int64  `json:"end,omitempty"` // when the hold ends
}

const (
	version = 1
	// maxServed bounds the accounts that are kept in mind. Who is forgotten counts
	// as never served, and so goes before those who are not.
	maxServed = 1024
)

// house is what a step on a state knows of the world.
type house struct {
	now   int64
	alive func(owner string) bool
	o     *Options
}

func millis(d time.Duration) int64 { return d.Milliseconds() }

// purge takes out what is not valid any more. The hold of a dead owner becomes a
// claim again, at the place that it had. Where the clock was set back, nothing
// lasts longer for it than from now on.
func (s *state) purge(h *house) {
	for _, places := range [...][]place{s.Holds, s.Waits} {
		for i := range places {
			p := &places[i]
			p.Until = min(p.Until, h.now+millis(h.o.TTL))
			p.End = min(p.End, h.now+millis(h.o.Bound))
		}
	}
	for _, p := range s.Holds {
		if p.Until > h.now && p.End > h.now && !h.alive(p.Owner) {
			p.Token, p.End = 0, 0
			s.Waits = append(s.Waits, p)
		}
	}
	s.Holds = slices.DeleteFunc(s.Holds, func(p place) bool {
		return p.Until <= h.now || p.End <= h.now || !h.alive(p.Owner)
	})
	s.Waits = slices.DeleteFunc(s.Waits, func(p place) bool { return p.Until <= h.now })
}

// find gives the place of a key among some; nil: there is none.
func find(places []place, key string) *place {
	if i := slices.IndexFunc(places, func(p place) bool { return p.Key == key }); i >= 0 {
		return &places[i]
	}
	return nil
}

// claims reports whether an ID holds or waits.
func (s *state) claims(id string) bool {
	is := func(p place) bool { return p.ID == id }
	return slices.ContainsFunc(s.Holds, is) || slices.ContainsFunc(s.Waits, is)
}

// remove takes a key out.
func (s *state) remove(key string) {
	is := func(p place) bool { return p.Key == key }
	s.Holds = slices.DeleteFunc(s.Holds, is)
	s.Waits = slices.DeleteFunc(s.Waits, is)
}

// join lets a claim wait, with a ticket of its own if it has none, and gives the
// ticket. One with the same ID makes room for it and leaves it its ticket. 0:
// there is no room.
func (s *state) join(h *house, p place) int64 {
	is := func(q place) bool { return q.ID == p.ID }
	replaced := false
	for _, places := range []*[]place{&s.Holds, &s.Waits} {
		if i := slices.IndexFunc(*places, is); i >= 0 {
			p.Ticket, p.Since, replaced = (*places)[i].Ticket, (*places)[i].Since, true
			*places = slices.DeleteFunc(*places, is)
		}
	}
	if !replaced && !s.room(h, p.Account) {
		return 0
	}
	if p.Ticket == 0 {
		s.Ticket++
		p.Ticket = s.Ticket
	}
	p.Until = h.now + millis(h.o.TTL)
	s.Waits = append(s.Waits, p)
	return p.Ticket
}

// room reports whether one more claim of an account may wait.
func (s *state) room(h *house, account string) bool {
	n := 0
	for _, q := range s.Waits {
		if q.Account == account && h.alive(q.Owner) {
			n++
		}
	}
	if n >= h.o.PerAccount {
		return false
	}
	if len(s.Waits) >= h.o.Queue { // the places of the dead go first
		s.Waits = slices.DeleteFunc(s.Waits, func(q place) bool { return !h.alive(q.Owner) })
	}
	return len(s.Waits) < h.o.Queue
}

// next gives whose turn it is among those that wait and live; nil: nobody's.
func (s *state) next(h *house) *place {
	var best *place
	for i := range s.Waits {
		if p := &s.Waits[i]; h.alive(p.Owner) && (best == nil || s.compare(h, p, best) < 0) {
			best = p
		}
	}
	return best
}

// compare is negative where p comes before q.
func (s *state) compare(h *house, p, q *place) int {
	rank := func(p *place) (class, served int) {
		if h.o.Patience > 0 && h.now-p.Since >= millis(h.o.Patience) {
			return math.MinInt, 0
		}
		return first[p.Class], slices.Index(s.Served, p.Account)
	}
	pc, ps := rank(p)
	qc, qs := rank(q)
	return cmp.Or(cmp.Compare(pc, qc), cmp.Compare(ps, qs), cmp.Compare(p.Ticket, q.Ticket))
}

// grant makes a hold of a place of Waits and gives it; p is no more of use.
func (s *state) grant(h *house, p *place) place {
	g := *p
	s.remove(g.Key)
	s.Token++
	g.Token, g.End, g.Until = s.Token, h.now+millis(h.o.Bound), h.now+millis(h.o.TTL)
	s.Holds = append(s.Holds, g)
	s.Served = append(slices.DeleteFunc(s.Served, func(a string) bool { return a == g.Account }), g.Account)
	s.Served = slices.Delete(s.Served, 0, max(0, len(s.Served)-maxServed))
	return g
}

// renew keeps a place, where it is time to: writing costs.
func (p *place) renew(h *house) {
	if ttl := millis(h.o.TTL); p.Until-h.now < ttl-ttl/3 {
		p.Until = h.now + ttl
	}
}
