package draw

// Anchor says which point of a text stands at the x that is given for it.
type Anchor uint8

const (
	Start  Anchor = iota // its left end
	Middle               // its middle
	End                  // its right end
)

// Type is how a text looks.
type Type struct {
	Size   int // of the font, in units; raised to a 24th of the picture's width, which is 10 pixels in a picture shown 240 wide
	Ink    Ink // None is [Text]
	Anchor Anchor
	Bold   bool
	Strike bool // struck through
	Most   int  // how wide it may get, in units; what does not fit is cut and ends in an ellipsis. 0 is up to the picture's edges, for texts outside of groups
}

// Text writes one line of text, cleaned by [Clean] and cut to fit. Its middle, halfway up a capital letter, is at the height y. It gives the width
// that the text takes, an estimate rather too large than too small.
func (c *Canvas) Text(x, y int, text string, t Type) int {
	c.Open(Width, Width, "a picture", "")
	const far = 1_000_000 // beyond every picture, whatever its scale
	x, y = min(max(x, -far), far), min(max(y, -far), far)
	size := min(max(t.Size, (1000*c.width+24*c.scale()-1)/(24*c.scale())), far)
	if t.Ink == None {
		t.Ink = Text
	}
	most := min(t.Most, far)
	if most <= 0 {
		switch t.Anchor {
		case Start:
			most = c.width - x
		case Middle:
			most = 2 * min(x, c.width-x)
		case End:
			most = x
		}
	}
	text = fitUnits(Clean(text), most, size, t.Bold)
	width := units(text, size, t.Bold)
	if text == "" {
		return 0
	}
	c.element(func() {
		clip := !simple(text)
		if clip {
			width = min(most, width)
			left := x
			switch t.Anchor {
			case Middle:
				left -= width / 2
			case End:
				left -= width
			}
			c.dst = append(c.dst, "<svg"...)
			c.number("x", left)
			c.number("y", y-size)
			c.number("width", width)
			c.number("height", 2*size)
			c.dst = append(c.dst, ` overflow="hidden">`...)
			x, y = x-left, size
		}
		c.dst = append(c.dst, "<text"...)
		c.number("x", x)
		c.number("y", y+(size*36+50)/100)
		c.number("font-size", size)
		c.appendPaint(t.Ink, None)
		switch t.Anchor {
		case Middle:
			c.dst = append(c.dst, ` text-anchor="middle"`...)
		case End:
			c.dst = append(c.dst, ` text-anchor="end"`...)
		}
		if t.Bold {
			c.dst = append(c.dst, ` font-weight="700"`...)
		}
		if t.Strike {
			c.dst = append(c.dst, ` text-decoration="line-through"`...)
		}
		c.dst = append(c.dst, '>')
		c.dst = appendEscaped(c.dst, text)
		c.dst = append(c.dst, "</text>"...)
		if clip {
			c.dst = append(c.dst, "</svg>"...)
		}
	})
	return width
}
