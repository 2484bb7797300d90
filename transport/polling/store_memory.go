package polling

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
)

// MemoryStore is a [Store] in memory; its zero value is empty and ready.
type MemoryStore struct {
	mu      sync.Mutex
	entries map[string]Entry
}

var _ Store = (*MemoryStore)(nil)

// Load gives the entries in the order of their matches' ids.
func (s *MemoryStore) Load(context.Context) iter.Seq2[Entry, error] {
	s.mu.Lock()
	entries := maps.Clone(s.entries)
	s.mu.Unlock()
	return func(yield func(Entry, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(entries)) {
			if !yield(entries[id], nil) {
				return
			}
		}
	}
}

// Put refuses an entry with bad fields, as every store should.
func (s *MemoryStore) Put(_ context.Context, e Entry) error {
	if err := e.validate(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[string]Entry{}
	}
	s.entries[e.Match] = e
	return nil
}

// Remove forgets entries.
func (s *MemoryStore) Remove(_ context.Context, matches ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range matches {
		delete(s.entries, id)
	}
	return nil
}
