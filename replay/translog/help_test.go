package translog

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/matchreferee/arena/referee"
)

const origin = "arena.example/matches"

// keyOf is a key made of one byte.
func keyOf(b byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, 32)) }

func signerOf(t testing.TB, name string, b byte) (note.Signer, note.Verifier) {
	t.Helper()
	s, err := NoteSigner(name, keyOf(b))
	if err != nil {
		t.Fatal(err)
	}
	v, err := NoteVerifier(name, keyOf(b).Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return s, v
}

func opened(t testing.TB, s Storage) *Log {
	t.Helper()
	signer, key := signerOf(t, origin, 1)
	l, err := Open(t.Context(), Options{Origin: origin, Signers: []note.Signer{signer}, Key: key, Storage: s})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// entry is one that nobody played; another variant is another record of the same match.
func entry(n int, variant ...byte) Entry {
	id := fmt.Sprintf("m:%d", n)
	h := sha256.Sum256(append([]byte(id), variant...))
	return Entry{Match: id, Events: int64(n%40 + 2), Head: h, Root: sha256.Sum256(h[:])}
}

func entries(from, to int) []Entry {
	var all []Entry
	for n := from; n < to; n++ {
		all = append(all, entry(n))
	}
	return all
}

func add(t testing.TB, l *Log, all ...Entry) []int64 {
	t.Helper()
	numbers, err := l.Add(t.Context(), all...)
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

func newest(t testing.TB, l *Log) *Checkpoint {
	t.Helper()
	c, err := l.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// naiveRoot is the definition of RFC 6962, section 2.1.
func naiveRoot(all []Entry) [32]byte {
	switch len(all) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return referee.LeafHash(all[0].Append(nil))
	}
	k := 1
	for 2*k < len(all) {
		k *= 2
	}
	left, right := naiveRoot(all[:k]), naiveRoot(all[k:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

var errBroken = errors.New("the disk is gone")

// breaking is a storage that breaks at one of its writes, doing it or not.
type breaking struct {
	Memory
	left  int  // writes until then
	done  bool // the one that breaks is done all the same
	blind int  // reads that break after it
}

func (b *breaking) Read(ctx context.Context, path string) ([]byte, error) {
	if b.left <= 0 && b.blind > 0 {
		b.blind--
		return nil, errBroken
	}
	return b.Memory.Read(ctx, path)
}

func (b *breaking) Write(ctx context.Context, path string, data []byte) error {
	b.left--
	if b.left == 0 {
		if b.done {
			if err := b.Memory.Write(ctx, path, data); err != nil {
				return err
			}
		}
		return errBroken
	}
	return b.Memory.Write(ctx, path, data)
}
