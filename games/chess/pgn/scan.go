package pgn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says where a text is no PGN, or more of it than allowed.
type SyntaxError struct {
	Line, Column int // from 1; columns count code points
	Err          error
}

// Error gives place and reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("pgn: line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap gives the reason.
func (e *SyntaxError) Unwrap() error { return e.Err }

// place is where a rune stands.
type place struct{ line, column int }

func (at place) errorf(format string, args ...any) error {
	return &SyntaxError{at.line, at.column, fmt.Errorf(format, args...)}
}

// end is the rune after the last one.
const end rune = -1

// scanner gives the runes of a text with their places.
type scanner struct {
	in   *bufio.Reader
	ch   rune // the present one, or end
	at   place
	read int // bytes since the start of a game
	err  error
}

func newScanner(r io.Reader) *scanner {
	s := &scanner{in: bufio.NewReader(r), ch: '\n'}
	s.next()
	if s.ch == '\uFEFF' { // a byte-order mark
		s.at.column = 0
		s.next()
	}
	return s
}

// next goes on to the next rune. Errors end the text.
func (s *scanner) next() {
	if s.ch == end {
		return
	}
	if s.ch == '\n' {
		s.at = place{s.at.line + 1, 0}
	}
	s.at.column++
	r, n, err := s.in.ReadRune()
	s.read += n
	switch {
	case err != nil:
		s.ch = end
		if !errors.Is(err, io.EOF) {
			s.err = err
		}
		return
	case r == utf8.RuneError && n == 1:
		s.fail(s.at.errorf("not UTF-8"))
		return
	case unicode.IsControl(r) && !space(r):
		s.fail(s.at.errorf("control character %U", r))
		return
	case s.read > MaxGame:
		s.fail(s.at.errorf("a game of over %d bytes", MaxGame))
		return
	}
	s.ch = r
}

func (s *scanner) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.ch = end
}

// skip passes over white space and over the lines that a percent sign in the first column makes invisible.
func (s *scanner) skip() {
	for {
		switch {
		case s.ch == '%' && s.at.column == 1:
			for s.ch != '\n' && s.ch != end {
				s.next()
			}
		case s.ch != end && space(s.ch):
			s.next()
		default:
			return
		}
	}
}

// while collects the runes that satisfy f, at most limit bytes of them.
func (s *scanner) while(limit int, f func(rune) bool) (string, error) {
	var b []byte
	at := s.at
	for s.ch != end && f(s.ch) {
		if b = utf8.AppendRune(b, s.ch); len(b) > limit {
			return "", at.errorf("over %d bytes long", limit)
		}
		s.next()
	}
	return string(b), s.err
}
