package draw

import (
	"strconv"

	"github.com/matchreferee/arena/game"
)

// Width is the usual width of a picture, in its own units. Shown 240 pixels wide, two units are a pixel.
const Width = 480

// maxPicture is the most bytes that a picture has before its end is written; a shape or a text that would go beyond is left out.
const maxPicture = 256 << 10

// Canvas draws one picture as SVG 1.1. All lengths are whole units: a picture is [Width] of them wide as a rule, x goes to the right, y down.
// Text is cleaned, escaped and kept large enough to be read. The first call is Open; shapes cover those before them.
// A Canvas is for the goroutine that was handed it, until its Picture method returns.
type Canvas struct {
	dst            []byte
	start          int
	theme          Theme
	names          []string
	outcome        *game.Outcome
	width, height  int
	groups         []group
	fills, strokes uint32
}

// Paint is how a shape looks. Lines have round ends and corners. The zero value draws nothing.
type Paint struct {
	Fill   Ink
	Stroke Ink  // the line along its edge, half of it inside
	Width  int  // of the line; 0 is 1 unit
	Faint  bool // half transparent
}

// Outcome tells how the game ended, if it has and if that is known; it is not to be changed.
func (c *Canvas) Outcome() (*game.Outcome, bool) { return c.outcome, c.outcome != nil }

// Won tells whether the game has ended with a return above 0 for a seat, as far as [Canvas.Outcome] knows.
func (c *Canvas) Won(seat game.Seat) bool { return won(c.outcome, seat) }

// Name gives what the holder of a seat is called, clean; "" if that is not known.
func (c *Canvas) Name(seat game.Seat) string {
	return nameOf(c.names, seat)
}

// nameOf gives a seat's name, clean; "" if there is none.
func nameOf(names []string, seat game.Seat) string {
	if !seat.Valid() || int(seat) >= len(names) {
		return ""
	}
	return Clean(names[seat])
}

// Open begins the picture: its size, 1 to 10,000 units each way, a title, and a sentence that describes it to those who cannot see it ("" for none).
// It paints the background. A second call does nothing.
func (c *Canvas) Open(width, height int, title, description string) {
	if c.width > 0 {
		return
	}
	c.width, c.height = min(max(width, 1), 10_000), min(max(height, 1), 10_000)
	c.dst = append(c.dst, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `...)
	c.dst = strconv.AppendInt(c.dst, int64(c.width), 10)
	c.dst = strconv.AppendInt(append(c.dst, ' '), int64(c.height), 10)
	c.dst = append(c.dst, `" role="img" aria-label="`...)
	c.dst = appendEscaped(c.dst, Clean(title))
	c.dst = append(c.dst, `" font-family="system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif" stroke-linecap="round" stroke-linejoin="round"`...)
	if c.theme == Auto {
		c.dst = append(c.dst, ` class="arena-auto"`...)
	}
	c.dst = append(c.dst, "><title>"...)
	c.dst = appendEscaped(c.dst, Clean(title))
	c.dst = append(c.dst, "</title>"...)
	if description != "" {
		c.dst = append(c.dst, "<desc>"...)
		c.dst = appendEscaped(c.dst, Clean(description))
		c.dst = append(c.dst, "</desc>"...)
	}
	c.Rect(0, 0, c.width, c.height, 16, Paint{Fill: Paper})
}

// close ends the picture.
func (c *Canvas) close() []byte {
	c.Open(Width, Width, "a picture", "")
	for len(c.groups) > 0 {
		c.End()
	}
	if c.theme == Auto {
		c.appendDark()
	}
	return append(c.dst, "</svg>"...)
}

// Rect draws a rectangle whose corners have the radius given.
func (c *Canvas) Rect(x, y, width, height, corner int, p Paint) {
	c.shape("rect", p, func() {
		c.number("x", x)
		c.number("y", y)
		c.number("width", width)
		c.number("height", height)
		if corner > 0 {
			c.number("rx", corner)
		}
	})
}

// Circle draws a circle around a point.
func (c *Canvas) Circle(x, y, radius int, p Paint) {
	c.shape("circle", p, func() {
		c.number("cx", x)
		c.number("cy", y)
		c.number("r", radius)
	})
}

// Line draws a line in the ink of p.Stroke.
func (c *Canvas) Line(x1, y1, x2, y2 int, p Paint) {
	p.Fill = None
	c.shape("line", p, func() {
		c.number("x1", x1)
		c.number("y1", y1)
		c.number("x2", x2)
		c.number("y2", y2)
	})
}

// Path draws path data (SVG 1.1, section 8.3), nothing for "". What is no letter of a command, digit, sign, point, comma or blank is left out of it.
func (c *Canvas) Path(d string, p Paint) {
	if d == "" {
		return
	}
	c.shape("path", p, func() {
		c.dst = append(c.dst, ` d="`...)
		for i := range len(d) {
			if b := d[i]; b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '+' || b == '.' || b == ',' || b == ' ' {
				c.dst = append(c.dst, b)
			}
		}
		c.dst = append(c.dst, '"')
	})
}

// group is an open one.
type group struct {
	written  bool
	permille int // what a unit in it is in the picture
}

// scale is what a unit is in the picture at present, in thousandths: at least 1.
func (c *Canvas) scale() int {
	if n := len(c.groups); n > 0 {
		return c.groups[n-1].permille
	}
	return 1000
}

// Group moves what follows, up to its End, by x and y and then scales it: 1,000 is as it is. A permille outside 1 to 100,000 counts as the nearer
// of the two. Groups may hold groups, 16 deep; those deeper change nothing.
func (c *Canvas) Group(x, y, permille int) {
	permille = min(max(permille, 1), 100_000)
	g := group{permille: c.scale()}
	if len(c.groups) < 16 {
		g.written = c.element(func() {
			c.dst = append(c.dst, `<g transform="translate(`...)
			c.dst = strconv.AppendInt(c.dst, int64(x), 10)
			c.dst = strconv.AppendInt(append(c.dst, ' '), int64(y), 10)
			c.dst = append(c.dst, ')')
			if permille != 1000 {
				c.dst = append(c.dst, " scale("...)
				c.dst = appendPermille(c.dst, permille)
				c.dst = append(c.dst, ')')
			}
			c.dst = append(c.dst, `">`...)
		})
	}
	if g.written {
		g.permille = int(min(max(int64(g.permille)*int64(permille)/1000, 1), 1_000_000))
	}
	c.groups = append(c.groups, g)
}

// End ends the latest Group.
func (c *Canvas) End() {
	n := len(c.groups) - 1
	if n < 0 {
		return
	}
	if c.groups[n].written {
		c.dst = append(c.dst, "</g>"...)
	}
	c.groups = c.groups[:n]
}

// appendPermille appends thousandths as a decimal number.
func appendPermille(dst []byte, n int) []byte {
	dst = strconv.AppendInt(dst, int64(n/1000), 10)
	if n %= 1000; n > 0 {
		dst = append(dst, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
	}
	return dst
}

// shape writes one empty element; geometry writes its own attributes.
func (c *Canvas) shape(name string, p Paint, geometry func()) {
	if p.Fill == None && p.Stroke == None {
		return
	}
	c.element(func() {
		c.dst = append(c.dst, '<')
		c.dst = append(c.dst, name...)
		geometry()
		c.appendPaint(p.Fill, p.Stroke)
		if p.Stroke != None && p.Width > 1 {
			c.number("stroke-width", p.Width)
		}
		if p.Faint {
			c.dst = append(c.dst, ` opacity=".5"`...)
		}
		c.dst = append(c.dst, "/>"...)
	})
}

// element writes whole what write writes, or, if the picture would grow too large, nothing.
func (c *Canvas) element(write func()) bool {
	c.Open(Width, Width, "a picture", "")
	before := len(c.dst)
	if write(); len(c.dst)-c.start > maxPicture {
		c.dst = c.dst[:before]
		return false
	}
	return true
}

func (c *Canvas) number(name string, n int) {
	c.dst = append(c.dst, ' ')
	c.dst = append(c.dst, name...)
	c.dst = strconv.AppendInt(append(c.dst, `="`...), int64(n), 10)
	c.dst = append(c.dst, '"')
}
