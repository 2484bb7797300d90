package jsontext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"plain", 5, "plain"}, {"plain", 4, "plai"}, {"plain", 0, ""}, {"", 3, ""},
		{"a\tb\nc\u2028d\u2029e", 9, "a b c d e"}, {"\x00\x1b[2J\r\x7f\u0085", 9, "\ufffd\ufffd[2J\ufffd\ufffd\ufffd"},
		{"\xff\xfeü", 3, "\ufffd\ufffdü"}, {"世界世界", 2, "世界"}, {"\xe4\xb8", 5, "\ufffd\ufffd"},
	} {
		if got := Line(c.in, c.most); got != c.want {
			t.Errorf("%q, %d: %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

// TestLineAgain: a line is valid, within its bound, without breaks, and stays as it is.
func TestLineAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		most := rapid.IntRange(0, 40).Draw(t, "most")
		got := Line(s, most)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > most || strings.ContainsFunc(got, unicode.IsControl) || strings.ContainsFunc(got, BreaksLine) || Line(got, most) != got {
			t.Fatalf("%q, %d: %q", s, most, got)
		}
	})
}
