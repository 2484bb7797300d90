package keys

import (
	"context"
	"maps"
	"slices"
)

// Entry is a key as it is kept.
type Entry struct {
	Info
	Hash [32]byte `json:"-"` // SHA-256 of the key
}

func (e Entry) clone() Entry {
	e.Scopes = slices.Clone(e.Scopes)
	e.Agent.Labels = maps.Clone(e.Agent.Labels)
	return e
}

// Store keeps entries, in the order in which they were added; ids and hashes are
// unique. Implementations are safe for concurrent use. What they give is the caller's.
type Store interface {
	// Find gives the entry with that hash; the error is ErrNoKey if there is none.
	Find(ctx context.Context, hash [32]byte) (Entry, error)
	// All gives all entries.
	All(ctx context.Context) ([]Entry, error)
	// Change puts what f makes of all entries in their place, with no other Change
	// in between. It is durable when Change returns. The error of f is returned as
	// it is and changes nothing; after another one nobody knows whether something
	// changed. f may be called more than once.
	Change(ctx context.Context, f func([]Entry) ([]Entry, error)) error
}

// table is a list of entries that does not change, with an index.
type table struct {
	list   []Entry
	byHash map[[32]byte]int
}

// newTable makes a table of a list, which becomes its own.
func newTable(list []Entry) *table {
	t := &table{list, make(map[[32]byte]int, len(list))}
	for i := range list {
		t.byHash[list[i].Hash] = i
	}
	return t
}

func (t *table) find(hash [32]byte) (Entry, error) {
	if i, ok := t.byHash[hash]; ok {
		return t.list[i].clone(), nil
	}
	return Entry{}, ErrNoKey
}

func (t *table) all() []Entry { return clones(t.list) }

func clones(list []Entry) []Entry {
	out := make([]Entry, len(list))
	for i := range list {
		out[i] = list[i].clone()
	}
	return out
}
