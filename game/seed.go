package game

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Seed is where all chance in a match comes from. Setups, states and views never contain it. Every value is a seed, zero too.
type Seed [32]byte

// SeedFrom gives the seed whose last eight bytes are n, big-endian: for tests and examples.
func SeedFrom(n uint64) Seed {
	var s Seed
	binary.BigEndian.PutUint64(s[24:], n)
	return s
}

// Stream gives the random stream number n of one purpose: a PCG (math/rand/v2) whose two words are the first sixteen bytes, read big-endian, of
//
//	SHA-256(seed ‖ n as eight bytes, big-endian ‖ purpose)
//
// Streams of different purposes or numbers are independent. The stream is the caller's, and not for concurrent use.
func (s Seed) Stream(purpose string, n uint64) *rand.Rand {
	var small [96]byte
	b := append(small[:0], s[:]...)
	b = binary.BigEndian.AppendUint64(b, n)
	b = append(b, purpose...)
	sum := sha256.Sum256(b)
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])))
}
