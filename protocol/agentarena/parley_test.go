package agentarena

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
)

// parley: seats take turns to say something, to pass, or to vote for a seat; six moves in all. It has moves that cannot be listed, and
// neither board nor labels.
type parley struct{}

type parleyMove struct {
	Type   string           `json:"type"` // "say", "pass", "vote"
	Text   game.Opt[string] `json:"text,omitzero"`
	Target game.Opt[int]    `json:"target,omitzero"`
}

type parleyState struct {
	names game.Log[string]
	said  game.Log[string]
	votes [5]int
	moves int
}

type parleyView struct {
	Players []string `json:"players"`
	Said    []string `json:"said"`
}

func (parley) Info() game.Info {
	return game.Info{Name: "parley", Version: "1.0.0", MinSeats: 1, MaxSeats: 5, MaxSteps: 6, MaxReturn: 6, Open: true}
}

func (parley) Start(s game.Setup) (out parleyState, _ error) {
	for _, n := range s.Names {
		out.names = out.names.Append(n)
	}
	return out, nil
}

func (parley) Turn(s *parleyState) game.Turn {
	if s.moves == 6 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.moves % s.names.Len())), Phase: "talk"}
}

func (parley) Legal(dst []parleyMove, s *parleyState, _ game.Seat) []parleyMove {
	dst = append(dst, parleyMove{Type: "say", Text: game.Some("")}, parleyMove{Type: "pass"})
	for i := range s.names.Len() {
		dst = append(dst, parleyMove{Type: "vote", Target: game.Some(i)})
	}
	return dst
}

func (parley) Check(s *parleyState, _ game.Seat, a parleyMove) (parleyMove, error) {
	text, said := a.Text.Get()
	target, voted := a.Target.Get()
	switch {
	case a.Type == "say" && said && a.Target.IsZero():
		if strings.Contains(text, "damn") {
			return a, errors.New("mind your words")
		}
		return a, nil
	case a.Type == "pass" && a.Text.IsZero() && a.Target.IsZero(), a.Type == "vote" && voted && a.Text.IsZero() && target >= 0 && target < s.names.Len():
		return a, nil
	}
	return a, errors.New("say something, pass, or vote for a seat")
}

func (parley) Form(*parleyState, game.Seat) json.RawMessage {
	return json.RawMessage(`{"oneOf":[
		{"type":"object","properties":{"type":{"const":"say"},"text":{"type":"string"}},"required":["type","text"]},
		{"type":"object","properties":{"type":{"const":"pass"}},"required":["type"]}]}`)
}

func (parley) Default(*parleyState, game.Seat) parleyMove { return parleyMove{Type: "pass"} }

func (parley) Text(_ *parleyState, a parleyMove) string {
	if n, ok := a.Target.Get(); ok {
		return a.Type + " " + game.Seat(n).String()
	}
	return a.Type
}

func (parley) Apply(s *parleyState, moves []game.Move[parleyMove]) {
	if text, ok := moves[0].Action.Text.Get(); ok {
		s.said = s.said.Append(text)
	}
	if n, ok := moves[0].Action.Target.Get(); ok {
		s.votes[n]++
	}
	s.moves++
}

func (parley) View(s *parleyState, _ game.Seat) any {
	return parleyView{s.names.Clip(s.names.Len()), s.said.Clip(s.said.Len())}
}

func (parley) Outcome(s *parleyState) game.Outcome {
	out := game.Outcome{Returns: make([]float64, s.names.Len()), Reason: "said"}
	for i := range out.Returns {
		out.Returns[i] = float64(s.votes[i])
	}
	return out
}

// TestParley holds the test game itself to what games promise.
func TestParley(t *testing.T) {
	gametest.Run(t, game.New(parley{}), gametest.Options{NoTranscripts: true, Games: 5})
}
