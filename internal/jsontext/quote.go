package jsontext

import (
	"strconv"
	"unicode/utf8"
)

// Quote makes text from outside fit for an error or a hint: in double quotes, on one line, escaped as Go does, and cut after 40 code points
// or 96 bytes, whichever are fewer, with "..." behind where something was cut.
func Quote(s string) string {
	const mostRunes, mostBytes = 40, 96
	n := 0
	for i, r := range s {
		if n++; n > mostRunes || i+utf8.RuneLen(r) > mostBytes {
			return strconv.Quote(s[:i]) + "..."
		}
	}
	return strconv.Quote(s)
}
