package jsontext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes one line of untrusted text: tabs and line breaks become spaces,
// invalid UTF-8 and other control characters U+FFFD, each byte or character one.
// What is longer than most code points is cut.
func Line(s string, most int) string {
	if len(s) <= most && isPlain(s) {
		return s
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == most {
			break
		}
		n++
		switch {
		case r == '\t' || r == '\n' || BreaksLine(r):
			r = ' '
		case unicode.IsControl(r):
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

// BreaksLine tells the line breaks of Unicode that are no control characters.
func BreaksLine(r rune) bool { return r == '\u2028' || r == '\u2029' }

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
