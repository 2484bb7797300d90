package proc

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept := Tail{Max: rapid.IntRange(0, 4096).Draw(t, "max")}
		all := ""
		for range rapid.IntRange(0, 8).Draw(t, "writes") {
			s := strings.Repeat(rapid.StringN(1, 3, 8).Draw(t, "text"), rapid.IntRange(0, 1500).Draw(t, "times"))
			if n, err := kept.Write([]byte(s)); n != len(s) || err != nil {
				t.Fatal(n, err)
			}
			all += s
		}
		if want := all[max(0, len(all)-kept.Max):]; kept.String() != want {
			t.Fatalf("%d bytes kept, want %d", len(kept.String()), len(want))
		}
	})
}
