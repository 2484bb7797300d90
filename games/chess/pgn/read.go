package pgn

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/matchreferee/arena/games/chess"
)

// Reader reads games one after another. It holds one game at a time, and asks no more of its source than it needs, but for a buffer of some
// kilobytes. Not for concurrent use.
type Reader struct {
	s   *scanner
	err error
}

// NewReader gives a reader of what r has. The text is UTF-8, with or without a byte-order mark.
func NewReader(r io.Reader) *Reader { return &Reader{s: newScanner(r)} }

// Next reads the next game, which is the caller's. At the end of the text the error is io.EOF; otherwise it is a [SyntaxError], or the
// source's own. After an error there are no more games: the same comes again.
//
// It reads PGN's import format as far as that is unambiguous. Moves are in algebraic notation as [chess.Position.ParseSAN] takes it, legal, and
// may bear one of the six suffixes ! ? !! ?? !? ?!; move numbers may be left out but not be wrong. The game ends with a result, which is
// that of the Result tag if there is one. Comments are kept as their words with single spaces; empty ones are dropped, and a closing brace in a
// comment to the end of a line becomes a parenthesis, since it could not be written otherwise. A tag stands once, and FEN not without a position that [chess.ParseFEN] takes. Other games than
// standard chess are not read: the tag Variant, if there is one, is "Standard", "Chess", "Normal", "From Position" or "?".
func (r *Reader) Next() (*Game, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.s.read = 0
	g, err := r.s.game()
	if r.s.err != nil {
		err = r.s.err // the first thing that was wrong
	}
	if err != nil {
		r.err = err
		return nil, err
	}
	return g, nil
}

// All gives the games up to the end or to the first error, which comes as the last.
func (r *Reader) All() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			g, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// game reads a game; io.EOF if there is none.
func (s *scanner) game() (*Game, error) {
	g := new(Game)
	if err := s.comments(&g.Comments, nil); err != nil {
		return nil, err
	}
	if s.ch == end {
		return nil, io.EOF
	}
	at := s.at
	for s.ch == '[' {
		if len(g.Tags) == MaxTags {
			return nil, s.at.errorf("over %d tags", MaxTags)
		}
		where := s.at
		t, err := s.tag()
		if err != nil {
			return nil, err
		}
		if err := g.take(t); err != nil {
			return nil, &SyntaxError{where.line, where.column, err}
		}
		s.skip()
	}
	if err := g.settle(); err != nil {
		return nil, &SyntaxError{at.line, at.column, err}
	}
	p, err := g.position()
	if err != nil {
		return nil, &SyntaxError{at.line, at.column, err}
	}
	body := reader{scanner: s}
	moves, result, err := body.moves(p, 0, &g.Comments)
	if err != nil {
		return nil, err
	}
	if at = s.at; result == "" {
		return nil, at.errorf("the game ends without a result")
	}
	g.Moves = moves
	g.Result = result
	if t := g.Tag("Result"); t != string(result) && t != "" {
		return nil, at.errorf("the result is %s, but the tag says %.16q", result, t)
	}
	g.Tags, err = g.tags()
	if err != nil {
		return nil, &SyntaxError{at.line, at.column, err}
	}
	g.Tags = without(g.Tags, "FEN", "SetUp")
	if s.read > MaxGame/2 { // with the spaces and numbers that it lacks, a game may be too large to be written; a smaller one cannot
		if _, err := g.Append(nil); err != nil {
			return nil, &SyntaxError{at.line, at.column, err}
		}
	}
	return g, s.err
}

// tag reads a pair of the tag section.
func (s *scanner) tag() (t Tag, err error) {
	s.next()
	s.skip()
	if t.Name, err = s.while(MaxName, nameRune); err != nil {
		return t, err
	}
	s.skip()
	if s.ch != '"' {
		return t, s.at.errorf("a tag is a name and a value in quotes")
	}
	s.next()
	escaped := false
	at := s.at
	t.Value, err = s.while(2*MaxValue, func(r rune) bool {
		if r == '\n' || !escaped && r == '"' {
			return false
		}
		escaped = !escaped && r == '\\'
		return true
	})
	if err != nil {
		return t, err
	}
	if s.ch != '"' {
		return t, s.at.errorf("the value of %s does not end in its line", t.Name)
	}
	s.next()
	var b strings.Builder
	for i := 0; i < len(t.Value); i++ {
		if t.Value[i] == '\\' {
			if i++; t.Value[i] != '"' && t.Value[i] != '\\' {
				return t, at.errorf("a backslash in a value escapes a quote or a backslash, nothing else")
			}
		}
		b.WriteByte(t.Value[i])
	}
	t.Value = b.String()
	s.skip()
	if s.ch != ']' {
		return t, s.at.errorf("a tag ends with a bracket")
	}
	s.next()
	return t, nil
}

// take adds a tag that was read.
func (g *Game) take(t Tag) error {
	if err := checkTag(t); err != nil {
		return err
	}
	for _, other := range g.Tags {
		if other.Name == t.Name {
			return errors.New("the tag " + t.Name + " stands twice")
		}
	}
	g.Tags = append(g.Tags, t)
	return nil
}

// standard are the values of the tag Variant, in lower case, that stand for chess itself; "" is no such tag.
var standard = [...]string{"", "?", "standard", "chess", "normal", "from position"}

// settle refuses games other than chess, and makes Start of the tags SetUp and FEN.
func (g *Game) settle() error {
	setUp, fen := g.Tag("SetUp"), g.Tag("FEN")
	empty := fen == "" && slices.Contains(g.Tags, Tag{Name: "FEN"})
	switch {
	case !slices.Contains(standard[:], strings.ToLower(g.Tag("Variant"))):
		return errors.New("the tag Variant is of another game than standard chess")
	case setUp != "" && setUp != "0" && setUp != "1":
		return errors.New("the tag SetUp is 0 or 1")
	case setUp == "1" && fen == "":
		return errors.New("the tag SetUp promises a tag FEN")
	case setUp == "0" && (fen != "" || empty):
		return errors.New("the tag SetUp says that there is no FEN, but there is")
	}
	if fen != "" || empty {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			return err
		}
		if fen != chess.StartFEN {
			g.Start = p.FEN()
		}
	}
	g.Tags = without(g.Tags, "FEN", "SetUp")
	return nil
}

// without gives the tags but for those of some names.
func without(tags []Tag, names ...string) []Tag {
	return slices.DeleteFunc(tags, func(t Tag) bool { return slices.Contains(names, t.Name) })
}
