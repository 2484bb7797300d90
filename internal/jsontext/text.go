package jsontext

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

func (s *scanner) digits() bool {
	from := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > from
}

// has steps over one of two bytes, if it is next.
func (s *scanner) has(a, b byte) bool {
	if s.pos < len(s.text) && (s.text[s.pos] == a || s.text[s.pos] == b) {
		s.pos++
		return true
	}
	return false
}

// number reads the number at pos.
func (s *scanner) number() error {
	s.has('-', '-')
	if !s.has('0', '0') && !s.digits() {
		return errNumber
	}
	if s.has('.', '.') && !s.digits() {
		return errNumber
	}
	if s.has('e', 'E') {
		s.has('+', '-')
		if !s.digits() {
			return errNumber
		}
	}
	return nil
}

// float reads the number at pos and gives the float64 next to it.
func (s *scanner) float() (float64, error) {
	from := s.pos
	if err := s.number(); err != nil {
		return 0, err
	}
	x, err := strconv.ParseFloat(s.text[from:s.pos], 64)
	if err != nil {
		s.pos = from
		return 0, errRange
	}
	return x, nil
}

// str reads the string at pos and gives its content.
func (s *scanner) str() (string, error) {
	s.pos++
	var out []byte // the content so far, where it is not the text itself
	for {
		from := s.pos
		part, err := s.plain()
		if err != nil {
			return "", err
		}
		if s.text[s.pos] == '"' {
			s.pos++
			if out == nil {
				return part, nil
			}
			return string(append(out, part...)), nil
		}
		if out == nil {
			out = make([]byte, 0, 2*(s.pos-from)+64)
		}
		out = append(out, part...)
		r, err := s.escape()
		if err != nil {
			return "", err
		}
		out = utf8.AppendRune(out, r)
	}
}

// plain reads what stands in a string as it is, up to a quote or a backslash.
func (s *scanner) plain() (string, error) {
	rest, plain := s.text[s.pos:], &plainASCII
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		if plain[c] {
			continue
		}
		if c >= utf8.RuneSelf {
			plain = &plainUTF8
			continue
		}
		part := rest[:i]
		if plain == &plainUTF8 && !s.replace && !utf8.ValidString(part) {
			s.pos += validPrefix(part)
			return "", errUTF8
		}
		s.pos += i
		if c < ' ' {
			return "", errControl
		}
		return part, nil
	}
	s.pos = len(s.text)
	return "", errEnd
}

// validPrefix counts the bytes before the first that is no UTF-8.
func validPrefix(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

// escape reads the escape at pos, both halves of a surrogate pair.
func (s *scanner) escape() (rune, error) {
	s.pos++
	if s.pos == len(s.text) {
		return 0, errEnd
	}
	c := s.text[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := s.hex4()
		if !ok {
			return 0, errEscape
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		return s.pair(r)
	}
	return 0, errEscape
}

// pair reads what follows one half of a surrogate pair, if it is the other.
func (s *scanner) pair(high rune) (rune, error) {
	next := s.pos
	if strings.HasPrefix(s.text[s.pos:], `\u`) {
		s.pos += 2
		if low, ok := s.hex4(); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, nil
			}
		}
	}
	s.pos = next
	if !s.replace {
		return 0, errLone
	}
	return utf8.RuneError, nil
}

func (s *scanner) hex4() (rune, bool) {
	if len(s.text)-s.pos < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.text[s.pos : s.pos+4]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	s.pos += 4
	return r, true
}
