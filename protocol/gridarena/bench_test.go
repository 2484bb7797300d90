package gridarena

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkAppend writes the longest observations of the grid, in the middle and at the end of a match.
func BenchmarkAppend(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(goldenDir, "grid-first.txt"))
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, at := range []struct {
		name string
		line string
	}{{"first", lines[2]}, {"last", lines[len(lines)-1]}} {
		b.Run(at.name, func(b *testing.B) {
			o, err := DecodeObservation([]byte(at.line))
			if err != nil {
				b.Fatal(err)
			}
			buf := make([]byte, 0, 1<<15)
			b.SetBytes(int64(len(at.line)))
			b.ReportAllocs()
			for b.Loop() {
				buf = o.Append(buf[:0])
			}
			if string(buf) != at.line {
				b.Fatal(string(buf))
			}
		})
	}
}

// BenchmarkDecodeMove reads the document's sample.
func BenchmarkDecodeMove(b *testing.B) {
	body := []byte(validMove)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, p := DecodeMove(body); p != nil {
			b.Fatal(p)
		}
	}
}
