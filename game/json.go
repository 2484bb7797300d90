package game

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Bounds of JSON from outside.
const (
	maxJSON   = 1 << 20 // bytes
	maxValues = 1 << 16 // values, those inside others counted
	maxDepth  = 32      // arrays and objects inside one another
)

// Canonical gives the canonical form (RFC 8785) of one JSON value from outside. Malformed JSON, duplicate names in an object,
// anything but white space after the value, arrays and objects nested over 32 deep, invalid UTF-8, lone surrogates, numbers beyond a
// float64, more than 1 MiB and more than 65,536 values are errors. A leading byte-order mark is accepted and dropped. Numbers are float64 values, as RFC 8785
// has it: 1.0 and 1e0 become 1, and integers beyond 2^53 may be rounded. The result is at most about six times as long as data
// (1e20 is written out), and shares no memory with it.
func Canonical(data []byte) (Action, error) {
	v, err := parseJSON(data)
	if err != nil {
		return "", err
	}
	return Action(v.appendCanonical(make([]byte, 0, len(data)+8))), nil
}

type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonFalse
	jsonTrue
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

func (k jsonKind) String() string {
	return [...]string{"null", "a boolean", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// jsonValue is one parsed value. An object's names[i] belongs to items[i], in the order of the text.
type jsonValue struct {
	kind     jsonKind
	num      float64
	str      string
	names    []string
	items    []jsonValue
	from, to int32 // its bytes in the text
}

// member gives the object's member of exactly that name, or nil.
func (v *jsonValue) member(name string) *jsonValue {
	if i := slices.Index(v.names, name); i >= 0 {
		return &v.items[i]
	}
	return nil
}

func (v *jsonValue) appendCanonical(dst []byte) []byte {
	switch v.kind {
	case jsonNull:
		return append(dst, "null"...)
	case jsonFalse:
		return append(dst, "false"...)
	case jsonTrue:
		return append(dst, "true"...)
	case jsonNumber:
		return appendNumber(dst, v.num)
	case jsonString:
		return appendString(dst, v.str)
	case jsonArray:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.items[i].appendCanonical(dst)
		}
		return append(dst, ']')
	}
	order := make([]int, len(v.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareUTF16(v.names[a], v.names[b]) })
	dst = append(dst, '{')
	for i, k := range order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, v.names[k]), ':')
		dst = v.items[k].appendCanonical(dst)
	}
	return append(dst, '}')
}

// appendNumber writes a number as ECMAScript does, which is what RFC 8785 asks for.
func appendNumber(dst []byte, x float64) []byte {
	if x == 0 {
		return append(dst, '0') // minus zero too
	}
	if abs := math.Abs(x); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') { // e-07 is e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
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

// compareUTF16 orders valid UTF-8 strings by their UTF-16 code units: as by code points,
// but that those written as surrogates (from U+10000) stand before U+E000 to U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) || i == len(b) {
		return len(a) - len(b)
	}
	for i > 0 && !utf8.RuneStart(a[i]) {
		i--
	}
	x, _ := utf8.DecodeRuneInString(a[i:])
	y, _ := utf8.DecodeRuneInString(b[i:])
	if x >= 0x10000 && y >= 0xE000 && y < 0x10000 {
		return -1
	}
	if y >= 0x10000 && x >= 0xE000 && x < 0x10000 {
		return 1
	}
	return int(x) - int(y)
}

// clip makes text from outside fit for an error: quoted, one line, short.
func clip(s string) string {
	const most = 48
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		return strconv.Quote(s[:cut]) + "..."
	}
	return strconv.Quote(s)
}

var errJSONSize = errors.New("game: JSON: over 1 MiB")

func parseJSON(data []byte) (*jsonValue, error) {
	if len(data) > maxJSON {
		return nil, errJSONSize
	}
	p := jsonParser{data: string(data)}
	if len(data) >= 3 && p.data[:3] == "\ufeff" {
		p.pos = 3
	}
	v := new(jsonValue)
	if err := p.value(v, 0); err != nil {
		return nil, fmt.Errorf("game: JSON: byte %d: %w", p.pos, err)
	}
	p.space()
	if p.pos < len(p.data) {
		return nil, fmt.Errorf("game: JSON: byte %d: something after the value", p.pos)
	}
	return v, nil
}
