package polling

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/protocol/gridarena"
)

// reserve takes a place for a match, with the quota that it costs, or gives the
// match that the same request has begun before. Of want all is set but State,
// Ended and Outcome. Where the same request is being served right now it waits
// for what becomes of that. The error is a [*gridarena.Problem] where the request
// is refused; else it is the context's, or the store's.
//
// A repeated request is judged first of all, so that neither a pause nor a quota
// keeps anybody from the answer to a request that was granted.
func (a *Admission) reserve(ctx context.Context, want Entry, gated bool) (*reservation, error) {
	want.State, want.Created, want.Expires = Reserved, moment(want.Created), moment(want.Expires)
	if err := want.validate(); err != nil {
		return nil, err
	}
	for {
		i, again, err := a.place(want, gated)
		if err != nil {
			return nil, err
		}
		if !again {
			return a.keep(ctx, i)
		}
		if i.served != nil {
			select {
			case <-i.served:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		a.mu.Lock()
		e, gone := i.Entry, i.gone
		a.mu.Unlock()
		if !gone {
			return &reservation{Entry: e, again: true}, nil
		}
	}
}

// place finds the match of a repeated request, or takes a place in memory.
func (a *Admission) place(want Entry, gated bool) (i *item, again bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i = newItem(want)
	if old := a.requests[i.key()]; old != nil {
		if old.Payload != want.Payload {
			return nil, false, gridarena.NewProblem(gridarena.CodeIDReused, "requestId came with another payload before")
		}
		return old, true, nil
	}
	if p := a.refuse(want, gated); p != nil {
		return nil, false, p
	}
	if a.matches[want.Match] != nil {
		return nil, false, fmt.Errorf("polling: there is a match %q already", want.Match)
	}
	i.served = make(chan struct{})
	a.add(i)
	return i, false, nil
}

// keep writes down that a place was taken, or gives it back.
func (a *Admission) keep(ctx context.Context, i *item) (*reservation, error) {
	r := &reservation{Entry: i.Entry, a: a, item: i}
	if err := a.put(ctx, i); err != nil {
		// Nobody knows whether it is written. If it stays so, a restart settles it.
		return nil, errors.Join(err, r.cancel(context.WithoutCancel(ctx)))
	}
	return r, nil
}

// reservation is a place that was taken. Unless it is there again, commit or
// cancel must be called once, with a context that does not end with the request.
type reservation struct {
	Entry
	again bool // the request has begun this match before
	a     *Admission
	item  *item
}

// commit says that the match has begun. After an error it has a place all the
// same; a later restart settles it.
func (r *reservation) commit(ctx context.Context) error {
	r.a.mu.Lock()
	if r.item.State == Reserved { // or it is over already
		r.item.State = Begun
	}
	r.a.mu.Unlock()
	defer close(r.item.served)
	return r.a.put(ctx, r.item)
}

// cancel gives the place and the quota back: no match was begun. They are free
// even after an error. Of a match that is over it changes nothing: it did begin.
func (r *reservation) cancel(ctx context.Context) error {
	r.a.mu.Lock()
	if r.item.State == Reserved {
		r.a.drop(r.item)
	}
	r.a.mu.Unlock()
	defer close(r.item.served)
	return r.a.put(ctx, r.item)
}
