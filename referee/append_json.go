package referee

import (
	"strconv"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
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

func appendFloat(dst []byte, f float64) []byte { return jsontext.AppendNumber(dst, f) }

func appendString(dst []byte, s string) []byte { return jsontext.AppendString(dst, s) }

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

// b64values is the inverse of b64digits; 255 for what is no digit.
var b64values = func() (values [256]byte) {
	for i := range values {
		values[i] = 255
	}
	for i := range len(b64digits) {
		values[b64digits[i]] = byte(i)
	}
	return values
}()

// parseB64 reads what appendB64 writes, and nothing else: 43 digits, of which the last has its two low bits clear.
func parseB64(to *[32]byte, digits []byte) bool {
	b, t, wrong := (*[43]byte)(digits), &b64values, byte(0)
	for i, j := 0, 0; i < 30; i, j = i+3, j+4 {
		p, q, r, s := t[b[j]], t[b[j+1]], t[b[j+2]], t[b[j+3]]
		wrong |= p | q | r | s
		to[i], to[i+1], to[i+2] = p<<2|q>>4, q<<4|r>>2, r<<6|s
	}
	p, q, r := t[b[40]], t[b[41]], t[b[42]]
	wrong |= p | q | r
	to[30], to[31] = p<<2|q>>4, q<<4|r>>2
	return wrong < 64 && r&3 == 0
}
