package draw

import "strconv"

// Outline gathers shapes that look the same, to be drawn by one Canvas.Path: a board's squares, a seat's pieces. The zero value is empty.
type Outline []byte

// String gives the path data.
func (o Outline) String() string { return string(o) }

// Line adds a line.
func (o *Outline) Line(x1, y1, x2, y2 int) {
	o.add('M', x1, y1)
	o.add('L', x2, y2)
}

// Circle adds a circle around a point.
func (o *Outline) Circle(x, y, radius int) {
	o.add('M', x-radius, y)
	o.add('a', radius, radius, 0, 1, 0, 2*radius, 0)
	o.add('a', radius, radius, 0, 1, 0, -2*radius, 0)
	*o = append(*o, 'Z')
}

// Rect adds a rectangle.
func (o *Outline) Rect(x, y, width, height int) {
	o.add('M', x, y)
	o.add('h', width)
	o.add('v', height)
	o.add('h', -width)
	*o = append(*o, 'Z')
}

func (o *Outline) add(command byte, numbers ...int) {
	d := append(*o, command)
	for i, n := range numbers {
		if i > 0 {
			d = append(d, ' ')
		}
		d = strconv.AppendInt(d, int64(n), 10)
	}
	*o = d
}
