// Package draw makes pictures of games: SVG for pages, coloured text for terminals. It knows how to escape and clean text, how colours look on
// light and dark pages, and what can be read on a picture 240 pixels wide; a game says what is where.
//
// A game draws by a method on its view, the value that its rules show a seat:
//
//	func (v View) Picture(c *draw.Canvas) {
//		c.Open(draw.Width, 300, "nim", fmt.Sprintf("%d stones are left", v.Stones))
//		for i := range v.Stones {
//			c.Circle(40+60*(i%7), 60+60*(i/7), 24, draw.Paint{Fill: draw.First, Stroke: draw.FirstEdge, Width: 3})
//		}
//	}
//
// A view holds what its seat may know and nothing else, so neither does its picture. [SVG] and [Terminal] draw any position of any game: where a view
// cannot draw itself, the table of its members is drawn.
//
// Colours are named by what they are for ([Ink]) and have a light and a dark value each. Under [Auto] the picture carries the light colours as
// attributes and a style sheet for dark pages, whose rules touch no other element than pictures of this package; [Light] and [Dark] carry attributes alone,
// and are the choice where a page's content security policy forbids style sheets.
//
// Everything here is pure and may be used concurrently, but for a Canvas or a Screen, which belong to the method that they were handed to.
package draw
