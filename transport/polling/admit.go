package polling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Admission decides who may begin a match, and counts. It is the host's to pause
// matches by, and those against heavy opponents; a restart begins again with what
// [Limits] say. Safe for concurrent use.
type Admission struct {
	limits Limits
	store  Store
	now    func() time.Time

	mu       sync.Mutex
	matches  map[string]*item
	requests map[requestKey]*item
	active   map[string]*item // those that are not over
	over     []*item          // in the order of their ends
	today    day
	paused   bool
	until    time.Time // of the pause; zero: nobody knows
	heavy    bool
}

// requestKey tells requests apart: their ids are their accounts' own.
type requestKey struct{ account, request string }

// item is an entry and what goes on with it.
type item struct {
	Entry                // under Admission.mu
	gone   bool          // removed; under Admission.mu
	served chan struct{} // closed when the request that began it has been served; nil: by an earlier process
	store  chan struct{} // held while it is written, so that the last write is the newest
}

func newItem(e Entry) *item { return &item{Entry: e, store: make(chan struct{}, 1)} }

func (i *item) key() requestKey { return requestKey{i.Account, i.Request} }

// newAdmission reads the store. The limits are validated and filled.
func newAdmission(ctx context.Context, l Limits, s Store, now func() time.Time) (*Admission, error) {
	a := &Admission{
		limits: l, store: s, now: now, paused: l.Paused, heavy: l.Heavy,
		matches: map[string]*item{}, requests: map[requestKey]*item{}, active: map[string]*item{},
	}
	for e, err := range s.Load(ctx) {
		if err != nil {
			return nil, fmt.Errorf("polling: loading: %w", err)
		}
		if err := e.validate(); err != nil {
			return nil, fmt.Errorf("polling: loading: match %q: %w", e.Match, err)
		}
		i := newItem(e)
		if old := a.requests[i.key()]; a.matches[e.Match] != nil || old != nil && old.State != Reserved && i.State != Reserved {
			return nil, fmt.Errorf("polling: loading: match %q or its request is there twice", e.Match)
		}
		a.add(i)
	}
	slices.SortFunc(a.over, func(x, y *item) int {
		return cmp.Or(x.Ended.Compare(y.Ended), cmp.Compare(x.Match, y.Match))
	})
	return a, nil
}

// add puts an item into the tables; under mu, or before anybody else is there.
func (a *Admission) add(i *item) {
	a.matches[i.Match] = i
	// A place that the store failed to give back may be there beside the one that the
	// same request took later.
	if old := a.requests[i.key()]; old == nil || old.State == Reserved {
		a.requests[i.key()] = i
	}
	if i.State == Over {
		a.over = append(a.over, i)
	} else {
		a.active[i.Match] = i
	}
	a.today.count(i, 1)
}

// drop takes it out again; under mu.
func (a *Admission) drop(i *item) {
	i.gone = true
	delete(a.matches, i.Match)
	delete(a.active, i.Match)
	if a.requests[i.key()] == i {
		delete(a.requests, i.key())
		for _, other := range a.active {
			if other.key() == i.key() {
				a.requests[i.key()] = other
			}
		}
	}
	a.today.count(i, -1)
}

// end marks an item as over; under mu.
func (a *Admission) end(i *item, at time.Time, outcome string) {
	i.State, i.Ended, i.Outcome = Over, moment(at), outcome
	delete(a.active, i.Match)
	n := len(a.over)
	for n > 0 && a.over[n-1].Ended.After(i.Ended) {
		n--
	}
	a.over = slices.Insert(a.over, n, i)
}

// moment cuts a time to what an [Entry] holds.
func moment(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// put writes an item as it is when its turn comes.
func (a *Admission) put(ctx context.Context, i *item) error {
	select {
	case i.store <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-i.store }()
	a.mu.Lock()
	e, gone := i.Entry, i.gone
	a.mu.Unlock()
	if gone {
		return a.store.Remove(ctx, e.Match)
	}
	return a.store.Put(ctx, e)
}

// settle asks of each match that is not over what has become of it, after a
// restart and before anything is reserved. look gives the state that its record
// tells: [Reserved] where it never began, whose place and quota are then given
// back, [Begun] where it goes on, [Over] with the moment and the outcome. Matches
// that look has no word of stay as they are; its errors are joined.
func (a *Admission) settle(ctx context.Context, look func(context.Context, Entry) (s State, ended time.Time, outcome string, err error)) error {
	a.mu.Lock()
	var open []*item
	for _, i := range a.active {
		open = append(open, i)
	}
	a.mu.Unlock()
	slices.SortFunc(open, func(x, y *item) int { return cmp.Compare(x.Match, y.Match) })
	var errs []error
	for _, i := range open {
		a.mu.Lock()
		e := i.Entry
		a.mu.Unlock()
		s, ended, outcome, err := look(ctx, e)
		if err != nil {
			errs = append(errs, fmt.Errorf("polling: match %q: %w", e.Match, err))
			continue
		}
		a.mu.Lock()
		switch {
		case i.State == Over: // it came to its end meanwhile
		case s == Over:
			a.end(i, ended, outcome)
		case s == Reserved:
			a.drop(i)
		default:
			i.State = Begun
		}
		changed := i.gone || i.State != e.State
		a.mu.Unlock()
		if !changed {
			continue
		}
		if err := a.put(ctx, i); err != nil {
			errs = append(errs, fmt.Errorf("polling: match %q: %w", e.Match, err))
		}
	}
	return errors.Join(errs...)
}

// ended frees the place of a match. It does nothing for one that is over or
// unknown.
func (a *Admission) ended(ctx context.Context, match, outcome string) error {
	a.mu.Lock()
	i := a.active[match]
	if i != nil {
		a.end(i, a.now(), outcome)
	}
	a.mu.Unlock()
	if i == nil {
		return nil
	}
	return a.put(ctx, i)
}

// left frees the place of a match whose agent has left it, and which others play on.
func (a *Admission) left(ctx context.Context, match string) error {
	a.mu.Lock()
	i := a.active[match]
	if i != nil && i.Ended.IsZero() {
		i.Ended = moment(a.now())
	}
	a.mu.Unlock()
	if i == nil {
		return nil
	}
	return a.put(ctx, i)
}

// entry gives what is known of a match.
func (a *Admission) entry(match string) (Entry, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := a.matches[match]
	if i == nil {
		return Entry{}, false
	}
	return i.Entry, true
}

// recent gives up to n matches that are over, the latest first.
func (a *Admission) recent(n int) []Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []Entry
	for _, i := range slices.Backward(a.over) {
		if len(out) == n {
			break
		}
		out = append(out, i.Entry)
	}
	return out
}

// sweep forgets matches whose retention is over, and gives how many. Before that
// it calls forget for each, which removes the record; one whose record could not
// be removed is kept, and its error is among those joined.
func (a *Admission) sweep(ctx context.Context, forget func(context.Context, Entry) error) (int, error) {
	var errs []error
	var old []string
	for _, e := range a.outlived() {
		if err := forget(ctx, e); err != nil {
			errs = append(errs, fmt.Errorf("polling: match %q: %w", e.Match, err))
			continue
		}
		old = append(old, e.Match)
	}
	if len(old) == 0 {
		return 0, errors.Join(errs...)
	}
	if err := a.store.Remove(ctx, old...); err != nil {
		return 0, errors.Join(append(errs, err)...)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range old {
		if i := a.matches[id]; i != nil {
			a.drop(i)
		}
	}
	a.over = slices.DeleteFunc(a.over, func(i *item) bool { return i.gone })
	return len(old), errors.Join(errs...)
}

// outlived gives the matches whose retention is over. One of which nobody ever
// heard that it ended counts from when it must have.
func (a *Admission) outlived() []Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	limit := a.now().Add(-a.limits.Retention)
	var old []Entry
	for _, i := range a.over {
		if !i.Ended.Before(limit) {
			break
		}
		old = append(old, i.Entry)
	}
	for _, i := range a.active {
		if i.Expires.Before(limit) {
			old = append(old, i.Entry)
		}
	}
	return old
}

// Pause lets no match begin from now on; those that have begun go on. Agents are
// told to come back at until, which ends nothing by itself; the zero time: in
// five minutes.
func (a *Admission) Pause(until time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused, a.until = true, until
}

// Resume ends a pause.
func (a *Admission) Resume() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused, a.until = false, time.Time{}
}

// AllowHeavy lets matches against heavy opponents begin from now on, or not.
func (a *Admission) AllowHeavy(allowed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.heavy = allowed
}
