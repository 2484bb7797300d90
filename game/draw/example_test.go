package draw_test

import (
	"fmt"

	"github.com/matchreferee/arena/game/draw"
)

// stones is the view of a game with one pile of stones.
type stones struct {
	Left int `json:"left"`
}

func (v stones) Picture(c *draw.Canvas) {
	c.Open(draw.Width, 100, "nim", fmt.Sprintf("%d stones are left", v.Left))
	for i := range v.Left {
		c.Circle(50+60*i, 50, 24, draw.Paint{Fill: draw.First, Stroke: draw.FirstEdge, Width: 3})
	}
}

func (v stones) Print(s *draw.Screen) {
	for range v.Left {
		s.Print("● ", draw.Style{Ink: draw.First})
	}
}

// A view that draws itself, for a page and for a terminal.
func Example() {
	svg := draw.View(nil, stones{2}, draw.Options{Theme: draw.Light})
	fmt.Printf("%s\n", svg[len(svg)-169:])
	fmt.Print(draw.TerminalView(stones{2}, draw.Options{}))
	// Output:
	// <circle cx="50" cy="50" r="24" fill="#d3303b" stroke="#8f1720" stroke-width="3"/><circle cx="110" cy="50" r="24" fill="#d3303b" stroke="#8f1720" stroke-width="3"/></svg>
	// ● ●
}

// A view that cannot draw itself becomes a table.
func ExampleTerminalView() {
	view := struct {
		Round int      `json:"round"`
		Bids  []int    `json:"bids"`
		Board [][]*int `json:"board"`
	}{3, []int{5, 7}, [][]*int{{new(int), nil}, {nil, nil}}}
	fmt.Print(draw.TerminalView(view, draw.Options{Title: "an auction"}))
	// Output:
	// an auction
	// round  3
	// bids   5, 7
	// board
	//   0   ·
	//   ·   ·
}
