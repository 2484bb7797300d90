package callback

import (
	"crypto/rand"
	"encoding/hex"
	"sync"
)

const nonceSize = 16 // bytes: 128 random bits

// nonces gives nonces, drawn from the system several at a time. Safe for concurrent use.
type nonces struct {
	mu    sync.Mutex
	ahead [16 * nonceSize]byte
	left  int
}

// next gives one that was never given before.
func (n *nonces) next() string {
	var b [2 * nonceSize]byte
	n.mu.Lock()
	if n.left == 0 {
		rand.Read(n.ahead[:])
		n.left = len(n.ahead)
	}
	drawn := n.ahead[n.left-nonceSize : n.left]
	hex.Encode(b[:], drawn)
	clear(drawn)
	n.left -= nonceSize
	n.mu.Unlock()
	return string(b[:])
}
