package translog

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkAdd adds matches to a log that has some, one by one and many at a
// time: entries a second, hashing, signing and storing included.
func BenchmarkAdd(b *testing.B) {
	const before = 10_000
	kinds := []struct {
		name    string
		storage func(b *testing.B) Storage
	}{
		{"memory", func(*testing.B) Storage { return new(Memory) }},
		{"files", func(b *testing.B) Storage {
			d, err := NewDir(b.Context(), filepath.Join(b.TempDir(), "log"))
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = d.Close() })
			return d
		}},
	}
	for _, kind := range kinds {
		for _, batch := range []int{1, 100} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, batch), func(b *testing.B) {
				l := opened(b, kind.storage(b))
				n := 0
				for n < before {
					size := min(MaxBatch, before-n)
					add(b, l, entries(n, n+size)...)
					n += size
				}
				b.ReportAllocs()
				for b.Loop() {
					add(b, l, entries(n, n+batch)...)
					n += batch
				}
				b.ReportMetric(float64(n-before)/b.Elapsed().Seconds(), "entries/s")
			})
		}
	}
}
