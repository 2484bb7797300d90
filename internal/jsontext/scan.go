package jsontext

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// scanner goes once through a text; pos is where an error is.
type scanner struct {
	text    string
	pos     int
	depth   int
	replace bool // the text is UTF-8, and halves of surrogate pairs read as U+FFFD
}

const byteOrderMark = "\ufeff"

// begin stands before the first byte of a text, or behind its mark.
func (s *scanner) begin(text []byte, invalid Invalid) {
	s.text = string(text)
	if invalid == Replace {
		s.replace = true
		s.text = strings.ToValidUTF8(s.text, string(utf8.RuneError))
	}
	if strings.HasPrefix(s.text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
}

var (
	errEnd     = errors.New("unexpected end")
	errDeep    = errors.New("nested over 32 deep")
	errWord    = errors.New("a word that is none of null, true, false")
	errNumber  = errors.New("bad number")
	errRange   = errors.New("number beyond a float64")
	errControl = errors.New("control character in a string")
	errEscape  = errors.New("bad escape in a string")
	errLone    = errors.New("lone surrogate in a string")
	errUTF8    = errors.New("invalid UTF-8 in a string")
)

func (s *scanner) at(err error) error { return fmt.Errorf("byte %d: %w", s.pos, err) }

func (s *scanner) unexpected() error {
	if s.pos == len(s.text) {
		return errEnd
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return fmt.Errorf("unexpected %q", r)
}

// peek skips white space and gives the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for ; s.pos < len(s.text); s.pos++ {
		switch c := s.text[s.pos]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// end is an error if anything but white space is left.
func (s *scanner) end(what string) error {
	if s.peek(); s.pos < len(s.text) {
		return fmt.Errorf("something after the %s", what)
	}
	return nil
}

// next moves to the value that comes next, and tells its kind by how it begins.
func (s *scanner) next() (Kind, error) {
	switch c := s.peek(); {
	case c == '"':
		return String, nil
	case c == '{':
		return Object, nil
	case c == '[':
		return Array, nil
	case c == '-' || '0' <= c && c <= '9':
		return Number, nil
	case c == 't':
		return True, nil
	case c == 'f':
		return False, nil
	case c == 'n':
		return Null, nil
	}
	return 0, s.unexpected()
}

// skip reads the value of this kind at pos, and keeps nothing of it.
func (s *scanner) skip(k Kind) (err error) {
	switch k {
	case Null:
		return s.word("null")
	case False:
		return s.word("false")
	case True:
		return s.word("true")
	case Number:
		return s.number()
	case String:
		_, err = s.str()
		return err
	case Array:
		return s.items(s.skipNext)
	}
	return s.members(func(string) error { return s.skipNext() })
}

func (s *scanner) skipNext() error {
	k, err := s.next()
	if err != nil {
		return err
	}
	return s.skip(k)
}

func (s *scanner) word(w string) error {
	if !strings.HasPrefix(s.text[s.pos:], w) {
		return errWord
	}
	s.pos += len(w)
	return nil
}

// open steps into the array or object at pos, and reports whether it holds anything; if not, it is read.
func (s *scanner) open(closing byte) (more bool, err error) {
	if s.depth == MaxDepth {
		return false, errDeep
	}
	s.pos++
	if s.peek() == closing {
		s.pos++
		return false, nil
	}
	s.depth++
	return true, nil
}

// more steps over what stands behind an item, and reports whether another follows.
func (s *scanner) more(closing byte) (bool, error) {
	switch s.peek() {
	case ',':
		s.pos++
		return true, nil
	case closing:
		s.pos++
		s.depth--
		return false, nil
	}
	return false, s.unexpected()
}

// items reads the array at pos; each is called before an item, and reads it.
func (s *scanner) items(each func() error) error {
	more, err := s.open(']')
	for more && err == nil {
		if err = each(); err == nil {
			more, err = s.more(']')
		}
	}
	return err
}

// members reads the object at pos; each is called with a member's name before its value, and reads that.
func (s *scanner) members(each func(name string) error) error {
	var names nameSet
	more, err := s.open('}')
	for more && err == nil {
		if s.peek() != '"' {
			return s.unexpected()
		}
		start := s.pos
		name, err := s.str()
		if err != nil {
			return err
		}
		if !names.add(name) {
			s.pos = start
			return fmt.Errorf("duplicate name %s", Quote(name))
		}
		if s.peek() != ':' {
			return s.unexpected()
		}
		s.pos++
		if err = each(name); err != nil {
			return err
		}
		if more, err = s.more('}'); err != nil {
			return err
		}
	}
	return err
}

// nameSet holds the names of one object; it is quick for few and for many.
type nameSet struct {
	few  [16]string
	n    int // of few
	many map[string]struct{}
}

// add reports whether name is new.
func (s *nameSet) add(name string) bool {
	if slices.Contains(s.few[:s.n], name) {
		return false
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	if _, twice := s.many[name]; twice {
		return false
	}
	if s.many == nil {
		s.many = make(map[string]struct{}, 64)
	}
	s.many[name] = struct{}{}
	return true
}
