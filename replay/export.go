package replay

import (
	"encoding/json"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Export is a match as one JSON document, for people and programs that want to
// read matches and not prove them. Nothing can be verified by it: that takes the record.
type Export struct {
	Match    string          `json:"match"`
	Game     string          `json:"game"`
	Version  string          `json:"version"` // of the rules
	Ruleset  json.RawMessage `json:"ruleset,omitempty"`
	Position string          `json:"position,omitempty"` // where it started, in the game's notation; "" for the usual start
	Started  time.Time       `json:"started"`            // UTC, to the millisecond
	Seats    []ExportedSeat  `json:"seats"`
	Steps    []ExportedStep  `json:"steps"`
	Final    string          `json:"final,omitempty"`  // the last position, where the game has a notation
	Result   *ExportedResult `json:"result,omitempty"` // missing while the match runs
}

// ExportedSeat is who sat there.
type ExportedSeat struct {
	Agent     referee.Agent `json:"agent"`
	Label     string        `json:"label,omitempty"` // "white", "X"
	Transport string        `json:"transport,omitempty"`
}

// ExportedStep is one step of the game.
type ExportedStep struct {
	Step   int             `json:"step"`     // from 1
	After  int64           `json:"after_ms"` // milliseconds since the start
	Moves  []ExportedMove  `json:"moves"`
	Faults []ExportedFault `json:"faults,omitempty"`
}

// ExportedMove is a move of a seat, of chance or of the host.
type ExportedMove struct {
	Seat   string          `json:"seat"` // its number, "chance" or "host"
	Action json.RawMessage `json:"action"`
	Text   string          `json:"text"` // as the game writes it in the position where it was played
	Used   int64           `json:"used_ms,omitempty"`
	Note   string          `json:"note,omitempty"`
}

// ExportedFault is what a seat did wrong on the way to a step.
type ExportedFault struct {
	Seat  string        `json:"seat"`
	Fault referee.Fault `json:"fault"`
	Do    referee.Do    `json:"do"`
}

// ExportedResult is the end.
type ExportedResult struct {
	Cause   referee.Cause   `json:"cause"`
	Reason  string          `json:"reason"`
	Returns []float64       `json:"returns"` // empty where the match does not count
	Scores  []int64         `json:"scores,omitempty"`
	Places  []int           `json:"places"`
	Faults  []ExportedFault `json:"faults,omitempty"` // after the last step
}

// Export gives the match as far as it goes. The error is [ErrSecret] while it
// runs and has secrets. The position of the playback stays.
func (p *Playback) Export() (*Export, error) {
	if p.secret() {
		return nil, ErrSecret
	}
	s := p.begun.X.Start
	x := &Export{Match: s.ID, Game: s.Game, Version: s.Version, Ruleset: s.Ruleset, Position: s.Position,
		Started: time.UnixMilli(int64(p.begun.Time)).UTC(), Seats: []ExportedSeat{}, Steps: []ExportedStep{}}
	for i, seat := range s.Seats {
		x.Seats = append(x.Seats, ExportedSeat{Agent: seat.Agent, Label: p.table.Label(game.Seat(i)), Transport: seat.Transport})
	}
	for k := 1; k <= len(p.steps); k++ {
		x.Steps = append(x.Steps, p.exportStep(k))
	}
	if p.last.Turn().Over() || p.end != nil {
		x.Final, _ = p.last.Position()
	}
	if p.end != nil {
		x.Result = &ExportedResult{Cause: p.end.Cause, Reason: p.end.Reason, Returns: append([]float64{}, p.end.Ret...), Scores: p.end.Scores,
			Places: append([]int{}, p.end.Places...), Faults: exportFaults(p.events)}
	}
	return x, nil
}

func (p *Playback) exportStep(k int) ExportedStep {
	s := p.steps[k-1]
	x := ExportedStep{Step: k, After: int64(s.Time - p.begun.Time), Moves: []ExportedMove{}, Faults: exportFaults(s.Events)}
	for i, m := range s.Moves {
		e := recorded(s.Events, m.Seat)
		move := ExportedMove{Seat: m.Seat.String(), Action: json.RawMessage(m.Action), Text: s.Text[i], Used: int64(e.Used)}
		if e.X != nil {
			move.Note = e.X.Note
		}
		x.Moves = append(x.Moves, move)
	}
	return x
}

// recorded finds the event that holds the move of a seat.
func recorded(events []referee.Event, s game.Seat) *referee.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Seat == s && e.Action != "" {
			return e
		}
	}
	return &referee.Event{}
}

func exportFaults(events []referee.Event) (all []ExportedFault) {
	for i := range events {
		if e := &events[i]; e.Kind == referee.KindFault {
			all = append(all, ExportedFault{Seat: e.Seat.String(), Fault: e.X.Fault, Do: e.X.Do})
		}
	}
	return all
}
