package replay

import (
	"strconv"
	"strings"
)

// printable gives text as it may stand on a terminal: control characters, line
// breaks, marks that turn the direction of text and bytes that are no UTF-8 are
// escaped as Go does.
func printable(s string) string {
	var b strings.Builder
	for i, r := range s {
		if strconv.IsPrint(r) && (r != '\uFFFD' || strings.HasPrefix(s[i:], "\uFFFD")) {
			b.WriteRune(r)
			continue
		}
		n := len(string(r))
		if r == '\uFFFD' {
			n = 1
		}
		q := strconv.Quote(s[i : i+n])
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// word gives what is a word as it is, and quotes anything else, so that nothing
// of it is taken for the words around.
func word(s string) string {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.:+-", r) {
			return strconv.Quote(s)
		}
	}
	if s == "" {
		return `""`
	}
	return s
}
