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

// Find looks an entry up.
func (m *Memory) Find(_ context.Context, hash [32]byte) (Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.t.find(hash)
}

// All gives all entries.
func (m *Memory) All(context.Context) ([]Entry, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.t.all(), nil
}

// Change changes them.
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
