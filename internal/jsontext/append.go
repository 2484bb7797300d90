package jsontext

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendString appends s as a JSON string, escaped as RFC 8785, section 3.2.2.2, has it: quotes, backslashes and control characters, and
// nothing else. A run of bytes that are no UTF-8 becomes one U+FFFD.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from, plain := 0, &plainASCII
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plain[c] {
			continue
		}
		if c >= utf8.RuneSelf {
			if plain = &plainUTF8; !utf8.ValidString(s[i:]) {
				s = strings.ToValidUTF8(s, string(utf8.RuneError)) // the same up to i
			}
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}

// plainASCII and plainUTF8 tell which bytes stand in a JSON string as they are.
var plainASCII, plainUTF8 = plainBelow(utf8.RuneSelf), plainBelow(256)

func plainBelow(end int) (set [256]bool) {
	for c := ' '; c < rune(end); c++ {
		set[c] = c != '"' && c != '\\'
	}
	return set
}

// AppendNumber appends a finite x as ECMAScript writes numbers, which is what RFC 8785, section 3.2.2.3, asks for: the fewest digits that
// read as x again, and 0 for minus zero. What is not finite has no such form, and is written as Go writes it.
func AppendNumber(dst []byte, x float64) []byte {
	const exact = 1 << 53 // integers below this have all their digits
	if n := int64(x); float64(n) == x && -exact < n && n < exact {
		return strconv.AppendInt(dst, n, 10) // minus zero too
	}
	if abs := math.Abs(x); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	from := len(dst)
	dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
	if n := len(dst); n-from > 4 && dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
