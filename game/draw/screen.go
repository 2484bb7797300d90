package draw

import (
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
)

const (
	maxLines     = 400 // of a terminal drawing
	defaultWidth = 80
)

// xterm holds the inks of a terminal: numbers of xterm's 256 colours, to be seen on dark and light grounds. 0 is the terminal's own colour.
var xterm = [inks]uint8{
	Muted: 245, Rule: 245, Frame: 33, Board: 138, BoardAlt: 95, Cell: 240, First: 203, FirstEdge: 203, Second: 172, SecondEdge: 172,
	Azure: 33, White: 231, WhiteEdge: 231, Black: 16, BlackEdge: 16, Mark: 178, Win: 35, Alarm: 196,
}

// Style is how text looks on a terminal with colours; on others it changes nothing.
type Style struct {
	Ink    Ink // None, Text: the terminal's own
	Ground Ink // behind the text; None, Paper, Panel: the terminal's own
	Bold   bool
}

// Screen takes a terminal drawing, text by text. It is for the goroutine that was handed it, until its Print method returns.
type Screen struct {
	out     strings.Builder
	names   []string
	outcome *game.Outcome
	width   int
	column  int
	lines   int
	color   bool
}

func newScreen(o Options) *Screen {
	width := defaultWidth
	if o.Width != 0 {
		width = min(max(o.Width, 20), 400)
	}
	return &Screen{names: o.Names, outcome: o.Outcome, width: width, color: o.Color}
}

// Width is how many columns a line has: 20 to 400.
func (s *Screen) Width() int { return s.width }

// Left is how many columns of the line are still empty.
func (s *Screen) Left() int { return s.width - s.column }

// Outcome tells how the game ended, if it has and if that is known; it is not to be changed.
func (s *Screen) Outcome() (*game.Outcome, bool) { return s.outcome, s.outcome != nil }

// Name gives what the holder of a seat is called, clean; "" if that is not known.
func (s *Screen) Name(seat game.Seat) string {
	return nameOf(s.names, seat)
}

// Print writes text, cleaned by [Clean] and cut to the rest of the line.
func (s *Screen) Print(text string, st Style) {
	text = fitCells(Clean(text), s.Left())
	if text == "" || s.lines >= maxLines {
		return
	}
	s.column += Cells(text)
	codes := ""
	if s.color {
		if st.Bold {
			codes = ";1"
		}
		if st.Ink < inks && xterm[st.Ink] > 0 {
			codes += ";38;5;" + strconv.Itoa(int(xterm[st.Ink]))
		}
		if st.Ground < inks && xterm[st.Ground] > 0 {
			codes += ";48;5;" + strconv.Itoa(int(xterm[st.Ground]))
		}
	}
	if codes == "" {
		s.out.WriteString(text)
		return
	}
	s.out.WriteString("\x1b[" + codes[1:] + "m" + text + "\x1b[0m")
}

// Pad writes blanks up to a column, counted from 0; it does nothing beyond it.
func (s *Screen) Pad(column int) {
	if n := min(column, s.width) - s.column; n > 0 && s.lines < maxLines {
		s.out.WriteString(strings.Repeat(" ", n))
		s.column += n
	}
}

// Line ends the line. Lines after the 400th are lost.
func (s *Screen) Line() {
	if s.lines < maxLines {
		s.out.WriteByte('\n')
		s.lines++
	}
	s.column = 0
}

// String gives what was drawn, the last line ended.
func (s *Screen) String() string {
	if s.column > 0 {
		s.Line()
	}
	return s.out.String()
}

// block writes text of several lines as it is, without the fence that it may have for language models.
func (s *Screen) block(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "```") {
			continue
		}
		s.Print(line, Style{})
		s.Line()
	}
}
