package gametest

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/matchreferee/arena/game"
)

// talk: a topic is drawn, and the seats work on a text together, in whatever order they speak up.
type talk struct{}

type talkMove struct {
	Do   string `json:"do"` // "say", "pass"; Chance's: "topic"
	Text string `json:"text"`
}

type talkState struct {
	n      int // seats
	topic  string
	passed game.SeatSet
	lines  game.Log[talkLine]
}

type talkLine struct {
	Seat int    `json:"seat"`
	Text string `json:"text"`
}

type talkView struct {
	Topic  string     `json:"topic"`
	Lines  []talkLine `json:"lines"`
	Passed []int      `json:"passed"`
}

const (
	talkLines  = 12 // at most
	talkLength = 16 // code points of a line
)

func (talk) Info() game.Info {
	return game.Info{Name: "talk", Version: "1.0.0", MinSeats: 1, MaxSeats: 3, MaxSteps: 1 + talkLines + 3, MinReturn: 0, MaxReturn: 1, Open: true}
}

func (talk) Start(setup game.Setup) (talkState, error) { return talkState{n: setup.Seats}, nil }

func (talk) Turn(s *talkState) game.Turn {
	if s.topic == "" {
		return game.Turn{Chance: true, Phase: "topic"}
	}
	seats := game.FirstSeats(s.n) &^ s.passed
	if seats == 0 || s.lines.Len() == talkLines {
		return game.Turn{}
	}
	return game.Turn{Seats: seats, Mode: game.Free, Phase: "talk"}
}

func (talk) Legal(dst []talkMove, _ *talkState, seat game.Seat) []talkMove {
	if seat == game.Chance {
		return append(dst, talkMove{"topic", "weather"}, talkMove{"topic", "chess"})
	}
	return append(dst, talkMove{"say", ""}, talkMove{"pass", ""})
}

func (g talk) Check(_ *talkState, seat game.Seat, a talkMove) (talkMove, error) {
	switch {
	case seat == game.Chance && a.Do == "topic":
		return a, nil
	case seat.Valid() && a.Do == "say":
		clean := strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, a.Text)
		return talkMove{"say", string([]rune(clean)[:min(len([]rune(clean)), talkLength)])}, nil
	case seat.Valid() && a == talkMove{"pass", ""}:
		return a, nil
	}
	return a, errors.New("say something, or pass with an empty text")
}

func (talk) Form(*talkState, game.Seat) json.RawMessage {
	return json.RawMessage(`{"type":"object","required":["do","text"],"properties":{"do":{"const":"say"},"text":{"type":"string","maxLength":16}}}`)
}

func (talk) Default(*talkState, game.Seat) talkMove { return talkMove{"pass", ""} }

func (talk) Text(_ *talkState, a talkMove) string { return a.Do }

func (talk) Apply(s *talkState, moves []game.Move[talkMove]) {
	switch m := moves[0]; m.Action.Do {
	case "topic":
		s.topic = m.Action.Text
	case "pass":
		s.passed = s.passed.With(m.Seat)
	default:
		s.lines = s.lines.Append(talkLine{int(m.Seat), m.Action.Text})
	}
}

func (talk) View(s *talkState, _ game.Seat) any {
	v := talkView{Topic: s.topic, Lines: s.lines.Clip(talkLines), Passed: []int{}}
	for seat := range s.passed.All() {
		v.Passed = append(v.Passed, int(seat))
	}
	return v
}

func (talk) Outcome(s *talkState) game.Outcome {
	out := game.Outcome{Returns: make([]float64, s.n), Reason: "said"}
	for line := range s.lines.All() {
		if line.Text != "" {
			out.Returns[line.Seat] = 1
		}
	}
	return out
}

func TestTalk(t *testing.T) { Run(t, game.New(talk{}), Options{}) }
