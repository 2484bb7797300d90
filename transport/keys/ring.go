package keys

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// ErrNoKey says that there is no key of that id.
var ErrNoKey = errors.New("keys: there is no such key")

// ErrTooMany says that an account, or the ring, has as many keys as it may.
var ErrTooMany = errors.New("keys: there are too many")

// ErrRequest is wrapped by the errors about a request whose fields are bad.
var ErrRequest = errors.New("keys: bad request")

// Request is what a key is wanted for.
type Request struct {
	Agent    referee.Agent // who acts with it; its Slug is needed unless the key is to watch only
	Account  string        // who answers for it; "": the agent's slug, which is then needed
	Scopes   []string      // what it is good for: at least one of those of package transport
	Lifetime time.Duration // how long, at most ten years. 0: Options.Lifetime
}

// Info is what there is to know of a key without having it.
type Info struct {
	ID      string        `json:"id"` // no secret; 12 characters of 0-9 and a-z
	Agent   referee.Agent `json:"agent"`
	Account string        `json:"account"`
	Scopes  []string      `json:"scopes"` // in order
	Created time.Time     `json:"created"`
	Expires time.Time     `json:"expires"`          // from here on it is good no more
	Revoked time.Time     `json:"revoked,omitzero"` // zero: it was not
}

// Good reports whether the key is good at that time.
func (i *Info) Good(now time.Time) bool { return i.Revoked.IsZero() && now.Before(i.Expires) }

// Ring issues keys and tells whose they are. Safe for concurrent use.
type Ring struct {
	store Store
	o     Options
	draws sync.Mutex // Options.Rand may be any reader
}

var _ transport.Authenticator = (*Ring)(nil)

// New makes a ring of the keys in a store. It returns one error for each bad
// option, joined.
func New(s Store, o Options) (*Ring, error) {
	err := o.validate()
	if s == nil {
		err = errors.Join(errors.New("keys: no store"), err)
	}
	if err != nil {
		return nil, err
	}
	o.fill()
	return &Ring{store: s, o: o}, nil
}

// now is in whole milliseconds, as it is kept.
func (r *Ring) now() time.Time { return r.o.Now().UTC().Truncate(time.Millisecond) }

// Issue makes a key, which is kept by its hash when Issue returns and cannot be
// shown again. The error wraps ErrRequest, one for each bad field, is ErrTooMany, or
// is the store's or that of the random bits.
func (r *Ring) Issue(ctx context.Context, q Request) (Secret, Info, error) {
	if err := q.validate(); err != nil {
		return Secret{}, Info{}, err
	}
	r.draws.Lock()
	secret, err := newSecret(r.o.Rand, r.o.Prefix)
	var id string
	if err == nil {
		id, err = draw(r.o.Rand, idLength)
	}
	r.draws.Unlock()
	if err != nil {
		return Secret{}, Info{}, err
	}
	now := r.now()
	info := Info{ID: id, Agent: q.Agent, Account: q.Account, Scopes: slices.Sorted(slices.Values(q.Scopes)), Created: now}
	info.Scopes = slices.Compact(info.Scopes)
	if info.Account == "" {
		info.Account = q.Agent.Slug
	}
	lifetime := q.Lifetime
	if lifetime == 0 {
		lifetime = r.o.Lifetime
	}
	info.Expires = now.Add(lifetime)
	e := Entry{Info: info, Hash: hashOf(secret.text)}
	err = r.store.Change(ctx, func(all []Entry) ([]Entry, error) {
		good := 0
		for i := range all {
			if all[i].ID == e.ID || all[i].Hash == e.Hash {
				return nil, errors.New("keys: the random bits repeat themselves")
			}
			if all[i].Account == e.Account && all[i].Good(now) {
				good++
			}
		}
		if good >= r.o.PerAccount || len(all) >= r.o.Total {
			return nil, ErrTooMany
		}
		return append(all, e), nil
	})
	if err != nil {
		return Secret{}, Info{}, err
	}
	return secret, e.clone().Info, nil
}

// Authenticate gives what a key stands for. The error wraps transport.ErrKey where it
// stands for nobody, and has nothing of the key in it.
func (r *Ring) Authenticate(ctx context.Context, key string) (*transport.Grant, error) {
	if err := parse(key, r.o.Prefix); err != nil {
		return nil, fmt.Errorf("%w: %w", transport.ErrKey, err)
	}
	hash := hashOf(key)
	e, err := r.store.Find(ctx, hash)
	if errors.Is(err, ErrNoKey) || err == nil && (subtle.ConstantTimeCompare(e.Hash[:], hash[:]) != 1 || !e.Good(r.now())) {
		return nil, transport.ErrKey
	}
	if err != nil {
		return nil, err
	}
	return &transport.Grant{Agent: e.Agent, Account: e.Account, Key: e.ID, Scopes: e.Scopes}, nil
}

// Revoke makes the key of an id good no more, at once and for ever. To revoke it
// again changes nothing. The error is ErrNoKey or the store's.
func (r *Ring) Revoke(ctx context.Context, id string) error {
	now := r.now()
	return r.store.Change(ctx, func(all []Entry) ([]Entry, error) {
		i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id })
		if i < 0 {
			return nil, ErrNoKey
		}
		if all[i].Revoked.IsZero() {
			all[i].Revoked = now
		}
		return all, nil
	})
}

// List gives the keys of an account, of all where it is "", the oldest first: good
// ones, and others until they are wiped. The caller owns it.
func (r *Ring) List(ctx context.Context, account string) ([]Info, error) {
	all, err := r.store.All(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Info, 0, len(all))
	for i := range all {
		if account == "" || all[i].Account == account {
			list = append(list, all[i].Info)
		}
	}
	return list, nil
}

// Wipe forgets the keys that have been good for nothing for that long or longer, and
// says how many there were.
func (r *Ring) Wipe(ctx context.Context, since time.Duration) (int, error) {
	edge := r.now().Add(-max(since, 0))
	dead := func(e Entry) bool {
		return !e.Expires.After(edge) || !e.Revoked.IsZero() && !e.Revoked.After(edge)
	}
	all, err := r.store.All(ctx)
	if err != nil || !slices.ContainsFunc(all, dead) {
		return 0, err
	}
	wiped := 0
	err = r.store.Change(ctx, func(all []Entry) ([]Entry, error) {
		before := len(all)
		all = slices.DeleteFunc(all, dead)
		wiped = before - len(all)
		return all, nil
	})
	if err != nil {
		return 0, err
	}
	return wiped, nil
}
