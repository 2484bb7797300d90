package program

import (
	"strconv"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// endless is told as the end of matches that have none in time.
const endless = 24 * time.Hour

// scribe writes observations for one seat. Safe for concurrent use.
type scribe struct {
	mu   sync.Mutex
	m    gridarena.Match
	seen []gridarena.Played
}

// begin takes down what stays the same.
func (c *scribe) begin(s *referee.Seat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	card, clock := s.Card(), s.Info().Clock
	control := gridarena.Production
	if clock.Move == 0 {
		control = gridarena.Untimed
	}
	if clock.Expiry == 0 {
		clock.Expiry = endless
	}
	c.m = gridarena.Match{
		ID: card.Match(), Info: card.Info(), Seat: card.Seat, Symbol: card.Label(card.Seat), Control: control, Clock: clock, Started: s.Now(),
	}
}

// line gives the observation of an open request, with its newline; false where
// another or none is open.
func (c *scribe) line(s *referee.Seat, ask int32) (line []byte, open bool, err error) {
	var p gridarena.Position
	s.Look(func(v referee.View) {
		if v.Request != nil && v.Request.Ask == ask {
			p, open = gridarena.PositionOf(v), true
		}
	})
	if !open {
		return nil, false, nil
	}
	line, err = c.write(s, p)
	return line, true, err
}

// last gives the observation of a match that is over; nil where there is none.
func (c *scribe) last(s *referee.Seat) []byte {
	var p gridarena.Position
	s.Look(func(v referee.View) { p = gridarena.PositionOf(v) })
	if p.Result == nil {
		return nil
	}
	line, err := c.write(s, p)
	if err != nil {
		return nil
	}
	return line
}

func (c *scribe) write(s *referee.Seat, p gridarena.Position) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.Now()
	if v, ok := p.View.(grid.View); ok {
		for _, m := range v.History[min(len(c.seen), len(v.History)):] {
			c.seen = append(c.seen, gridarena.Played{Seat: m.Seat, Action: cell(m.Row, m.Col), At: now})
		}
	}
	o, err := c.m.Observe(p, now, c.seen)
	if err != nil {
		return nil, err
	}
	return append(o.Append(nil), '\n'), nil
}

// played takes down a move of the seat's own. Those of the grid are in its view.
func (c *scribe) played(s *referee.Seat, a game.Action) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m.Info.Name != grid.New().Info().Name {
		c.seen = append(c.seen, gridarena.Played{Seat: s.Num(), Action: a, At: s.Now()})
	}
}

// cell gives the canonical form of a cell.
func cell(row, col int) game.Action {
	dst := append(make([]byte, 0, 20), `{"col":`...)
	dst = append(strconv.AppendInt(dst, int64(col), 10), `,"row":`...)
	return game.Action(append(strconv.AppendInt(dst, int64(row), 10), '}'))
}
