package agentarena

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

func (s *scanner) skip(chars string) bool {
	if s.pos < len(s.text) && strings.IndexByte(chars, s.text[s.pos]) >= 0 {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) number() error {
	s.skip("-")
	if !s.skip("0") && !s.digits() {
		return errNumber
	}
	if s.skip(".") && !s.digits() {
		return errNumber
	}
	if s.skip("eE") {
		s.skip("+-")
		if !s.digits() {
			return errNumber
		}
	}
	return nil
}

// str reads the string that begins at pos and gives its content.
func (s *scanner) str() (string, error) {
	s.pos++
	from := s.pos
	var out []byte // the content up to from, where it is not the text itself
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			rest := s.text[from:s.pos]
			s.pos++
			if out == nil {
				return rest, nil
			}
			return string(append(out, rest...)), nil
		case c == '\\':
			if out == nil {
				out = make([]byte, 0, 2*(s.pos-from)+64)
			}
			out = append(out, s.text[from:s.pos]...)
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
			from = s.pos
		case c < ' ':
			return "", errControl
		default:
			s.pos++
		}
	}
	return "", errEnd
}

// escape reads the escape that begins at pos, both halves of a surrogate pair;
// a half alone is U+FFFD.
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
		next := s.pos
		if strings.HasPrefix(s.text[s.pos:], `\u`) {
			s.pos += 2
			if low, ok := s.hex4(); ok {
				if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
					return pair, nil
				}
			}
		}
		s.pos = next
		return utf8.RuneError, nil
	}
	return 0, errEscape
}

func (s *scanner) hex4() (rune, bool) {
	if len(s.text)-s.pos < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[s.pos:s.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	s.pos += 4
	return rune(n), true
}
