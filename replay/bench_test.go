package replay_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
)

// BenchmarkVerify verifies sealed matches of random Connect Four: lines a second
// over short records, start and end lines and the making of the table included.
func BenchmarkVerify(b *testing.B) {
	var matches [][]byte
	bytesTotal := 0
	for i := range 16 {
		matches = append(matches, played(b, setup(b, connectfour.New(), "b"+strconv.Itoa(i)), true))
		bytesTotal += len(matches[i])
	}
	lines := int64(0)
	b.ReportAllocs()
	b.SetBytes(int64(bytesTotal / len(matches)))
	v := replay.Verifier{Resolve: rules}
	for i := 0; b.Loop(); i++ {
		r, err := v.Verify(bytes.NewReader(matches[i%len(matches)]))
		if err != nil || r.Status != replay.Valid {
			b.Fatal(r, err)
		}
		lines += r.Events + 1
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkReader reads the same records without rules.
func BenchmarkReader(b *testing.B) {
	record := played(b, setup(b, connectfour.New(), "b"), true)
	lines := int64(0)
	b.ReportAllocs()
	b.SetBytes(int64(len(record)))
	for b.Loop() {
		r := replay.NewReader(bytes.NewReader(record))
		for _, err := range r.All() {
			if err != nil {
				b.Fatal(err)
			}
			lines++
		}
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkSeal makes the attested seal of a match of 40 events.
func BenchmarkSeal(b *testing.B) {
	leaves := make([][32]byte, 40)
	for i := range leaves {
		leaves[i][0] = byte(i)
	}
	seal := replay.Sealer(signerOf("key-1", 7, 1_796_000_000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := seal("match", leaves); err != nil {
			b.Fatal(err)
		}
	}
}
