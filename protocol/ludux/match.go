package ludux

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// MatchStart tells an agent that it has a seat in a match.
type MatchStart struct {
	MatchID     string
	Game        string
	GameVersion string
	Ruleset     json.RawMessage // an object, move_time_ms among its members
	Agent       Identity
	Seat        game.Seat
	Opponents   []Opponent // by seat
}

// StartOf gives the message for the seat of a card, moveTime being that of the
// seat's clock.
func StartOf(c referee.Card, moveTime time.Duration) *MatchStart {
	info := c.Info()
	return &MatchStart{
		MatchID: c.Match(), Game: info.Name, GameVersion: info.Version, Ruleset: withMoveTime(c.Ruleset(), moveTime),
		Agent: identityOf(c.Agents(c.Seat)), Seat: c.Seat, Opponents: opponentsOf(c),
	}
}

// Kind is [KindMatchStart].
func (*MatchStart) Kind() Kind { return KindMatchStart }

// Append appends the message; see [Message].
func (m *MatchStart) Append(dst []byte) []byte {
	dst = head(dst, KindMatchStart)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = appendGame(dst, m.Game, m.GameVersion, m.Ruleset)
	dst = m.Agent.append(dst)
	dst = append(dst, `,"seat":`...)
	dst = jsontext.AppendInt(dst, m.Seat)
	return append(appendOpponents(dst, m.Opponents), '}')
}

func (m *MatchStart) read(r *reader) {
	m.MatchID = r.text("match_id", true)
	m.Game, m.GameVersion, m.Ruleset = r.text("game", false), r.text("game_version", false), r.object("ruleset")
	m.Agent, m.Seat, m.Opponents = r.identity(), r.seat(true), r.opponents()
}

// Outcome is how a match ended for one seat.
type Outcome string

// Outcomes.
const (
	Win  Outcome = "win"  // in first place, and not everybody is
	Draw Outcome = "draw" // everybody shares the first place
	Loss Outcome = "loss" // behind somebody
	None Outcome = "none" // the match does not count: it expired or was void
)

var outcomes = [...]Outcome{Win, Draw, Loss, None}

// MatchEnd tells an agent how a match of its ended.
type MatchEnd struct {
	MatchID string
	Seat    game.Seat
	Cause   referee.Cause
	Reason  string // a code
	Outcome Outcome
	Rated   bool      // the result says something about strength; whether it is rated is the host's to say
	Returns []float64 // by seat; empty with None
	Scores  []int64   // by seat; empty where there are none
	Places  []int     // by seat, 1 for the best; empty with None
}

// EndOf gives the message for a seat. It shares no memory with the result.
func EndOf(match string, seat game.Seat, r *referee.Result) *MatchEnd {
	m := &MatchEnd{
		MatchID: match, Seat: seat, Cause: r.Cause, Reason: r.Reason, Outcome: None, Rated: r.Rated(),
		Returns: slices.Clone(r.Returns), Scores: slices.Clone(r.Scores), Places: slices.Clone(r.Places),
	}
	if seat < 0 || int(seat) >= len(r.Places) {
		return m
	}
	switch {
	case r.Places[seat] > 1:
		m.Outcome = Loss
	case slices.Max(r.Places) == 1:
		m.Outcome = Draw
	default:
		m.Outcome = Win
	}
	return m
}

// Kind is [KindMatchEnd].
func (*MatchEnd) Kind() Kind { return KindMatchEnd }

// Append appends the message; see [Message].
func (m *MatchEnd) Append(dst []byte) []byte {
	dst = head(dst, KindMatchEnd)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = append(dst, `,"seat":`...)
	dst = jsontext.AppendInt(dst, m.Seat)
	dst = append(dst, `,"cause":`...)
	dst = jsontext.AppendString(dst, m.Cause.String())
	dst = append(dst, `,"reason":`...)
	dst = jsontext.AppendString(dst, m.Reason)
	dst = append(dst, `,"outcome":`...)
	dst = jsontext.AppendString(dst, string(m.Outcome))
	dst = append(dst, `,"rated":`...)
	dst = strconv.AppendBool(dst, m.Rated)
	return append(appendStanding(dst, m.Returns, m.Scores, m.Places), '}')
}

// appendStanding appends what a result is in numbers.
func appendStanding(dst []byte, returns []float64, scores []int64, places []int) []byte {
	dst = append(dst, `,"returns":`...)
	dst = jsontext.AppendList(dst, returns, jsontext.AppendNumber)
	dst = append(dst, `,"scores":`...)
	dst = jsontext.AppendList(dst, scores, jsontext.AppendInt)
	dst = append(dst, `,"places":`...)
	return jsontext.AppendList(dst, places, jsontext.AppendInt)
}

// standing reads them.
func (r *reader) standing() (returns []float64, scores []int64, places []int) {
	returns = numbers(r, "returns", func(x float64) (float64, bool) { return x, true })
	scores = numbers(r, "scores", func(x float64) (int64, bool) { return int64(x), x == math.Trunc(x) && math.Abs(x) <= 1<<53 })
	places = numbers(r, "places", func(x float64) (int, bool) { return int(x), x == math.Trunc(x) && x >= 1 && x <= 64 })
	return returns, scores, places
}

func (r *reader) cause() (c referee.Cause) {
	if cause := r.text("cause", true); cause != "" {
		if err := c.UnmarshalText([]byte(cause)); err != nil {
			r.fail(fmt.Errorf("cause is %s, which is unknown", jsontext.Quote(cause)))
		}
	}
	return c
}

func (m *MatchEnd) read(r *reader) {
	m.MatchID, m.Seat = r.text("match_id", true), r.seat(true)
	m.Cause = r.cause()
	m.Reason = r.text("reason", false)
	m.Outcome = Outcome(r.text("outcome", true))
	if m.Outcome != "" && !slices.Contains(outcomes[:], m.Outcome) {
		r.fail(fmt.Errorf("outcome is %s, which is unknown", jsontext.Quote(string(m.Outcome))))
	}
	m.Rated = r.bool("rated")
	m.Returns, m.Scores, m.Places = r.standing()
}

// TimeoutWarning tells an agent that the deadline of a request comes near.
type TimeoutWarning struct {
	MatchID    string
	Seat       game.Seat
	Seq        int64
	Left       time.Duration // in whole milliseconds
	DeadlineAt time.Time     // UTC, rounded down to seconds
}

// WarningOf gives the message about a request, at the referee's time.
func WarningOf(r *referee.Request, now referee.Time) *TimeoutWarning {
	return &TimeoutWarning{
		MatchID: r.Match(), Seat: r.Seat, Seq: int64(r.Ask), Left: durationOf(r.Deadline - now), DeadlineAt: timeOf(r.Deadline),
	}
}

// Kind is [KindTimeoutWarning].
func (*TimeoutWarning) Kind() Kind { return KindTimeoutWarning }

// Append appends the message; see [Message].
func (m *TimeoutWarning) Append(dst []byte) []byte {
	dst = head(dst, KindTimeoutWarning)
	dst = append(dst, `,"match_id":`...)
	dst = jsontext.AppendString(dst, m.MatchID)
	dst = append(dst, `,"seat":`...)
	dst = jsontext.AppendInt(dst, m.Seat)
	dst = append(dst, `,"seq":`...)
	dst = jsontext.AppendInt(dst, m.Seq)
	dst = append(dst, `,"deadline_ms":`...)
	dst = appendMS(dst, m.Left)
	dst = append(dst, `,"deadline_at":`...)
	return append(appendTime(dst, m.DeadlineAt), '}')
}

func (m *TimeoutWarning) read(r *reader) {
	m.MatchID, m.Seat, m.Seq = r.text("match_id", true), r.seat(true), r.int("seq", true, math.MaxInt32)
	m.Left, m.DeadlineAt = r.ms("deadline_ms", true), r.time("deadline_at")
}
