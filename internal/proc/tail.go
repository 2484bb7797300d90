package proc

import "sync"

// Tail is a writer that keeps the last Max bytes that were written to it. Safe for concurrent use.
type Tail struct {
	Max int

	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	b = b[max(0, n-t.Max):]
	if over := len(t.kept) + len(b) - t.Max; over > 0 {
		t.kept = t.kept[:copy(t.kept, t.kept[over:])]
	}
	t.kept = append(t.kept, b...)
	return n, nil
}

// String gives what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
