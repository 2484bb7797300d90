package transporttest

import "sync"

// heard tells of which matches something was heard.
type heard struct {
	mu    sync.Mutex
	match map[string]chan struct{} // closed: it was
}

func newHeard() *heard { return &heard{match: map[string]chan struct{}{}} }

// of gives a channel that closes when something is heard of a match.
func (h *heard) of(match string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.match[match]
	if c == nil {
		c = make(chan struct{})
		h.match[match] = c
	}
	return c
}

func (h *heard) has(match string) bool {
	select {
	case <-h.of(match):
		return true
	default:
		return false
	}
}

func (h *heard) add(match string) {
	c := h.of(match)
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-c:
	default:
		close(c)
	}
}
