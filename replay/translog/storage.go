package translog

import (
	"context"
	"fmt"
	"io/fs"
	"sync"
)

// Storage keeps the files of a log. Paths are made of letters, digits, dots,
// slashes and the characters of match ids. Safe for concurrent use.
type Storage interface {
	// Read gives a file, which is the caller's then; the error wraps
	// [fs.ErrNotExist] where there is none.
	Read(ctx context.Context, path string) ([]byte, error)
	// Write puts a file there, in place of an older one, all of it or nothing, so
	// that it survives a crash once Write has returned.
	Write(ctx context.Context, path string, data []byte) error
}

// Memory keeps a log in memory. The zero value is empty and good for use.
type Memory struct {
	mu    sync.Mutex
	files map[string][]byte
}

// Read implements [Storage].
func (m *Memory) Read(_ context.Context, path string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.files[path]
	if !ok {
		return nil, fmt.Errorf("translog: %s: %w", path, fs.ErrNotExist)
	}
	return append([]byte(nil), b...), nil
}

// Write implements [Storage].
func (m *Memory) Write(_ context.Context, path string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = map[string][]byte{}
	}
	m.files[path] = append([]byte(nil), data...)
	return nil
}
