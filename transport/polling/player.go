package polling

import (
	"github.com/matchreferee/arena/referee"
)

// player stands for an agent in any number of matches.
type player struct {
	t     *Transport
	agent referee.Agent
}

// Tell keeps the seats of matches at play, and notes their ends.
func (p *player) Tell(s *referee.Seat, n referee.Notice) {}
