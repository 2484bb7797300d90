package chess

import "github.com/matchreferee/arena/game/draw"

// figure is the shape of a kind of piece, as path data on a field of 100 by 100 units: a body, and lines upon it.
type figure struct{ body, lines string }

// base is what all figures stand on.
const base = "M26 77H74L78 90H22Z"

// figures hold the shape of each kind.
var figures = [8]figure{
	Pawn: {base + "M42 47H58L57 52C58 63 66 68 69 77H31C34 68 42 63 43 52ZM35 32a15 15 0 1 1 30 0a15 15 0 1 1 -30 0Z", ""},
	Knight: {
		base + "M33 77C33 64 49 60 49 49C43 53 37 52 32 57C27 61 20 56 23 49C26 41 28 33 36 26L36 14L46 22C66 24 77 44 71 77Z",
		"M39 36L42 35M26 51L29 50M55 30C63 37 66 50 64 66",
	},
	Bishop: {
		base + "M50 21C66 31 71 42 67 53C65 58 61 60 59 62L64 77H36L41 62C39 60 35 58 33 53C29 42 34 31 50 21ZM44 15a6 6 0 1 1 12 0a6 6 0 1 1 -12 0Z",
		"M56 32L48 45M41 62H59",
	},
	Rook: {base + "M26 18H38V27H45V18H55V27H62V18H74V37L65 44V67L70 77H30L35 67V44L26 37Z", "M35 44H65M35 67H65"},
	Queen: {
		base + "M20 36L33 54L34 27L50 50L66 27L67 54L80 36L71 77H29Z" +
			"M12 30a6 6 0 1 1 12 0a6 6 0 1 1 -12 0ZM28 20a6 6 0 1 1 12 0a6 6 0 1 1 -12 0Z" +
			"M60 20a6 6 0 1 1 12 0a6 6 0 1 1 -12 0ZM76 30a6 6 0 1 1 12 0a6 6 0 1 1 -12 0Z",
		"M31 66H69",
	},
	King: {base + "M50 38C58 26 81 27 81 46C81 58 71 63 69 77H31C29 63 19 58 19 46C19 27 42 26 50 38ZM50 8V38M41 16H59", "M32 66H68M50 42V66"},
}

// drawPiece draws a piece whose field has its upper left corner at x and y.
func drawPiece(c *draw.Canvas, x, y, size int, piece Piece) {
	body, upon := draw.Paint{Fill: draw.White, Stroke: draw.WhiteEdge, Width: 5}, draw.Paint{Stroke: draw.WhiteEdge, Width: 5}
	if piece.Color() == Black {
		body.Fill, body.Stroke, upon.Stroke = draw.Black, draw.Black, draw.BlackEdge
	}
	f := &figures[piece.Kind()]
	c.Group(x, y, size*10)
	c.Path(f.body, body)
	if f.lines != "" {
		c.Path(f.lines, upon)
	}
	c.End()
}
