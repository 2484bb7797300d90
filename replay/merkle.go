package replay

import (
	"crypto/sha256"

	"golang.org/x/mod/sumdb/tlog"
)

// merkle is the tree of RFC 6962, section 2.1, over leaf hashes that come one by
// one: it keeps the roots of the complete subtrees alone, the largest first.
type merkle struct {
	n     int64
	roots [64]tlog.Hash
	depth int
}

// add appends a leaf.
func (m *merkle) add(leaf [32]byte) {
	h := tlog.Hash(leaf)
	for n := m.n; n&1 == 1; n >>= 1 {
		m.depth--
		h = tlog.NodeHash(m.roots[m.depth], h)
	}
	m.roots[m.depth] = h
	m.depth++
	m.n++
}

// root gives the hash of the tree so far; that of no leaves is SHA-256 of nothing.
func (m *merkle) root() [32]byte {
	if m.n == 0 {
		return sha256.Sum256(nil)
	}
	h := m.roots[m.depth-1]
	for i := m.depth - 2; i >= 0; i-- {
		h = tlog.NodeHash(m.roots[i], h)
	}
	return h
}
