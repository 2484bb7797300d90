package fit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestAction holds actions against the first request of a match.
func TestAction(t *testing.T) {
	for _, tt := range []struct {
		name   string
		game   game.Game
		seats  int
		action game.Action
		want   game.Action // "": an error
	}{
		{"listed", grid.New(), 2, `{"col":4,"row":4}`, `{"col":4,"row":4}`},
		{"in another form", grid.New(), 2, `{"row": 4e0, "col":4}`, `{"row": 4e0, "col":4}`},
		{"a fraction", grid.New(), 2, `{"row":4.5,"col":4}`, ""},
		{"no move", grid.New(), 2, `"HECK"`, `"HECK"`},
		{"a default", werewolf.New(), 5, `{"type":"HECK", "x":1}`, `{"type":"HECK", "x":1}`},
		{"no JSON", grid.New(), 2, `{`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := tt.game.Table(nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := referee.New(referee.Setup{ID: "m", Table: table, Seats: make([]referee.SeatInfo, tt.seats)})
			if err != nil {
				t.Fatal(err)
			}
			m.Start(1)
			for s := range game.Seat(tt.seats) {
				r, ok := m.Open(s)
				if !ok {
					continue
				}
				if got, err := Action(tt.action, &r); got != tt.want || (err == nil) != (tt.want != "") {
					t.Errorf("%s, %v", got, err)
				}
				return
			}
			t.Fatal("nobody is asked")
		})
	}
}

// talk is a game in which one says what one likes.
type talk struct{}

type words struct{ said, text string }

func (talk) Info() game.Info {
	return game.Info{Name: "talk", Version: "1.0.0", MinSeats: 1, MaxSeats: 1, MaxSteps: 1, MaxReturn: 1}
}
func (talk) Start(game.Setup) (words, error) { return words{}, nil }
func (talk) Turn(s *words) game.Turn {
	if s.said != "" {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(0)}
}
func (talk) Legal(dst []line, _ *words, _ game.Seat) []line    { return append(dst, line{Type: "say"}) }
func (talk) Check(_ *words, _ game.Seat, l line) (line, error) { return l, nil }
func (talk) Form(*words, game.Seat) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"type":{"const":"say"},"text":{"type":"string"}}}`)
}
func (talk) Apply(s *words, moves []game.Move[line]) { s.said, s.text = "said", moves[0].Action.Text }
func (talk) View(s *words, _ game.Seat) any          { return s.text }
func (talk) Outcome(*words) game.Outcome             { return game.Outcome{Returns: []float64{1}, Reason: "said"} }

type line struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// TestWords: what an agent says of its own goes through the host's filter, what it says by choosing from the list does not.
func TestWords(t *testing.T) {
	table, err := game.New(talk{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Features().Former {
		t.Fatal("the game has no form")
	}
	var got game.Action
	l := &referee.Local{Config: referee.Config{Filter: func(s string) string { return strings.ToUpper(s) }}}
	_, err = l.Play(t.Context(), referee.Setup{ID: "m", Table: table, Seats: make([]referee.SeatInfo, 1)}, referee.Inline(func(r *referee.Request) referee.Answer {
		got, err = Action(`{"type":"say","text":"heck"}`, r)
		if err != nil {
			t.Error(err)
		}
		return referee.Answer{Action: got}
	}))
	if err != nil || got != `{"text":"HECK","type":"say"}` {
		t.Errorf("%s, %v", got, err)
	}
}
