package gridarena

import (
	"encoding/json"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
)

// Observation is all that the agent of a seat is told of its match at one moment:
// the answer to GET match, POST moves, POST abandon and, with Notices, POST matches.
type Observation struct {
	MatchID          string
	BenchmarkVersion string
	RulesVersion     string
	Board            *[grid.Size][grid.Size]game.Seat // of the grid; nil: another game, shown as View
	View             json.RawMessage
	Seat             game.Seat
	Symbol           string          // of the grid
	LegalMoves       []game.Action   // each accepted as it is; none unless Status is StatusAgent
	ActionSchema     json.RawMessage // JSON Schema of what else is accepted; nil: nothing, and not on the wire
	Scores           []int64         // by seat; nil: null
	Revision         int32
	Turn             game.Seat     // game.Spectator: null
	Remaining        time.Duration // in whole milliseconds
	ExpiresAt        referee.Time
	ServerTime       referee.Time
	History          []Played
	Status           Status
	Reason           Reason          // "": not on the wire
	AIPolicy         json.RawMessage // nil: null
	TimeControl      TimeControl
	Notices          []string // nil: not on the wire
}

// Played is an accepted move.
type Played struct {
	Seat    game.Seat
	Action  game.Action // as it is recorded
	At      referee.Time
	Scoring *grid.Points // what it earned; nil: null
}

// Match is what stays the same of a match as long as it lasts, as the agent of one seat
// sees it.
type Match struct {
	ID        string
	Benchmark string // "": [BenchmarkVersion]
	Info      game.Info
	Seat      game.Seat
	Symbol    string // what the game calls the seat
	Control   Control
	Clock     referee.Clock   // the seat's
	Started   referee.Time    // the start event's
	AIPolicy  json.RawMessage // pinned when the match began: JSON; nil: null
}

// Position is what changes of it: from a running match by [PositionOf], from a record by whoever reads it.
type Position struct {
	View     any           // the game's own, for the seat
	Turn     int32         // as in referee.Request
	Seats    game.SeatSet  // to move, as far as the seat may know
	Legal    []game.Action // listed ones, where the seat is to move
	Form     json.RawMessage
	Open     bool         // the seat is to move
	Deadline referee.Time // of the seat's turn; 0: none
	Result   *referee.Result
}

// PositionOf gives the position of a look at a running match; it stays good after it.
func PositionOf(v referee.View) Position { panic("soon") }

// Observe makes the observation of a position. history has the moves of all seats in the order of
// the record, played defaults among them and those of chance and host left out, as many as
// there were when the position was looked at; while hidden information is live, those of other seats
// are left out. What it earned is filled in from the view where Scoring is nil. The error is that of a view
// that does not marshal: the host's fault.
func (m *Match) Observe(p Position, now referee.Time, history []Played) (*Observation, error) {
	panic("soon")
}

// Append appends the observation as it goes over the wire.
func (o *Observation) Append(dst []byte) []byte { panic("soon") }
