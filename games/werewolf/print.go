package werewolf

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
)

// Print tells the same line by line.
func (v View) Print(s *draw.Screen) {
	v.Players = v.Players[:min(len(v.Players), game.MaxSeats)]
	s.Print(v.heading(), draw.Style{Bold: true})
	s.Line()
	s.Print(v.self(), draw.Style{Ink: draw.Muted})
	s.Line()
	for i := range v.Players {
		p := &v.Players[i]
		known, wolf := v.known(p)
		st := draw.Style{}
		switch {
		case wolf:
			st.Ink = draw.Alarm
		case !p.Alive:
			st.Ink = draw.Muted
		}
		state := "alive "
		if !p.Alive {
			state = "dead  "
		}
		s.Print(fmt.Sprintf("%2d ", p.Seat), draw.Style{Bold: p.Alive})
		s.Print(state, st)
		s.Print(p.Name, st)
		if known != "" {
			s.Print(" ("+known+")", st)
		}
		s.Line()
	}
	for _, line := range v.logText(12) {
		s.Print(line, draw.Style{})
		s.Line()
	}
	if out, ok := s.Outcome(); ok {
		s.Print(ended(out), draw.Style{Ink: draw.Win, Bold: true})
		s.Line()
	}
}
