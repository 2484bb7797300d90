package pgn

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// width is the most code points of a line of movetext, where words allow it.
const width = 79

// Write writes games in PGN's export format, as [Game.Append] does.
func Write(w io.Writer, games ...*Game) error {
	var b []byte
	for _, g := range games {
		var err error
		if b, err = g.Append(b[:0]); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Append appends the game in PGN's export format, with a blank line behind it, so that games can follow one another: the roster complete
// and first, the other tags in the order of their names, lines of movetext below 80 columns where words allow it: none that begins with a
// bracket or a percent sign, as clocks do, begins a line. On an error, which says what cannot be written (moves that are not legal, comments
// that [Clean] would change, what is beyond the bounds), dst is as it was.
func (g *Game) Append(dst []byte) ([]byte, error) {
	start := len(dst)
	tags, err := g.tags()
	if err != nil {
		return dst, err
	}
	p, err := g.position()
	if err != nil {
		return dst, fmt.Errorf("pgn: Start: %w", err)
	}
	out := dst
	for _, t := range tags {
		out = append(append(append(out, '['), t.Name...), ` "`...)
		for i := range len(t.Value) {
			if c := t.Value[i]; c == '"' || c == '\\' {
				out = append(out, '\\')
			}
			out = append(out, t.Value[i])
		}
		out = append(out, "\"]\n"...)
	}
	w := writer{b: append(out, '\n')}
	w.comments(g.Comments, false)
	w.moves(p, g.Moves, 0)
	w.word(string(g.Result))
	if w.err != nil {
		return dst, w.err
	}
	if w.b = append(w.b, "\n\n"...); len(w.b)-start > MaxGame {
		return dst, fmt.Errorf("pgn: a game of over %d bytes", MaxGame)
	}
	return w.b, nil
}

// writer writes words, with a space or an end of line between them.
type writer struct {
	b      []byte
	column int    // of the present line, 0 at its beginning
	prefix string // of the next word
	glue   bool   // no space before the next word
	ply    int    // of the game itself, for errors
	count  int
	err    error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("pgn: ply %d: "+format, append([]any{w.ply}, args...)...)
	}
}

// word writes a word. None that begins with a percent sign or a bracket is the first of a line: readers would take it for something else.
func (w *writer) word(s string) {
	s, w.prefix = w.prefix+s, ""
	n := 0
	for range s {
		n++
	}
	switch {
	case w.column == 0 || w.glue && w.column+n <= width:
	case w.column+1+n > width && s[0] != '%' && s[0] != '[':
		w.b, w.column = append(w.b, '\n'), 0
	default:
		w.b = append(w.b, ' ')
		w.column++
	}
	w.b, w.column, w.glue = append(w.b, s...), w.column+n, false
}

func (w *writer) comments(list []string, atMove bool) {
	if len(list) > MaxNotes {
		w.fail("over %d comments", MaxNotes)
		return
	}
	for _, text := range list {
		if err := checkComment(text, atMove); err != nil {
			w.fail("%w", err)
			return
		}
		w.comment(text)
	}
}

func (w *writer) comment(text string) {
	list := strings.Split(text, " ")
	list[0] = "{" + list[0]
	list[len(list)-1] += "}"
	for _, s := range list {
		w.word(s)
	}
}

// moves writes moves from a position.
func (w *writer) moves(p chess.Position, list []Move, depth int) {
	number := true // needed before a move of Black
	for i := range list {
		m := &list[i]
		if depth == 0 {
			w.ply++
		}
		if w.count++; w.count > MaxMoves {
			w.fail("over %d moves", MaxMoves)
		}
		if err := p.Check(m.Move); err != nil {
			w.fail("%w", err)
		}
		if w.err != nil {
			return
		}
		switch {
		case p.SideToMove() == chess.White:
			w.word(strconv.Itoa(p.FullmoveNumber()) + ".")
		case number:
			w.word(strconv.Itoa(p.FullmoveNumber()) + "...")
		}
		w.word(p.SAN(m.Move))
		before := p
		p.Play(m.Move)
		number = len(m.Comments)+len(m.Variations) > 0 || !m.Clock.IsZero() || !m.Elapsed.IsZero()
		if len(m.NAGs) > MaxNotes || len(m.Variations) > MaxNotes {
			w.fail("over %d NAGs or variations", MaxNotes)
		}
		for _, n := range m.NAGs {
			w.word("$" + strconv.Itoa(int(n)))
		}
		w.notes(m)
		for j := range m.Variations {
			v := &m.Variations[j]
			if depth == MaxDepth || len(v.Moves) == 0 {
				w.fail("a variation within %d others, or without moves", depth)
				return
			}
			w.prefix += "("
			w.comments(v.Comments, false)
			w.moves(before, v.Moves, depth+1)
			w.glue = true
			w.word(")")
		}
	}
}

// notes writes the clocks and comments of a move, the clocks in front of the first comment.
func (w *writer) notes(m *Move) {
	var b []byte
	for _, x := range []struct {
		name string
		d    game.Opt[time.Duration]
	}{{"clk", m.Clock}, {"emt", m.Elapsed}} {
		d, ok := x.d.Get()
		if !ok {
			continue
		}
		if d < 0 || d > maxClock || d%time.Millisecond != 0 {
			w.fail("the time %v is not a whole number of milliseconds below 10,000 hours", d)
			return
		}
		b = append(appendClock(append(append(append(b, "[%"...), x.name...), ' '), d), "] "...)
	}
	list := m.Comments
	if len(b) > 0 {
		text := string(b[:len(b)-1])
		if len(list) > 0 && len(text)+1+len(list[0]) <= MaxComment && checkComment(list[0], true) == nil {
			text, list = text+" "+list[0], list[1:]
		}
		w.comment(text)
	}
	w.comments(list, true)
}
