package callback

import (
	"sync"
	"time"
)

// window remembers requests for as long as they could be sent once more. It is a
// ring in the order in which they came.
type window struct {
	max int

	mu    sync.Mutex
	known map[mac]struct{}
	ring  []remembered
	first int // the oldest one in ring
	count int
}

type remembered struct {
	mac   mac
	until int64 // Unix seconds: no longer good
}

// add remembers a request that is good until then; false: it is known.
func (w *window) add(m mac, until, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.known[m]; ok {
		return false
	}
	if w.known == nil {
		w.known = map[mac]struct{}{}
	}
	for w.count > 0 && (w.count == w.max || w.ring[w.first].until < now.Unix()) {
		delete(w.known, w.ring[w.first].mac)
		w.first = (w.first + 1) % len(w.ring)
		w.count--
	}
	if w.count == len(w.ring) {
		w.grow()
	}
	w.ring[(w.first+w.count)%len(w.ring)] = remembered{m, until.Unix()}
	w.count++
	w.known[m] = struct{}{}
	return true
}

// grow makes room for more, up to max.
func (w *window) grow() {
	ring := make([]remembered, min(w.max, max(16, 2*len(w.ring))))
	for i := range w.count {
		ring[i] = w.ring[(w.first+i)%len(w.ring)]
	}
	w.ring, w.first = ring, 0
}
