package gridarena

import (
	"encoding/json"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/internal/jsontext"
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
	LegalMoves       []game.Action   // each accepted as it is; none unless Status is [StatusAgent]
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

// Append appends the observation as it goes over the wire: members in the order
// of the format's document, aiPolicy and timeControl last.
func (o *Observation) Append(dst []byte) []byte {
	var c calendar
	dst = append(dst, `{"matchId":`...)
	dst = jsontext.AppendString(dst, o.MatchID)
	dst = append(dst, `,"benchmarkVersion":`...)
	dst = jsontext.AppendString(dst, o.BenchmarkVersion)
	dst = append(dst, `,"rulesVersion":`...)
	dst = jsontext.AppendString(dst, o.RulesVersion)
	if o.Board != nil {
		dst = append(dst, `,"size":`...)
		dst = jsontext.AppendInt(dst, grid.Size)
		dst = append(dst, `,"board":`...)
		dst = appendBoard(dst, o.Board)
	} else {
		dst = append(dst, `,"view":`...)
		dst = jsontext.AppendRaw(dst, o.View)
	}
	dst = append(dst, `,"seat":`...)
	dst = jsontext.AppendInt(dst, o.Seat)
	if o.Board != nil {
		dst = append(dst, `,"symbol":`...)
		dst = jsontext.AppendString(dst, o.Symbol)
	}
	dst = append(dst, `,"legalMoves":`...)
	dst = jsontext.AppendList(dst, o.LegalMoves, func(dst []byte, a game.Action) []byte { return appendMove(dst, a, o.Board != nil) })
	if o.ActionSchema != nil {
		dst = append(dst, `,"actionSchema":`...)
		dst = append(dst, o.ActionSchema...)
	}
	dst = append(dst, `,"scores":`...)
	dst = appendScores(dst, o.Scores)
	dst = append(dst, `,"revision":`...)
	dst = jsontext.AppendInt(dst, o.Revision)
	dst = append(dst, `,"turn":`...)
	dst = appendSeat(dst, o.Turn)
	dst = append(dst, `,"remainingMs":`...)
	dst = appendMS(dst, o.Remaining)
	dst = append(dst, `,"expiresAt":`...)
	dst = c.append(dst, o.ExpiresAt)
	dst = append(dst, `,"serverTime":`...)
	dst = c.append(dst, o.ServerTime)
	dst = append(dst, `,"history":`...)
	dst = appendHistory(dst, o.History, o.Board != nil, &c)
	dst = append(dst, `,"status":"`...)
	dst = append(append(dst, o.Status...), '"')
	if o.Reason != "" {
		dst = append(dst, `,"reason":"`...)
		dst = append(append(dst, o.Reason...), '"')
	}
	dst = append(dst, `,"aiPolicy":`...)
	dst = jsontext.AppendRaw(dst, o.AIPolicy)
	dst = append(dst, `,"timeControl":`...)
	dst = o.TimeControl.append(dst)
	if o.Notices != nil {
		dst = append(dst, `,"notices":`...)
		dst = appendStrings(dst, o.Notices)
	}
	return append(dst, '}')
}

func appendBoard(dst []byte, board *[grid.Size][grid.Size]game.Seat) []byte {
	dst = append(dst, '[')
	for row := range board {
		if row > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendList(dst, board[row][:], jsontext.AppendInt)
	}
	return append(dst, ']')
}

// appendMove appends an action as legalMoves has it; a cell begins with its row.
func appendMove(dst []byte, a game.Action, cells bool) []byte {
	if row, col, ok := cell(a); cells && ok {
		dst = appendCell(append(dst, '{'), row, col)
		return append(dst, '}')
	}
	return append(dst, a...)
}

func appendCell(dst []byte, row, col byte) []byte {
	dst = append(dst, `"row":`...)
	dst = append(append(dst, row), `,"col":`...)
	return append(dst, col)
}

// cell reads the canonical form of a cell and gives the two digits.
func cell(a game.Action) (row, col byte, ok bool) {
	const form = `{"col":0,"row":0}`
	if len(a) != len(form) || string(a[:7]) != form[:7] || string(a[8:15]) != form[8:15] || a[16] != '}' {
		return 0, 0, false
	}
	return a[15], a[7], true
}

func appendHistory(dst []byte, history []Played, cells bool, c *calendar) []byte {
	dst = append(dst, '[')
	for i := range history {
		if i > 0 {
			dst = append(dst, ',')
		}
		p := &history[i]
		dst = append(dst, `{"seat":`...)
		dst = append(jsontext.AppendInt(dst, p.Seat), ',')
		if row, col, ok := cell(p.Action); cells && ok {
			dst = appendCell(dst, row, col)
		} else {
			dst = append(append(dst, `"action":`...), p.Action...)
		}
		dst = append(dst, `,"timestamp":`...)
		dst = c.append(dst, p.At)
		dst = append(dst, `,"scoring":`...)
		if s := p.Scoring; s == nil {
			dst = append(dst, "null}"...)
		} else {
			dst = append(dst, `{"offence":`...)
			dst = jsontext.AppendInt(dst, int64(s.Offence))
			dst = append(dst, `,"area":`...)
			dst = jsontext.AppendInt(dst, int64(s.Area))
			dst = append(dst, `,"defence":`...)
			dst = jsontext.AppendInt(dst, int64(s.Defence))
			dst = append(dst, `,"total":`...)
			dst = append(jsontext.AppendInt(dst, int64(s.Total())), '}', '}')
		}
	}
	return append(dst, ']')
}

func (t *TimeControl) append(dst []byte) []byte {
	dst = append(dst, `{"control":"`...)
	dst = append(append(dst, t.Control...), `","turnMs":`...)
	if t.Move > 0 {
		dst = appendMS(dst, t.Move)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"matchMs":`...)
	return append(appendMS(dst, t.Match), '}')
}
