package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxRunes is how much of a text is drawn at most, in code points; what a picture has room for is less as a rule.
const maxRunes = 240

const ellipsis = "…"

// Clean makes text from outside fit to be shown on one line: tabs and line breaks become blanks; invalid UTF-8, control characters,
// characters that reorder or hide what stands beside them (Unicode's bidirectional controls, UAX #9, zero-width and tag characters) and what
// XML 1.0 cannot hold become U+FFFD, a run of them one; of combining marks on one letter the first three stay. Text over 240 code
// points is cut and ends in an ellipsis. The result holds no escape sequence that a terminal acts on; it is not escaped for XML.
// Cleaning it again changes nothing.
func Clean(text string) string {
	if plain(text) {
		return text
	}
	var out strings.Builder
	count, marks, bad := 0, 0, false
	for _, r := range text {
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			r = ' '
		case r == '\u200c' || r == '\u200d' || r == '\ufe0f': // joiners and the emoji selector shape their neighbours, and hide nothing
			if marks++; marks > 3 {
				continue
			}
		case unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > 3 {
				continue
			}
		case !drawable(r):
			r = utf8.RuneError
		}
		if !combining(r) {
			marks = 0
		}
		if r == utf8.RuneError {
			if bad {
				continue
			}
			bad = true
		} else {
			bad = false
		}
		if count++; count > maxRunes {
			return cut(out.String(), maxRunes-1) + ellipsis
		}
		out.WriteRune(r)
	}
	return out.String()
}

// plain tells whether text is short ASCII without control characters, as most is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return len(text) <= maxRunes
}

// drawable tells whether a character shows what it is: letters, marks, numbers, punctuation, symbols, private use and the blank, but not format
// characters, other spaces that look like nothing, noncharacters and what Unicode has not assigned.
func drawable(r rune) bool {
	switch {
	case r == '\u2800' || r == '\u3164' || r == '\uffa0' || r == '\u115f' || r == '\u1160': // look like nothing, though called symbols and letters
		return false
	case r == '\u00a0' || r == '\u3000':
		return true
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Co, r)
}

// combining tells whether a character takes no room of its own.
func combining(r rune) bool {
	return r == '\u200c' || r == '\u200d' || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

// cut gives the first n code points.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// appendEscaped appends clean text as XML 1.0 takes it in elements and in attributes with either quote.
func appendEscaped(dst []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; c {
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '&':
			dst = append(dst, "&amp;"...)
		case '"':
			dst = append(dst, "&#34;"...)
		case '\'':
			dst = append(dst, "&#39;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
