package lease

import (
	"bytes"
	"context"
	"sync"
)

// Store keeps who holds a lease and who waits for it, as some kilobytes of JSON
// that mean nothing to the store. [Memory] is for one process, [File] for those
// of one host; a row of a database would do as well. Safe for concurrent use.
type Store interface {
	// Update gives f what is kept, nil at first, and keeps what f returns in
	// place of it, or what was there if that is nil. An error of f is returned,
	// and changes nothing. While f runs, no other Update of what is kept does, in
	// this process or another. f is quick, and neither keeps nor changes what it
	// was given.
	Update(ctx context.Context, f func(kept []byte) ([]byte, error)) error
}

// Roster is an optional interface of a [Store] that knows which processes live.
type Roster interface {
	// Owner names this user of the store, unlike all others that there ever were.
	Owner() string
	// Alive reports whether an owner still lives. It is called during Update.
	Alive(owner string) bool
}

// Memory is a [Store] in memory; its zero value is empty and ready.
type Memory struct {
	mu   sync.Mutex
	kept []byte
}

// Update locks the memory while f runs.
func (m *Memory) Update(ctx context.Context, f func([]byte) ([]byte, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	kept, err := f(m.kept)
	if err == nil && kept != nil {
		m.kept = bytes.Clone(kept)
	}
	return err
}
