package referee

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
)

// dropComma removes the comma that the first member of an object begins with.
func dropComma(dst []byte, at int) []byte {
	if len(dst) == at {
		return dst
	}
	return append(dst[:at], dst[at+1:]...)
}

func comma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return dst
}

func appendInt(dst []byte, name string, n int64) []byte {
	if n == 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, name...), n, 10)
}

func appendMillis(dst []byte, name string, d time.Duration) []byte {
	return appendInt(dst, name, int64(ms(d)))
}

func appendInts[T int | int64](dst []byte, name string, list []T) []byte {
	if list == nil {
		return dst
	}
	dst = append(append(dst, name...), '[')
	for i, n := range list {
		dst = strconv.AppendInt(comma(dst, i), int64(n), 10)
	}
	return append(dst, ']')
}

func appendFloats(dst []byte, name string, list []float64) []byte {
	if list == nil {
		return dst
	}
	dst = append(append(dst, name...), '[')
	for i, f := range list {
		dst = appendFloat(comma(dst, i), f)
	}
	return append(dst, ']')
}

// appendFloat writes a finite number as ECMAScript and RFC 8785 do.
func appendFloat(dst []byte, f float64) []byte {
	if f == 0 { // and -0
		return append(dst, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	n := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// e-09 is written e-9
	if k := len(dst); k-4 > n && dst[k-4] == 'e' && dst[k-2] == '0' {
		dst[k-2] = dst[k-1]
		dst = dst[:k-1]
	}
	return dst
}

func appendSet(dst []byte, name string, set game.SeatSet) []byte {
	if set == 0 {
		return dst
	}
	dst = append(append(dst, name...), '[')
	i := 0
	for s := range set.All() {
		dst = strconv.AppendInt(comma(dst, i), int64(s), 10)
		i++
	}
	return append(dst, ']')
}

func appendSeat(dst []byte, s game.Seat) []byte {
	switch {
	case s >= 0 && s < 10:
		return append(dst, '0'+byte(s))
	case s >= 10:
		return strconv.AppendInt(dst, int64(s), 10)
	case s == game.Host:
		return append(dst, `"host"`...)
	}
	return append(dst, `"chance"`...)
}

func appendText(dst []byte, name, s string) []byte {
	if s == "" {
		return dst
	}
	return appendString(append(dst, name...), s)
}

// appendString writes a JSON string as RFC 8785 does; invalid UTF-8 becomes U+FFFD.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

const b64digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// appendB64 writes 32 bytes as 43 characters of base64url without padding.
func appendB64(dst []byte, h *[32]byte) []byte {
	var out [43]byte
	for i, j := 0, 0; i < 30; i, j = i+3, j+4 {
		v := uint32(h[i])<<16 | uint32(h[i+1])<<8 | uint32(h[i+2])
		out[j] = b64digits[v>>18&63]
		out[j+1] = b64digits[v>>12&63]
		out[j+2] = b64digits[v>>6&63]
		out[j+3] = b64digits[v&63]
	}
	v := uint32(h[30])<<16 | uint32(h[31])<<8
	out[40] = b64digits[v>>18&63]
	out[41] = b64digits[v>>12&63]
	out[42] = b64digits[v>>6&63]
	return append(dst, out[:]...)
}
