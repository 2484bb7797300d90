package chess

import "github.com/matchreferee/arena/game/draw"

// figure is the shape of a kind of piece, on a field of 100 by 100 units.
type figure struct {
	balls   [][3]int // x, y, radius
	top     string   // lines that stick out
	outline string
	lines   string // upon the outline
}

// base is what all figures stand on.
const base = "M26 77H74L78 90H22Z"

// figures hold the shape of each kind.
var figures = [8]figure{
	Pawn: {outline: "M40 44H60L57 52C58 63 66 68 69 77H31C34 68 42 63 43 52Z", balls: [][3]int{{50, 32, 15}}},
	Knight: {
		outline: "M33 77C33 64 49 60 49 49C43 53 37 52 32 57C27 61 20 56 23 49C26 41 28 33 36 26L36 14L46 22C66 24 77 44 71 77Z",
		lines:   "M39 36L42 35M26 51L29 50M55 30C63 37 66 50 64 66",
	},
	Bishop: {
		outline: "M50 20C66 30 71 42 67 53C65 58 61 60 59 62L64 77H36L41 62C39 60 35 58 33 53C29 42 34 30 50 20Z",
		lines:   "M56 31L48 44M41 62H59", balls: [][3]int{{50, 15, 6}},
	},
	Rook: {outline: "M26 18H38V27H45V18H55V27H62V18H74V37L65 44V67L70 77H30L35 67V44L26 37Z", lines: "M35 44H65M35 67H65"},
	Queen: {
		outline: "M19 34L33 54L34 25L50 50L66 25L67 54L81 34L71 77H29Z",
		lines:   "M31 66H69", balls: [][3]int{{19, 30, 6}, {34, 20, 6}, {66, 20, 6}, {81, 30, 6}},
	},
	King: {
		outline: "M50 38C58 26 81 27 81 46C81 58 71 63 69 77H31C29 63 19 58 19 46C19 27 42 26 50 38Z",
		top:     "M50 8V38M41 16H59", lines: "M32 66H68M50 42V66",
	},
}

// drawPiece draws a piece whose field has its upper left corner at x and y.
func drawPiece(c *draw.Canvas, x, y, size int, piece Piece) {
	body := draw.Paint{Fill: draw.White, Stroke: draw.WhiteEdge, Width: 5, Round: true}
	upon := draw.Paint{Stroke: draw.WhiteEdge, Width: 5, Round: true}
	if piece.Color() == Black {
		body.Fill, body.Stroke, upon.Stroke = draw.Black, draw.Black, draw.BlackEdge
	}
	f := &figures[piece.Kind()]
	c.Group(x, y, size*10)
	if f.top != "" {
		c.Path(f.top, draw.Paint{Stroke: body.Stroke, Width: 6, Round: true})
	}
	c.Path(base, body)
	for _, b := range f.balls {
		c.Circle(b[0], b[1], b[2], body)
	}
	c.Path(f.outline, body)
	if f.lines != "" {
		c.Path(f.lines, upon)
	}
	c.End()
}
