package chess

import (
	"fmt"
	"math/bits"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Measures of the picture, in units.
const (
	squareSize  = 54
	boardLeft   = 34
	boardTop    = 108
	boardSize   = 8 * squareSize
	boardBottom = boardTop + boardSize
)

// SVG is the picture of the view, and how the game ended.
func (r Rules) SVG(dst []byte, s *State, seat game.Seat) []byte {
	var o draw.Options
	if r.Turn(s).Over() {
		out := r.Outcome(s)
		o.Outcome = &out
	}
	return draw.View(dst, r.View(s, seat), o)
}

// Picture draws the board from the side of the one who looks (White's for spectators), with the last move and a check marked; above and below it the
// players and what they have captured: the pieces of the usual set that the other side has no more. Last comes who is to move, or how it ended.
func (v View) Picture(c *draw.Canvas) {
	p, err := ParseFEN(v.FEN)
	if err != nil {
		c.Open(draw.Width, draw.Width, "Chess", "")
		c.Text(draw.Width/2, draw.Width/2, "no position", draw.Type{Size: 24, Anchor: draw.Middle})
		return
	}
	out, over := c.Outcome()
	status := p.status(out)
	c.Open(draw.Width, boardBottom+174, "Chess", status+". "+v.FEN)
	below := White
	if you, ok := v.YouAre.Get(); ok {
		below = you
	}
	for i, side := range [...]Color{below.Other(), below} {
		y := 10
		if i == 1 {
			y = boardBottom + 32
		}
		c.Player(12, y, draw.Width-24, draw.Player{
			Seat: game.Seat(side), Label: side.String(), Disc: discs[side].Fill, Edge: discs[side].Stroke, Turn: !over && p.side == side, Won: c.Won(game.Seat(side)),
		})
		p.drawCaptured(c, 12, y+draw.Row+4, side)
	}
	c.Rect(boardLeft, boardTop, boardSize, boardSize, 0, draw.Paint{Fill: draw.Board})
	b := half{below}
	last := v.last()
	c.Path(darkSquares, draw.Paint{Fill: draw.BoardAlt})
	for s := range Square(64) {
		x, y := b.corner(s)
		if last != NoMove && (s == last.From() || s == last.To()) {
			c.Rect(x, y, squareSize, squareSize, 0, draw.Paint{Fill: draw.Mark, Faint: s == last.From()})
		}
	}
	if p.InCheck() {
		x, y := b.corner(p.King(p.side))
		c.Rect(x+3, y+3, squareSize-6, squareSize-6, 6, draw.Paint{Stroke: draw.Alarm, Width: 6})
	}
	for s := range Square(64) {
		if piece := p.PieceAt(s); piece.Kind() != NoKind {
			x, y := b.corner(s)
			drawPiece(c, x, y, squareSize, piece)
		}
	}
	for i := range 8 {
		name := draw.Type{Size: 20, Ink: draw.Muted, Anchor: draw.Middle, Most: boardLeft}
		x, y := b.corner(MakeSquare(i, i))
		c.Text(x+squareSize/2, boardBottom+14, string(rune('a'+i)), name)
		c.Text(boardLeft/2, y+squareSize/2, string(rune('1'+i)), name)
	}
	c.Text(draw.Width/2, boardBottom+148, status, draw.Type{Size: 25, Bold: true, Anchor: draw.Middle})
}

// discs are the colours of the sides.
var discs = [2]draw.Paint{{Fill: draw.White, Stroke: draw.WhiteEdge}, {Fill: draw.Black, Stroke: draw.BlackEdge}}

// darkSquares is the outline of all dark squares, which are the same from both sides.
var darkSquares = func() string {
	var o draw.Outline
	for s := range Square(64) {
		if s.Dark() {
			x, y := half{}.corner(s)
			o.Rect(x, y, squareSize, squareSize)
		}
	}
	return o.String()
}()

// half is the side of the board that is below.
type half struct{ below Color }

// corner is the upper left corner of a square.
func (b half) corner(s Square) (x, y int) {
	file, rank := s.File(), 7-s.Rank()
	if b.below == Black {
		file, rank = 7-file, 7-rank
	}
	return boardLeft + file*squareSize, boardTop + rank*squareSize
}

// last is the newest move, NoMove at the start.
func (v View) last() Move {
	if n := len(v.MoveHistoryUCI); n > 0 {
		return v.MoveHistoryUCI[n-1]
	}
	return NoMove
}

// status says who is to move, or how it ended; out may be nil.
func (p *Position) status(out *game.Outcome) string {
	if out != nil {
		return draw.Result(out, White.String(), Black.String())
	}
	if p.InCheck() {
		return p.side.String() + " to move, in check"
	}
	return p.side.String() + " to move"
}

// usual counts the pieces of each kind that a side starts with.
var usual = [8]int{Pawn: 8, Knight: 2, King: 1, Bishop: 2, Rook: 2, Queen: 1}

// captured gives the pieces that a side is to have captured, the least first, and how much more its own material is worth than the other side's. A piece
// beyond the usual number was a pawn.
func (p *Position) captured(by Color) (pieces []Piece, ahead int) {
	worth := [8]int{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9}
	missing := usual
	for k := range Kind(8) {
		theirs, ours := bits.OnesCount64(p.Pieces(by.Other(), k)), bits.OnesCount64(p.Pieces(by, k))
		ahead += worth[k] * (ours - theirs)
		if missing[k] -= theirs; missing[k] < 0 {
			missing[Pawn] += missing[k]
			missing[k] = 0
		}
	}
	for _, k := range [...]Kind{Pawn, Knight, Bishop, Rook, Queen} {
		for range missing[k] {
			pieces = append(pieces, MakePiece(by.Other(), k))
		}
	}
	return pieces, ahead
}

// drawCaptured draws what a side has captured on a strip 34 units high.
func (p *Position) drawCaptured(c *draw.Canvas, x, y int, by Color) {
	pieces, ahead := p.captured(by)
	if len(pieces) > 0 {
		c.Rect(x, y, 25*len(pieces)+12, 34, 8, draw.Paint{Fill: draw.Board})
	}
	for i, piece := range pieces {
		drawPiece(c, x+4+25*i, y+1, 31, piece)
	}
	if ahead > 0 {
		c.Text(x+25*len(pieces)+24, y+17, fmt.Sprintf("+%d", ahead), draw.Type{Size: 22, Ink: draw.Muted})
	}
}
