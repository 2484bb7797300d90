package polling

import "github.com/matchreferee/arena/referee"

// Start is a match for the host to begin: all of it is to be taken over as it is.
type Start struct {
	Match   string // its id
	Game    string
	Ruleset []byte // JSON over the game's defaults; nil: the defaults
	Seats   []Seat // in seat order: the agent's, and the opponent on every other one

	Account  string // who began it
	Opponent string // the name that was asked for
}

// Seat is who sits on a seat of such a match: the opponent where Agent.House is
// set, by the carrier of [Transport.House] or one of the host's, and else the
// agent, by the [Transport].
type Seat struct {
	Agent referee.Agent
	// Policy and Clock are what the agent was promised; of an opponent, that its
	// breaking down voids the match.
	Policy referee.Policy
	Clock  referee.Clock
}
