package keys

import (
	"context"
	"sync"
)

// Memory is a store in memory; its zero value is empty and ready.
type Memory struct {
	mu sync.RWMutex
	t  table
}

var _ Store = (*Memory)(nil)

// Find gives the entry with a hash; the error is ErrNoKey.
func (m *Memory) Find(_ context.Context, hash [32]byte) (Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.t.find(hash)
}

// All gives all entries, in the order in which they were added.
func (m *Memory) All(context.Context) ([]Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.t.all(), nil
}

// Change puts what f makes of the entries in their place; its only error is f's.
func (m *Memory) Change(_ context.Context, f func([]Entry) ([]Entry, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, err := f(m.t.all())
	if err != nil {
		return err
	}
	m.t = *newTable(clones(list))
	return nil
}
