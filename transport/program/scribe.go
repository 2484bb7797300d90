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
	mu     sync.Mutex
	m      gridarena.Match
	seen   []gridarena.Played
	moves  int         // of the seat, when it was asked last
	asked  int32       // the request that handed is for
	handed game.Action // what it answers, until that is in seen or refused; "": nothing
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
	moves := 0
	s.Look(func(v referee.View) {
		if v.Request != nil && v.Request.Ask == ask {
			p, open, moves = gridarena.PositionOf(v), true, int(v.Request.Nth)-1
		}
	})
	if !open {
		return nil, false, nil
	}
	line, err = c.write(s, p, moves)
	return line, true, err
}

// last gives the observation of a match that is over; nil where there is none.
func (c *scribe) last(s *referee.Seat) []byte {
	var p gridarena.Position
	s.Look(func(v referee.View) { p = gridarena.PositionOf(v) })
	if p.Result == nil {
		return nil
	}
	line, err := c.write(s, p, p.Result.Seats[s.Num()].Moves)
	if err != nil {
		return nil
	}
	return line
}

// write writes a position in which the seat has made so many moves.
func (c *scribe) write(s *referee.Seat, p gridarena.Position, moves int) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.Now()
	if moves > c.moves {
		c.add(s, now) // whoever handed it in has not heard yet that it is played
	}
	c.moves = moves
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

// hands notes what the seat answers, before it is judged: what follows may be asked,
// and the match over, before whoever hands it in hears of that. The moves of the grid
// are in its view.
func (c *scribe) hands(ask int32, a game.Action) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m.Info.Name != grid.New().Info().Name {
		c.asked, c.handed = ask, a
	}
}

// judged takes the answer down as a move, or forgets it.
func (c *scribe) judged(s *referee.Seat, ask int32, played bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked != ask {
		return // the next one is being answered already
	}
	if played {
		c.add(s, s.Now())
	}
	c.handed = ""
}

// add takes the answer down as a move, once.
func (c *scribe) add(s *referee.Seat, now referee.Time) {
	if c.handed != "" {
		c.seen = append(c.seen, gridarena.Played{Seat: s.Num(), Action: c.handed, At: now})
		c.handed = ""
	}
}

// cell gives the canonical form of a cell.
func cell(row, col int) game.Action {
	dst := append(make([]byte, 0, 20), `{"col":`...)
	dst = append(strconv.AppendInt(dst, int64(col), 10), `,"row":`...)
	return game.Action(append(strconv.AppendInt(dst, int64(row), 10), '}'))
}
