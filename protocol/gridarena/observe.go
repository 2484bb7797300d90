package gridarena

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
)

// Match is what stays the same of a match as long as it lasts, as the agent of one
// seat sees it.
type Match struct {
	ID        string
	Benchmark string // "": [BenchmarkVersion]
	Info      game.Info
	Seat      game.Seat
	Symbol    string // what the game calls the seat
	Control   Control
	Clock     referee.Clock   // the seat's
	Started   referee.Time    // when the match began: the time of its start event
	AIPolicy  json.RawMessage // pinned when the match began; nil: null
}

// Position is what changes of it: [PositionOf] gives that of a running match,
// whoever reads a record makes one of what it says.
type Position struct {
	View     any             // the game's own, for the seat
	Turn     int32           // as in referee.Request
	Seats    game.SeatSet    // to move, as far as the seat may know
	Open     bool            // the seat is to move
	Left     bool            // the seat has left, and others play on
	Legal    []game.Action   // listed ones, where it is
	Form     json.RawMessage // JSON Schema of what more there is; nil: nothing
	Deadline referee.Time    // of its turn; 0: none
	Result   *referee.Result // nil: the match goes on
}

// PositionOf gives the position that a look at a running match shows. It stays as
// it is when the look is over.
func PositionOf(v referee.View) Position {
	p := Position{View: v.State(), Turn: v.Turn, Seats: v.Seats, Result: v.Result}
	if r := v.Request; r != nil && v.Result == nil {
		p.Open, p.Deadline, p.Form = true, r.Deadline, r.Form()
		p.Legal = r.Legal(make([]game.Action, 0, 16))
		if len(p.Legal) == 0 && p.Form != nil {
			if a, ok := r.Default(); ok {
				p.Legal = append(p.Legal, a)
			}
		}
	}
	return p
}

// Observe makes the observation of a position. history has the moves of all seats
// in the order of the record, played defaults among them, those of chance and of
// the host not, as many as had been made at that position; while a match with
// hidden information goes on, those of other seats are left out here. What a move
// earned is filled in from the view of the grid where Scoring is nil. history is
// not changed and may be part of the result. The error is that of a view that does
// not marshal: the host's fault.
func (m *Match) Observe(p Position, now referee.Time, history []Played) (*Observation, error) {
	o := &Observation{
		MatchID: m.ID, BenchmarkVersion: orDefault(m.Benchmark), RulesVersion: RulesVersion(m.Info), Seat: m.Seat,
		LegalMoves: p.Legal, Revision: p.Turn, Turn: m.turn(&p), ExpiresAt: m.Started + milliseconds(m.Clock.Expiry), ServerTime: now,
		History: m.visible(&p, history), Status: StatusAI, AIPolicy: m.AIPolicy, TimeControl: TimeControlOf(m.Control, m.Clock),
	}
	switch {
	case p.Result != nil:
		e := EndOf(m.Seat, p.Result)
		o.Status, o.Reason, o.LegalMoves, o.Scores = e.Status, e.Reason, nil, p.Result.Scores
	case p.Left:
		o.Status, o.Reason, o.LegalMoves = StatusExpired, ReasonAbandoned, nil
	case p.Open:
		o.Status = StatusAgent
	default:
		o.LegalMoves = nil
	}
	o.Remaining = m.remaining(o, &p)
	var err error
	if v, ok := p.View.(grid.View); ok {
		o.Board, o.Symbol = &v.Board, m.Symbol
		o.Scores = []int64{int64(v.Scores[0]), int64(v.Scores[1])}
		o.History = scored(o.History, v.History)
	} else if o.View, err = marshal(p.View); err != nil {
		return nil, fmt.Errorf("gridarena: view of seat %v: %w", m.Seat, err)
	}
	if p.Form != nil && o.Status == StatusAgent {
		if o.ActionSchema, err = compact(p.Form); err != nil {
			return nil, fmt.Errorf("gridarena: form of seat %v: %w", m.Seat, err)
		}
	}
	return o, nil
}

func orDefault(benchmark string) string {
	if benchmark == "" {
		return BenchmarkVersion
	}
	return benchmark
}

// gridName is the name of the grid's rules.
const gridName = "grid"

// RulesVersion names the rules of a game: the grid's as the format's document
// does, other rules by the game's name, "-" and its version.
func RulesVersion(i game.Info) string {
	if i.Name == gridName {
		return grid.RulesVersion
	}
	return i.Name + "-" + i.Version
}

// turn gives the seat to move as far as it is told, game.Spectator for none.
func (m *Match) turn(p *Position) game.Seat {
	switch {
	case p.Result != nil, p.Left:
		return game.Spectator
	case p.Open:
		return m.Seat
	case m.Info.Hidden:
		return game.Spectator
	}
	return p.Seats.First()
}

// visible leaves out what the seat may not know of yet.
func (m *Match) visible(p *Position, history []Played) []Played {
	if !m.Info.Hidden || p.Result != nil {
		return history
	}
	own := make([]Played, 0, p.Turn+1)
	for _, move := range history {
		if move.Seat == m.Seat {
			own = append(own, move)
		}
	}
	return own
}

// scored fills in what the moves have earned.
func scored(history []Played, marks []grid.Mark) []Played {
	for i := range history {
		if history[i].Scoring != nil {
			continue
		}
		out := make([]Played, len(history))
		copy(out, history)
		for ; i < len(out) && i < len(marks); i++ {
			if out[i].Scoring == nil {
				out[i].Scoring = &marks[i].Points
			}
		}
		return out
	}
	return history
}

// remaining is the time of the turn: in production what is left of the agent's, the
// whole of it while the opponent is to move; untimed that of the match.
func (m *Match) remaining(o *Observation, p *Position) time.Duration {
	switch {
	case o.Status.Over():
		return 0
	case m.Clock.Move == 0:
		return span(o.ExpiresAt - o.ServerTime)
	case p.Open && p.Deadline != 0:
		return min(span(p.Deadline-o.ServerTime), m.Clock.Move)
	}
	return m.Clock.Move
}

func milliseconds(d time.Duration) referee.Time { return referee.Time(d / time.Millisecond) }

// span gives milliseconds as a duration, 0 for fewer than none.
func span(ms referee.Time) time.Duration {
	const most = referee.Time(1<<63-1) / referee.Time(time.Millisecond)
	return time.Duration(min(max(ms, 0), most)) * time.Millisecond
}
