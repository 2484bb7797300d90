package werewolf

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Measures of the picture, in units.
const (
	cardHeight = 62
	cardWidth  = 224
	logLines   = 7 // of the public log
	logLine    = 28
	logSize    = 21
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

// Picture draws the day and its phase, what the seat is, the players with what is known of each, and the newest of the public log.
func (v View) Picture(c *draw.Canvas) {
	v.Players = v.Players[:min(len(v.Players), game.MaxSeats)]
	log := v.wrapped()
	const top = 104
	y := top + (len(v.Players)+1)/2*(cardHeight+8) + 8
	height := y
	if len(log) > 0 {
		height += len(log)*logLine + 16
	}
	c.Open(draw.Width, height, "Werewolf", v.heading()+". "+v.self()+".")
	c.Text(16, 36, v.heading(), draw.Type{Size: 28, Bold: true, Most: 390})
	drawSky(c, draw.Width-40, 38, v.Phase)
	status, ink := v.self(), draw.Muted
	if out, ok := c.Outcome(); ok {
		status, ink = ended(out), draw.Win
	}
	c.Text(16, 76, status, draw.Type{Size: 24, Ink: ink, Most: draw.Width - 32})
	for i := range v.Players {
		v.card(c, 12+i%2*(cardWidth+8), top+i/2*(cardHeight+8), &v.Players[i])
	}
	if len(log) > 0 {
		c.Line(16, y, draw.Width-16, y, draw.Paint{Stroke: draw.Rule, Width: 2})
	}
	for i, line := range log {
		c.Text(16, y+22+i*logLine, line, draw.Type{Size: logSize, Most: draw.Width - 32})
	}
}

var ends = map[string]string{
	"villagers_win": "The villagers have won", "werewolves_win": "The werewolves have won", "day_limit": "A draw: the last day is over",
}

// ended says how it ended; the rules do not know every reason.
func ended(out *game.Outcome) string {
	if text := ends[out.Reason]; text != "" {
		return text
	}
	return "The game is over, " + strings.ReplaceAll(out.Reason, "_", " ")
}

var phases = map[string]string{
	"deal": "the deal", "night_action": "night", "day_discussion": "discussion", "day_vote": "vote", "over": "the end",
}

func (v *View) heading() string { return fmt.Sprintf("Day %d · %s", v.Day, phases[v.Phase]) }

// self says who looks.
func (v *View) self() string {
	you, ok := v.YouAre.Get()
	if !ok {
		return "What everybody knows"
	}
	role, ok := v.YourRole.Get()
	if !ok {
		return fmt.Sprintf("You are seat %d", you)
	}
	return fmt.Sprintf("You are seat %d, %s", you, roleName(role))
}

func roleName(r Role) string {
	if r == Seer {
		return "the seer"
	}
	return "a " + string(r)
}

// known says what this seat knows of another one's role, and whether it is that of a werewolf; "" for nothing.
func (v *View) known(p *Player) (text string, wolf bool) {
	if you, ok := v.YouAre.Get(); ok && you == p.Seat {
		if role, ok := v.YourRole.Get(); ok {
			return "you", role == Werewolf
		}
		return "you", false
	}
	if p.Role != "" {
		return string(p.Role), p.Role == Werewolf
	}
	for _, mate := range v.Private.Packmates {
		if mate == p.Seat {
			return "of your pack", true
		}
	}
	for _, peek := range v.Private.Peeks {
		if peek.Target == p.Seat {
			if peek.IsWerewolf {
				return "a werewolf", true
			}
			return "no werewolf", false
		}
	}
	return "", false
}

// card draws one player.
func (v *View) card(c *draw.Canvas, x, y int, p *Player) {
	paint := draw.Paint{Fill: draw.Panel}
	if you, ok := v.YouAre.Get(); ok && you == p.Seat {
		paint.Stroke, paint.Width = draw.Azure, 4
	}
	c.Rect(x, y, cardWidth, cardHeight, 10, paint)
	known, wolf := v.known(p)
	edge, ink := draw.Rule, draw.Text
	if wolf {
		edge, ink = draw.Alarm, draw.Alarm
	}
	middle := y + cardHeight/2
	if p.Alive {
		c.Circle(x+30, middle, 20, draw.Paint{Fill: draw.Cell, Stroke: edge, Width: 3})
	} else {
		ink = draw.Muted
		c.Circle(x+30, middle, 20, draw.Paint{Stroke: edge, Width: 3})
		c.Line(x+12, middle+18, x+48, middle-18, draw.Paint{Stroke: edge, Width: 3})
	}
	c.Text(x+30, middle, fmt.Sprint(p.Seat), draw.Type{Size: 24, Bold: true, Anchor: draw.Middle, Ink: ink, Most: 40})
	name, detail := draw.Type{Size: 23, Most: cardWidth - 66}, draw.Type{Size: 20, Ink: draw.Muted, Most: cardWidth - 66}
	if wolf {
		detail.Ink = draw.Alarm
	}
	if !p.Alive {
		name.Ink, name.Strike = draw.Muted, true
	}
	switch {
	case known != "":
	case p.Alive:
		known = "alive"
	default:
		known = "dead"
	}
	c.Text(x+58, y+21, p.Name, name)
	c.Text(x+58, y+45, known, detail)
}

// drawSky draws a moon at night and a sun by day.
func drawSky(c *draw.Canvas, x, y int, phase string) {
	if phase == "night_action" || phase == "deal" {
		c.Circle(x, y, 20, draw.Paint{Fill: draw.Muted})
		c.Circle(x+9, y-6, 17, draw.Paint{Fill: draw.Paper})
		return
	}
	c.Circle(x, y, 14, draw.Paint{Fill: draw.Second, Stroke: draw.SecondEdge, Width: 2})
	ray := draw.Paint{Stroke: draw.SecondEdge, Width: 4}
	for _, d := range [...][4]int{{0, -20, 0, -26}, {0, 20, 0, 26}, {-20, 0, -26, 0}, {20, 0, 26, 0}, {-14, -14, -19, -19}, {14, 14, 19, 19}, {-14, 14, -19, 19}, {14, -14, 19, -19}} {
		c.Line(x+d[0], y+d[1], x+d[2], y+d[3], ray)
	}
}
