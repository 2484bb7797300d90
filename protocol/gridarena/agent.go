package gridarena

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// What agents written in Go send and read.

// Append appends the request as it goes over the wire.
func (c *Create) Append(dst []byte) []byte {
	dst = append(dst, `{"opponent":`...)
	dst = jsontext.AppendString(dst, c.Opponent)
	if c.Name != "" {
		dst = append(dst, `,"name":`...)
		dst = jsontext.AppendString(dst, c.Name)
	}
	dst = append(dst, `,"agentSeat":`...)
	dst = jsontext.AppendInt(dst, c.AgentSeat)
	if c.Control != "" {
		dst = append(dst, `,"control":`...)
		dst = jsontext.AppendString(dst, string(c.Control))
	}
	dst = append(dst, `,"requestId":`...)
	dst = jsontext.AppendString(dst, c.RequestID)
	if c.Game != "" {
		dst = append(dst, `,"game":`...)
		dst = jsontext.AppendString(dst, c.Game)
	}
	if c.Ruleset != nil {
		dst = append(append(dst, `,"ruleset":`...), c.Ruleset...)
	}
	return append(dst, '}')
}

// Append appends the request as it goes over the wire.
func (m *Move) Append(dst []byte) []byte {
	dst = append(dst, `{"revision":`...)
	dst = jsontext.AppendInt(dst, m.Revision)
	dst = append(dst, `,"moveId":`...)
	dst = jsontext.AppendString(dst, m.ID)
	if row, col, ok := cell(m.Action); ok {
		dst = appendCell(append(dst, ','), row, col)
	} else {
		dst = append(append(dst, `,"action":`...), m.Action...)
	}
	return append(dst, '}')
}

// ErrObservation is wrapped by every error of [DecodeObservation].
var ErrObservation = errors.New("gridarena: not an observation")

// MaxObservation is the most bytes that [DecodeObservation] reads.
const MaxObservation = 1 << 20

// DecodeObservation reads an answer that is an observation. LegalMoves are in
// canonical form. Unknown members are ignored, and members that an agent can do
// without may be absent. The result shares no memory with text.
func DecodeObservation(text []byte) (*Observation, error) {
	if len(text) > MaxObservation {
		return nil, fmt.Errorf("%w: over %d bytes", ErrObservation, MaxObservation)
	}
	v, err := jsontext.Parse(text, jsontext.Replace)
	if err == nil && v.Kind != jsontext.Object {
		err = fmt.Errorf("%v", v.Kind)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrObservation, err)
	}
	r := readerOf(v, "")
	o := &Observation{
		MatchID: r.text("matchId", true), BenchmarkVersion: r.text("benchmarkVersion", false), RulesVersion: r.text("rulesVersion", false),
		Board: r.board(), View: r.raw("view"), Seat: game.Seat(r.int("seat", true, 0, game.MaxSeats-1)), Symbol: r.text("symbol", false),
		LegalMoves: r.legal(), ActionSchema: r.raw("actionSchema"), Scores: r.scores(),
		Revision: int32(r.int("revision", true, 0, math.MaxInt32)), Turn: game.Spectator, Remaining: r.ms("remainingMs"),
		ExpiresAt: r.time("expiresAt"), ServerTime: r.time("serverTime"), History: r.history(), Status: Status(r.text("status", true)),
		Reason: Reason(r.text("reason", false)), AIPolicy: r.raw("aiPolicy"), Notices: r.notices(),
	}
	if r.Has("turn") {
		o.Turn = game.Seat(r.int("turn", false, 0, game.MaxSeats-1))
	}
	if c, ok := r.inside("timeControl"); ok {
		o.TimeControl = TimeControl{Control: Control(c.text("control", true)), Move: c.ms("turnMs"), Match: c.ms("matchMs")}
		r.errs = append(r.errs, c.errs...)
	}
	if len(r.errs) > 0 {
		e := r.errs[0]
		return nil, fmt.Errorf("%w: %s %s", ErrObservation, e.Field, e.Detail)
	}
	return o, nil
}

func (r *reader) inside(name string) (*reader, bool) {
	v, ok := r.of(name, jsontext.Object, false)
	if !ok {
		return nil, false
	}
	return readerOf(v, r.prefix+name+"."), true
}

func (r *reader) items(name string, needed bool) []jsontext.Value {
	v, ok := r.of(name, jsontext.Array, needed)
	if !ok {
		return nil
	}
	return v.Items
}

// raw gives a member of any kind as JSON; nil for none and for null.
func (r *reader) raw(name string) json.RawMessage {
	m, err := r.Get(name)
	if err != nil {
		return nil
	}
	return json.RawMessage(m.Raw)
}

func (r *reader) ms(name string) time.Duration {
	return time.Duration(r.int(name, false, 0, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
}

func (r *reader) time(name string) referee.Time {
	s := r.text(name, false)
	if s == "" {
		return 0
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.fail(name, "%s is no time of RFC 3339", jsontext.Quote(s))
		return 0
	}
	return referee.Time(t.UnixMilli())
}

// board gives that of the grid; nil where there is none.
func (r *reader) board() *[grid.Size][grid.Size]game.Seat {
	rows := r.items("board", false)
	if rows == nil {
		return nil
	}
	b := new([grid.Size][grid.Size]game.Seat)
	good := len(rows) == grid.Size
	for i := 0; good && i < grid.Size; i++ {
		good = len(rows[i].Items) == grid.Size && rows[i].Kind == jsontext.Array
		for j := 0; good && j < grid.Size; j++ {
			x := rows[i].Items[j].Float
			good = rows[i].Items[j].Kind == jsontext.Number && (x == -1 || x == 0 || x == 1)
			b[i][j] = game.Seat(x)
		}
	}
	if !good {
		r.fail("board", "is not %d rows of as many seats", grid.Size)
		return nil
	}
	return b
}

func (r *reader) legal() []game.Action {
	var list []game.Action
	for _, v := range r.items("legalMoves", true) {
		list = append(list, game.Action(v.AppendCanonical(nil)))
	}
	return list
}

func (r *reader) scores() []int64 {
	items := r.items("scores", false)
	if items == nil && !r.Has("scores") {
		return nil
	}
	list := make([]int64, len(items))
	for i := range items {
		if x := items[i].Float; items[i].Kind == jsontext.Number && x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
			list[i] = int64(x)
		} else {
			r.fail("scores", "are not all integers")
			return nil
		}
	}
	return list
}

func (r *reader) notices() []string {
	var list []string
	for _, v := range r.items("notices", false) {
		list = append(list, v.Text)
	}
	return list
}

func (r *reader) history() []Played {
	items := r.items("history", false)
	list := make([]Played, 0, len(items))
	for i := range items {
		in := readerOf(&items[i], fmt.Sprintf("history[%d].", i))
		p := Played{Seat: game.Seat(in.int("seat", true, 0, game.MaxSeats-1)), At: in.time("timestamp")}
		if v := items[i].Find("action"); v != nil {
			p.Action = game.Action(v.AppendCanonical(nil))
		} else {
			p.Action = cellAction(in.int("row", true, 0, grid.Size-1), in.int("col", true, 0, grid.Size-1))
		}
		if s, ok := in.inside("scoring"); ok {
			p.Scoring = &grid.Points{Offence: int(s.int("offence", true, 0, maxPoints)), Area: int(s.int("area", true, 0, maxPoints)), Defence: int(s.int("defence", true, 0, maxPoints))}
			in.errs = append(in.errs, s.errs...)
		}
		r.errs = append(r.errs, in.errs...)
		list = append(list, p)
	}
	return list
}

// maxPoints is more than any move can earn.
const maxPoints = 100
