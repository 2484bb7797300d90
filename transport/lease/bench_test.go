package lease_test

import (
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/transport/lease"
)

// BenchmarkAcquire takes the lease and gives it back, with nobody else there.
func BenchmarkAcquire(b *testing.B) {
	path := filepath.Join(b.TempDir(), "lease.json")
	for _, store := range []struct {
		name string
		open func() (lease.Store, error)
	}{
		{"memory", func() (lease.Store, error) { return new(lease.Memory), nil }},
		{"file", func() (lease.Store, error) { return lease.OpenFile(b.Context(), path, lease.FileOptions{}) }},
		{"file without sync", func() (lease.Store, error) {
			return lease.OpenFile(b.Context(), path+"2", lease.FileOptions{NoSync: true})
		}},
	} {
		b.Run(store.name, func(b *testing.B) {
			s, err := store.open()
			if err != nil {
				b.Fatal(err)
			}
			l, err := lease.New(b.Context(), lease.Options{Store: s})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				held, err := l.Acquire(b.Context(), lease.Claim{Account: "ann"})
				if err != nil {
					b.Fatal(err)
				}
				held.Release()
			}
			if err := l.Close(b.Context()); err != nil {
				b.Fatal(err)
			}
			if f, ok := s.(*lease.File); ok {
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
