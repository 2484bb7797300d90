package draw

import (
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
)

// Picturer is implemented by a view, the value that [game.State.View] gives, which can draw itself. It has nothing else to draw than what its seat
// may know, so a picture cannot leak.
type Picturer interface {
	// Picture draws the view, starting with c.Open. It must not keep c.
	Picture(c *Canvas)
}

// Printer is implemented by a view that can print itself for a terminal.
type Printer interface {
	// Print writes the view line by line. It must not keep s.
	Print(s *Screen)
}

// Options say how a position is shown. The zero value is good: a picture for light and dark pages, a terminal of 80 columns without colours.
type Options struct {
	Theme   Theme         // of a picture; what is none of the three counts as Auto
	Names   []string      // what those at the seats are called, seat 0 first, any text at all; missing or empty ones are not shown
	Outcome *game.Outcome // how it ended, nil before; SVG and Terminal find what the rules say by themselves, but know of no forfeit
	Title   string        // what is shown, for a view drawn as a table: "poker, table 3"
	Color   bool          // of a terminal: colours and bold by ECMA-48 sequences, of the 256 colours of xterm
	Width   int           // of a terminal, in columns: 20 to 400, counted as the nearer end outside of that; 0 is 80
}

// SVG appends a picture of what seat, or Spectator, sees: drawn by the view, if it is a [Picturer]; else by the game's rules, if they are a [game.Drawer]
// (which knows nothing of o); else the view as a table. Chance and Host see nothing, and for them dst comes back as it was.
//
// The picture is one SVG 1.1 element without scripts, links, ids or outside resources, at most about 260 KiB large; equal arguments give equal
// bytes. All text in it is cleaned and escaped. A game's own Drawer answers for itself.
func SVG(dst []byte, s *game.State, seat game.Seat, o Options) []byte {
	view := s.View(seat)
	if view == nil {
		return dst
	}
	if out := s.Outcome(); s.Turn().Over() {
		o.Outcome = &out
	}
	if _, ok := view.(Picturer); !ok {
		if svg, ok := s.SVG(dst, seat); ok {
			return svg
		}
		return appendTable(dst, tableOf(s, seat, view, o), o)
	}
	return View(dst, view, o)
}

// View appends a picture of a view, wherever it came from: drawn by itself, if it is a [Picturer], else as a table made of its JSON. It is what a game's
// SVG method is made of:
//
//	func (r Rules) SVG(dst []byte, s *State, seat game.Seat) []byte {
//		return draw.View(dst, r.View(s, seat), draw.Options{})
//	}
//
// The rest is as for [SVG].
func View(dst []byte, view any, o Options) []byte {
	p, ok := view.(Picturer)
	if !ok {
		return appendTable(dst, tableOf(nil, game.Spectator, view, o), o)
	}
	c := newCanvas(dst, o)
	p.Picture(c)
	return c.close()
}

// Result says in words how a game ended: "white wins, checkmate"; "draw, stalemate". The winner is the first seat of those with a label whose return
// is above 0.
func Result(out *game.Outcome, labels ...string) string {
	reason := strings.ReplaceAll(out.Reason, "_", " ")
	for i, label := range labels {
		if won(out, game.Seat(i)) {
			return label + " wins, " + reason
		}
	}
	return "draw, " + reason
}

// won tells whether a game has ended well for a seat; out may be nil.
func won(out *game.Outcome, seat game.Seat) bool {
	return out != nil && seat.Valid() && int(seat) < len(out.Returns) && out.Returns[seat] > 0
}

// usualPicture is how many bytes most pictures have at most.
const usualPicture = 12 << 10

func newCanvas(dst []byte, o Options) *Canvas {
	return &Canvas{dst: slices.Grow(dst, usualPicture), start: len(dst), theme: o.Theme.known(), names: o.Names, outcome: o.Outcome}
}

func (t Theme) known() Theme {
	if t > Dark {
		return Auto
	}
	return t
}

// Terminal draws what seat, or Spectator, sees for a terminal: printed by the view, if it is a [Printer]; else the board that the game draws as
// text; else the view as a table. Every line ends in a line break and takes at most o.Width columns; there are at most 400 lines. With o.Color each
// line ends in the terminal's usual colours, and sequences other than those of colours and bold do not occur, whatever names and texts hold.
// Chance and Host see nothing: "".
func Terminal(s *game.State, seat game.Seat, o Options) string {
	view := s.View(seat)
	if view == nil {
		return ""
	}
	if out := s.Outcome(); s.Turn().Over() {
		o.Outcome = &out
	}
	screen := newScreen(o)
	if p, ok := view.(Printer); ok {
		p.Print(screen)
	} else if text, ok := s.Board(seat); ok {
		screen.block(text)
	} else {
		screen.table(tableOf(s, seat, view, o), o)
	}
	return screen.String()
}

// TerminalView is what [Terminal] is to a view alone: printed by itself, if it is a [Printer]; else as a table made of its JSON.
func TerminalView(view any, o Options) string {
	screen := newScreen(o)
	if p, ok := view.(Printer); ok {
		p.Print(screen)
	} else {
		screen.table(tableOf(nil, game.Spectator, view, o), o)
	}
	return screen.String()
}
