package gridarena

import (
	"encoding/json"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Replay is the answer to GET replays: a match that is over, for everybody. Nothing
// in it is a secret.
type Replay struct {
	MatchID          string
	BenchmarkVersion string
	RulesVersion     string
	Game             string
	Ruleset          json.RawMessage
	AgentSeat        game.Seat
	Players          []Player
	StartedAt        referee.Time
	EndedAt          referee.Time
	History          []Played // of all seats
	Scores           []int64
	End              End
	AIPolicy         json.RawMessage
	TimeControl      TimeControl
}

// Player is who had a seat.
type Player struct {
	Seat   game.Seat
	Symbol string
	Name   string // self-reported unless House
	House  bool
}

// Result is one of the recent results.
type Result struct {
	MatchID   string
	Game      string
	Name      string // of the agent, self-reported
	Opponent  string
	AgentSeat game.Seat
	Control   Control
	StartedAt referee.Time
	EndedAt   referee.Time
	Revision  int32 // moves that were made
	Scores    []int64
	End       End
}

// Recent is the answer to GET of the prefix itself: the latest results, newest first.
type Recent struct {
	BenchmarkVersion string
	Results          []Result
}

// Append appends the replay as it goes over the wire.
func (r *Replay) Append(dst []byte) []byte { panic("soon") }

// Append appends the results as they go over the wire.
func (r *Recent) Append(dst []byte) []byte { panic("soon") }
