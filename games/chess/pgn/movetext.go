package pgn

import (
	"strings"

	"github.com/matchreferee/arena/games/chess"
)

// reader reads what follows the tags of a game.
type reader struct {
	*scanner
	count int // moves
}

// suffixes are the marks that stand for NAGs.
var suffixes = [...]string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}

// symbolRune reports whether a rune may be in a move, a move number or a result.
func symbolRune(r rune) bool {
	return nameRune(r) || r == '+' || r == '#' || r == '=' || r == ':' || r == '-' || r == '/'
}

// moves reads moves up to a result, which it gives, or up to what is none of these. Comments before the first of them go to intro.
func (r *reader) moves(p chess.Position, depth int, intro *[]string) (list []Move, result Result, err error) {
	before := p // the last move
	for {
		r.skip()
		at := r.at
		var last *Move
		if len(list) > 0 {
			last = &list[len(list)-1]
		}
		switch {
		case r.ch == '{' || r.ch == ';':
			if last != nil {
				err = r.comments(&last.Comments, last)
			} else {
				err = r.comments(intro, nil)
			}
		case r.ch == '(' && last != nil:
			err = r.variation(last, before, depth+1)
		case r.ch == '$' && last != nil:
			err = r.glyph(last)
		case r.ch == '*':
			r.next()
			return list, Unknown, r.err
		case !symbolRune(r.ch):
			return list, "", r.err
		default:
			text, err := r.while(16, symbolRune)
			if err != nil {
				return nil, "", err
			}
			if Result(text).valid() {
				return list, Result(text), nil
			}
			if n, ok := digits(text, 5); ok {
				if n != p.FullmoveNumber() {
					return nil, "", at.errorf("move number %d where %d is due", n, p.FullmoveNumber())
				}
				for r.skip(); r.ch == '.'; {
					r.next()
				}
				continue
			}
			if r.count++; r.count > MaxMoves {
				return nil, "", at.errorf("over %d moves", MaxMoves)
			}
			m, err := p.ParseSAN(text)
			if err != nil {
				return nil, "", &SyntaxError{at.line, at.column, err}
			}
			before = p
			p.Play(m)
			list = append(list, Move{Move: m})
			if err := r.marks(&list[len(list)-1]); err != nil {
				return nil, "", err
			}
		}
		if err != nil {
			return nil, "", err
		}
	}
}

// marks reads the suffix of a move, if there is one.
func (r *reader) marks(m *Move) error {
	at := r.at
	text, err := r.while(8, func(c rune) bool { return c == '!' || c == '?' })
	if err != nil || text == "" {
		return err
	}
	for n, s := range suffixes {
		if s == text {
			m.NAGs = append(m.NAGs, uint8(n))
			return nil
		}
	}
	return at.errorf("the mark %s is not one of ! ? !! ?? !? ?!", text)
}

// glyph reads a NAG.
func (r *reader) glyph(m *Move) error {
	at := r.at
	r.next()
	text, err := r.while(3, func(c rune) bool { return '0' <= c && c <= '9' })
	if err != nil {
		return err
	}
	n, ok := digits(text, 3)
	if !ok || n > 255 {
		return at.errorf("behind a dollar sign stands a number from 0 to 255")
	}
	if len(m.NAGs) == MaxNotes {
		return at.errorf("over %d NAGs at a move", MaxNotes)
	}
	m.NAGs = append(m.NAGs, uint8(n))
	return nil
}

// variation reads what could have been played instead of m, from p.
func (r *reader) variation(m *Move, p chess.Position, depth int) error {
	at := r.at
	if depth > MaxDepth || len(m.Variations) == MaxNotes {
		return at.errorf("over %d variations within one another, or over %d at one move", MaxDepth, MaxNotes)
	}
	r.next()
	var v Variation
	moves, result, err := r.moves(p, depth, &v.Comments)
	switch {
	case err != nil:
		return err
	case result != "":
		return r.at.errorf("a result within a variation")
	case r.ch != ')':
		return r.at.errorf("neither a move nor the end of the variation of line %d, column %d", at.line, at.column)
	case len(moves) == 0:
		return at.errorf("a variation without moves")
	}
	r.next()
	v.Moves = moves
	m.Variations = append(m.Variations, v)
	return nil
}

// comments reads the comments that stand here, if any, and skips white space. Clock commands go to m, if it is not nil. Comments that are
// empty, or hold nothing else, are left out.
func (s *scanner) comments(to *[]string, m *Move) error {
	for {
		s.skip()
		at := s.at
		open := s.ch
		if open != '{' && open != ';' {
			return s.err
		}
		s.next()
		text, err := s.while(MaxComment, func(r rune) bool { return r != '}' && open == '{' || r != '\n' && open == ';' })
		if err != nil {
			return err
		}
		if open == '{' {
			if s.ch != '}' {
				return at.errorf("a comment without an end")
			}
			s.next()
		}
		text = normal(strings.ReplaceAll(text, "}", ")"), m) // a comment to the end of the line may hold a brace, one in braces may not
		if text == "" {
			continue
		}
		if len(text) > MaxComment {
			return at.errorf("a comment of over %d bytes", MaxComment)
		}
		if len(*to) == MaxNotes {
			return at.errorf("over %d comments in one place", MaxNotes)
		}
		*to = append(*to, text)
	}
}
