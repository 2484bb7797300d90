package draw

import "strconv"

// Theme says for what background a picture is made.
type Theme uint8

const (
	// Auto follows the browser (the media query prefers-color-scheme, Media Queries Level 5), in an <img> too. What knows no media queries
	// shows the light picture.
	Auto  Theme = iota
	Light       // for light pages, wherever it is shown
	Dark        // for dark pages
)

// String gives "auto", "light" or "dark".
func (t Theme) String() string {
	switch t {
	case Light:
		return "light"
	case Dark:
		return "dark"
	}
	return "auto"
}

// Ink is a colour by what it is for. Each has a value in the light theme and one in the dark.
type Ink uint8

// The inks. Text and Muted can be read on Paper, Panel and Cell; the pairs (First and FirstEdge, White and WhiteEdge, ...) are a filling and the
// line around it, or what is drawn upon it.
const (
	None       Ink = iota // nothing is drawn
	Paper                 // the picture's background
	Panel                 // behind rows of a table
	Text                  // what is to be read
	Muted                 // what matters less
	Rule                  // thin lines between things
	Frame                 // the body of a board
	Board                 // squares of a board, the light ones of two
	BoardAlt              // the dark squares
	Cell                  // an empty place
	First                 // what belongs to seat 0
	FirstEdge             //
	Second                // what belongs to seat 1
	SecondEdge            //
	Azure                 // what belongs to seat 1 where it is drawn as lines: to be seen on Cell, as First is
	White                 // pieces called white
	WhiteEdge             //
	Black                 // pieces called black
	BlackEdge             //
	Mark                  // the last move
	Win                   // a winning line
	Alarm                 // a check, a death
	inks
)

// palette holds the colours of light and dark.
var palette = [inks][2]string{
	Paper:      {"#f8f9fb", "#14181e"},
	Panel:      {"#e9edf3", "#232a34"},
	Text:       {"#1a1f26", "#e8edf4"},
	Muted:      {"#525c69", "#a3afbd"},
	Rule:       {"#c3cbd6", "#414b59"},
	Frame:      {"#2a63bd", "#27549c"},
	Board:      {"#f1e4cd", "#a3aebd"},
	BoardAlt:   {"#c49a6c", "#6b7890"},
	Cell:       {"#ffffff", "#0f1318"},
	First:      {"#d3303b", "#f25f68"},
	FirstEdge:  {"#8f1720", "#a82c35"},
	Second:     {"#f2b90f", "#ffd04a"},
	SecondEdge: {"#9a7200", "#b98a0e"},
	Azure:      {"#1d62c4", "#62a3ff"},
	White:      {"#ffffff", "#f6f7f9"},
	WhiteEdge:  {"#2b2017", "#14181e"},
	Black:      {"#2b2420", "#14171c"},
	BlackEdge:  {"#f4ead9", "#dfe5ee"},
	Mark:       {"#ffd84d", "#d8b23c"},
	Win:        {"#0f8a4c", "#35d07f"},
	Alarm:      {"#c92a35", "#ff6b73"},
}

// color gives the value of an ink under a theme; Auto's is the light one.
func (i Ink) color(t Theme) string {
	if i >= inks {
		i = Text
	}
	if t == Dark {
		return palette[i][1]
	}
	return palette[i][0]
}

// appendPaint appends the attributes of a filling or a line. Under Auto they name the light colour, so that the picture is right where style sheets
// are forbidden or unknown, and a class by which the dark theme finds it.
func (c *Canvas) appendPaint(fill, stroke Ink) {
	attribute := func(name string, i Ink) {
		c.dst = append(c.dst, ' ')
		c.dst = append(c.dst, name...)
		c.dst = append(c.dst, `="`...)
		if i == None {
			c.dst = append(c.dst, "none"...)
		} else {
			c.dst = append(c.dst, i.color(c.theme)...)
		}
		c.dst = append(c.dst, '"')
	}
	attribute("fill", fill)
	if stroke != None {
		attribute("stroke", stroke)
	}
	if c.theme != Auto || fill == None && stroke == None {
		return
	}
	c.dst = append(c.dst, ` class="`...)
	class := func(kind byte, i Ink) {
		if i == None {
			return
		}
		if c.dst[len(c.dst)-1] != '"' {
			c.dst = append(c.dst, ' ')
		}
		c.dst = strconv.AppendUint(append(c.dst, kind), uint64(i), 10)
	}
	class('f', fill)
	class('s', stroke)
	c.dst = append(c.dst, '"')
	c.fills |= 1 << fill
	c.strokes |= 1 << stroke
}

// appendDark appends the style sheet of the dark theme, for the inks that were used. Its rules reach no further than pictures under Auto.
func (c *Canvas) appendDark() {
	c.dst = append(c.dst, "<style>@media (prefers-color-scheme:dark){"...)
	for i := Paper; i < inks; i++ {
		for _, x := range [...]struct {
			used     uint32
			kind     byte
			property string
		}{{c.fills, 'f', "fill"}, {c.strokes, 's', "stroke"}} {
			if x.used>>i&1 == 1 {
				c.dst = append(c.dst, ".arena-auto ."...)
				c.dst = strconv.AppendUint(append(c.dst, x.kind), uint64(i), 10)
				c.dst = append(c.dst, '{')
				c.dst = append(c.dst, x.property...)
				c.dst = append(c.dst, ':')
				c.dst = append(c.dst, palette[i][1]...)
				c.dst = append(c.dst, '}')
			}
		}
	}
	c.dst = append(c.dst, "}</style>"...)
}
