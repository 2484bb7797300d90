package draw

import "github.com/matchreferee/arena/game"

// Row is the height of a player's row, in units.
const Row = 46

// Player is one row of the table of players.
type Player struct {
	Seat  game.Seat
	Name  string // "" is Canvas.Name of the seat, or else the label
	Label string // what players of the game call the seat: "X", "white"
	Ink   Ink    // of the label; None is [Text]
	Note  string // what else there is to say, behind the name: a role, captured material
	Score string // at the right
	Disc  Ink    // the colour of the seat's pieces, None for no disc; its edge is Edge
	Edge  Ink
	Turn  bool // it is this seat's move
	Won   bool
	Out   bool // plays no more
}

// Player draws a row, [Row] units high and at least 100 wide: at the left edge a bar for whose turn it is, then a disc, the label, name, note and, at the
// right, the score.
func (c *Canvas) Player(x, y, width int, p Player) {
	paint := Paint{Fill: Panel}
	if p.Won {
		paint.Stroke, paint.Width = Win, 4
	}
	c.Rect(x, y, width, Row, 8, paint)
	if p.Turn {
		c.Rect(x, y+6, 8, Row-12, 4, Paint{Fill: Win})
	}
	middle, left, right := y+Row/2, x+16, x+width-12
	if p.Disc != None {
		c.Circle(left+14, middle, 13, Paint{Fill: p.Disc, Stroke: p.Edge, Width: 3})
		left += 36
	}
	if p.Score != "" {
		right -= c.Text(right, middle, p.Score, Type{Size: 26, Bold: true, Anchor: End, Most: right - left}) + 8
	}
	name := p.Name
	if name == "" {
		name = c.Name(p.Seat)
	}
	ink := Text
	if p.Out {
		ink = Muted
	}
	if p.Label != "" {
		label := p.Ink
		if label == None {
			label = ink
		}
		left += c.Text(left, middle, p.Label, Type{Size: 26, Bold: true, Ink: label, Most: right - left}) + 8
	}
	if right-left < 30 {
		return
	}
	if name != "" {
		left += c.Text(left, middle, name, Type{Size: 24, Ink: ink, Strike: p.Out, Most: right - left}) + 8
	}
	if p.Note != "" && right-left >= 40 {
		c.Text(right, middle, p.Note, Type{Size: 20, Ink: Muted, Anchor: End, Most: right - left})
	}
}
