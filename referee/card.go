package referee

import (
	"github.com/matchreferee/arena/game"
)

// Card is what each seat may know of its match from the start: what is played,
// and by whom. [Seat.Card] and [Request.Card] give one; the zero Card has no
// methods to call. Safe for concurrent use.
type Card struct {
	Seat  game.Seat // whose it is
	match *Match
}

// Match gives the match's id.
func (c Card) Match() string { return c.match.s.ID }

// Info describes the game.
func (c Card) Info() game.Info { return c.match.info }

// Ruleset gives the game's ruleset, which is public; it is read only.
func (c Card) Ruleset() []byte { return c.match.ruleset }

// Seats is how many seats the match has.
func (c Card) Seats() int { return len(c.match.s.Seats) }

// Agents gives who sits on a seat, the own one included; the zero Agent where
// there is no such seat. The caller must not change the labels in it.
func (c Card) Agents(s game.Seat) Agent {
	if s < 0 || int(s) >= len(c.match.s.Seats) {
		return Agent{}
	}
	return c.match.s.Seats[s].Agent
}

// Label gives what players call a seat: the game's word for it ("X", "white"),
// else the name under which the rules know it, unless that is empty or another
// seat has the same one; else "seat 2".
func (c Card) Label(s game.Seat) string {
	defer rules()
	label := c.match.s.Table.Label(s)
	if label != "" || !s.Valid() {
		return label
	}
	names := c.match.s.Start.Names
	if int(s) >= len(names) || names[s] == "" {
		return "seat " + s.String()
	}
	for i, n := range names {
		if i != int(s) && n == names[s] {
			return "seat " + s.String()
		}
	}
	return names[s]
}
