package agentarena

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// scanner reads JSON strictly (RFC 8259); pos is where an error is.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) at(err error) error { return fmt.Errorf("byte %d: %w", s.pos, err) }

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

func (s *scanner) unexpected() error {
	if s.pos == len(s.text) {
		return errEnd
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return fmt.Errorf("unexpected %q", r)
}

// value reads any value into m, whose name it leaves alone.
func (s *scanner) value(m *member, depth int) (err error) {
	c := s.peek()
	m.from = s.pos
	switch {
	case c == '"':
		m.kind = kindString
		m.str, err = s.str()
	case c == '{':
		m.kind = kindObject
		err = s.object(depth+1, nil)
	case c == '[':
		m.kind = kindArray
		err = s.array(depth+1, nil)
	case c == '-' || '0' <= c && c <= '9':
		m.kind = kindNumber
		err = s.number()
	case c == 't':
		m.kind = kindBool
		err = s.word("true")
	case c == 'f':
		m.kind = kindBool
		err = s.word("false")
	case c == 'n':
		m.kind = kindNull
		err = s.word("null")
	default:
		err = s.unexpected()
	}
	m.raw = s.text[m.from:s.pos]
	return err
}

var (
	errEnd     = errors.New("unexpected end")
	errDeep    = fmt.Errorf("nested over %d deep", maxDepth)
	errNumber  = errors.New("bad number")
	errControl = errors.New("control character in a string")
	errEscape  = errors.New("bad escape in a string")
)

func (s *scanner) word(w string) error {
	if !strings.HasPrefix(s.text[s.pos:], w) {
		return s.unexpected()
	}
	s.pos += len(w)
	return nil
}

// array reads the array that begins at pos, its items into keep unless that is nil.
func (s *scanner) array(depth int, keep *[]member) error {
	if depth > maxDepth {
		return errDeep
	}
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for {
		var m member
		if err := s.value(&m, depth); err != nil {
			return err
		}
		if keep != nil {
			*keep = append(*keep, m)
		}
		switch s.peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return nil
		default:
			return s.unexpected()
		}
	}
}

// object reads the object that begins at pos, its members into keep unless that is nil.
func (s *scanner) object(depth int, keep *object) error {
	if depth > maxDepth {
		return errDeep
	}
	s.pos++
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	var names nameSet
	for {
		if s.peek() != '"' {
			return s.unexpected()
		}
		start := s.pos
		var m member
		var err error
		if m.name, err = s.str(); err != nil {
			return err
		}
		if !names.add(m.name) {
			s.pos = start
			return fmt.Errorf("duplicate name %s", quote(m.name))
		}
		if s.peek() != ':' {
			return s.unexpected()
		}
		s.pos++
		if err := s.value(&m, depth); err != nil {
			return err
		}
		if keep != nil {
			*keep = append(*keep, m)
		}
		switch s.peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return nil
		default:
			return s.unexpected()
		}
	}
}

// nameSet holds the names of one object; it is quick for few and for many.
type nameSet struct {
	few  []string
	many map[string]bool
}

// add reports whether name is new.
func (n *nameSet) add(name string) bool {
	if slices.Contains(n.few, name) || n.many[name] {
		return false
	}
	switch {
	case len(n.few) < 16:
		n.few = append(n.few, name)
	case n.many == nil:
		n.many = map[string]bool{name: true}
	default:
		n.many[name] = true
	}
	return true
}
