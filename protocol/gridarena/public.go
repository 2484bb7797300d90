package gridarena

import (
	"encoding/json"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Replay is the answer to GET replays: a match that is over, for everybody. Nothing
// in it is a secret, and [Notices] go with it.
type Replay struct {
	MatchID          string
	BenchmarkVersion string // "": [BenchmarkVersion]
	Info             game.Info
	Ruleset          json.RawMessage // nil: null
	AgentSeat        game.Seat
	Players          []Player // by seat
	StartedAt        referee.Time
	EndedAt          referee.Time
	History          []Played // of all seats
	Scores           []int64  // nil: null
	End              End
	AIPolicy         json.RawMessage // nil: null
	TimeControl      TimeControl
}

// Player is who had a seat.
type Player struct {
	Symbol string // what the game calls the seat
	Name   string // self-reported unless House
	House  bool   // the host's own
}

// Append appends the replay as it goes over the wire.
func (r *Replay) Append(dst []byte) []byte {
	var c calendar
	dst = append(dst, `{"matchId":`...)
	dst = jsontext.AppendString(dst, r.MatchID)
	dst = append(dst, `,"benchmarkVersion":`...)
	dst = jsontext.AppendString(dst, orDefault(r.BenchmarkVersion))
	dst = append(dst, `,"rulesVersion":`...)
	dst = jsontext.AppendString(dst, RulesVersion(r.Info))
	dst = append(dst, `,"game":`...)
	dst = jsontext.AppendString(dst, r.Info.Name)
	dst = append(dst, `,"ruleset":`...)
	dst = jsontext.AppendRaw(dst, r.Ruleset)
	dst = append(dst, `,"agentSeat":`...)
	dst = jsontext.AppendInt(dst, r.AgentSeat)
	dst = append(dst, `,"players":[`...)
	for i := range r.Players {
		if i > 0 {
			dst = append(dst, ',')
		}
		p := &r.Players[i]
		dst = append(dst, `{"seat":`...)
		dst = jsontext.AppendInt(dst, int64(i))
		dst = append(dst, `,"symbol":`...)
		dst = jsontext.AppendString(dst, p.Symbol)
		dst = append(dst, `,"name":`...)
		dst = jsontext.AppendString(dst, p.Name)
		dst = append(dst, `,"house":`...)
		dst = append(strconv.AppendBool(dst, p.House), '}')
	}
	dst = append(dst, `],"startedAt":`...)
	dst = c.append(dst, r.StartedAt)
	dst = append(dst, `,"endedAt":`...)
	dst = c.append(dst, r.EndedAt)
	dst = append(dst, `,"history":`...)
	dst = appendHistory(dst, r.History, r.Info.Name == gridName, &c)
	dst = append(dst, `,"scores":`...)
	dst = appendScores(dst, r.Scores)
	dst = r.End.append(dst)
	dst = append(dst, `,"aiPolicy":`...)
	dst = jsontext.AppendRaw(dst, r.AIPolicy)
	dst = append(dst, `,"timeControl":`...)
	dst = r.TimeControl.append(dst)
	dst = append(dst, `,"notices":`...)
	return append(appendStrings(dst, Notices()), '}')
}

// Recent is the answer to GET of the prefix itself: the latest results, newest
// first. [Notices] go with it.
type Recent struct {
	BenchmarkVersion string // "": [BenchmarkVersion]
	Results          []Result
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
	Revision  int32   // moves that were made
	Scores    []int64 // nil: null
	End       End
}

// Append appends the results as they go over the wire.
func (r *Recent) Append(dst []byte) []byte {
	var c calendar
	dst = append(dst, `{"benchmarkVersion":`...)
	dst = jsontext.AppendString(dst, orDefault(r.BenchmarkVersion))
	dst = append(dst, `,"results":[`...)
	for i := range r.Results {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.Results[i].append(dst, &c)
	}
	dst = append(dst, `],"notices":`...)
	return append(appendStrings(dst, Notices()), '}')
}

func (r *Result) append(dst []byte, c *calendar) []byte {
	dst = append(dst, `{"matchId":`...)
	dst = jsontext.AppendString(dst, r.MatchID)
	dst = append(dst, `,"game":`...)
	dst = jsontext.AppendString(dst, r.Game)
	dst = append(dst, `,"name":`...)
	dst = jsontext.AppendString(dst, r.Name)
	dst = append(dst, `,"opponent":`...)
	dst = jsontext.AppendString(dst, r.Opponent)
	dst = append(dst, `,"agentSeat":`...)
	dst = jsontext.AppendInt(dst, r.AgentSeat)
	dst = append(dst, `,"control":`...)
	dst = jsontext.AppendString(dst, string(r.Control))
	dst = append(dst, `,"startedAt":`...)
	dst = c.append(dst, r.StartedAt)
	dst = append(dst, `,"endedAt":`...)
	dst = c.append(dst, r.EndedAt)
	dst = append(dst, `,"revision":`...)
	dst = jsontext.AppendInt(dst, r.Revision)
	dst = append(dst, `,"scores":`...)
	dst = appendScores(dst, r.Scores)
	return append(r.End.append(dst), '}')
}

// append appends the members of an end, a comma before them.
func (e *End) append(dst []byte) []byte {
	dst = append(dst, `,"status":"`...)
	dst = append(append(dst, e.Status...), '"')
	if e.Reason != "" {
		dst = append(dst, `,"reason":"`...)
		dst = append(append(dst, e.Reason...), '"')
	}
	dst = append(dst, `,"winner":`...)
	dst = appendSeat(dst, e.Winner)
	dst = append(dst, `,"outcome":"`...)
	dst = append(append(dst, e.Outcome...), `","verifiedWin":`...)
	return strconv.AppendBool(dst, e.Verified)
}
