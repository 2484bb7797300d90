package ludux

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
)

// chronicle is a game for the hard cases of messages: histories as long as its ruleset says, moves that cannot be listed, fractions, a
// ruleset that knows move_time_ms, a view that does not marshal. Seats write in turn, six times in all.
type chronicle struct {
	Entries  int    `json:"entries"`      // in each history at the start
	Width    int    `json:"width"`        // code points of an entry
	Rest     int    `json:"rest"`         // bytes of what is no history
	MoveTime int    `json:"move_time_ms"` // the game's own, which means nothing on the wire
	List     string `json:"list"`         // "all", "none"
	Broken   bool   `json:"broken"`       // the view does not marshal
}

type scrap struct {
	Type   string            `json:"type"` // "say", "weigh"
	Text   game.Opt[string]  `json:"text,omitzero"`
	Weight game.Opt[float64] `json:"weight,omitzero"`
}

type chronicleState struct {
	said  game.Log[string]
	seats int
}

type chronicleView struct {
	Rest    string   `json:"rest"`
	History []int    `json:"History"`
	Said    []string `json:"said_log"`
	Catalog []int    `json:"catalogue"`
	Odd     any      `json:"odd,omitempty"`
}

func (c chronicle) Info() game.Info {
	return game.Info{Name: "chronicle", Version: "0.1.0", MinSeats: 1, MaxSeats: 63, MaxSteps: 6, Open: true}
}

func (c chronicle) Validate() error {
	if min(c.Entries, c.Width, c.Rest) < 0 || max(c.Entries, c.Width, c.Rest) > 1<<16 {
		return errors.New("entries, width, rest: not 0 to 65536")
	}
	return nil
}

func (c chronicle) Start(s game.Setup) (out chronicleState, _ error) {
	out.seats = s.Seats
	return out, nil
}

func (c chronicle) Turn(s *chronicleState) game.Turn {
	if s.said.Len() == 6 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.said.Len() % s.seats)), Phase: "write \"it\""}
}

func (c chronicle) Legal(dst []scrap, _ *chronicleState, _ game.Seat) []scrap {
	if c.List == "none" {
		return dst
	}
	return append(dst, scrap{Type: "say", Text: game.Some("")}, scrap{Type: "weigh", Weight: game.Some(0.5)})
}

func (c chronicle) Check(_ *chronicleState, _ game.Seat, a scrap) (scrap, error) {
	_, said := a.Text.Get()
	_, weighed := a.Weight.Get()
	if a.Type == "say" && said && a.Weight.IsZero() || a.Type == "weigh" && weighed && a.Text.IsZero() {
		return a, nil
	}
	return a, errors.New("say something or weigh it")
}

func (c chronicle) Form(*chronicleState, game.Seat) json.RawMessage {
	return json.RawMessage("{\n  \"type\": \"object\",\n  \"required\": [ \"type\" ]\n}")
}

func (c chronicle) Default(*chronicleState, game.Seat) scrap {
	return scrap{Type: "say", Text: game.Some("")}
}

func (c chronicle) Apply(s *chronicleState, moves []game.Move[scrap]) {
	text, _ := moves[0].Action.Text.Get()
	s.said = s.said.Append(text)
}

func (c chronicle) View(s *chronicleState, _ game.Seat) any {
	v := chronicleView{Rest: strings.Repeat("x", c.Rest), History: make([]int, c.Entries), Said: make([]string, 0, c.Entries+6), Catalog: make([]int, 40)}
	for i := range v.History {
		v.History[i] = i
		v.Said = append(v.Said, strings.Repeat("é\"", c.Width))
	}
	v.Said = append(v.Said, s.said.Clip(s.said.Len())...)
	if c.Broken {
		v.Odd = func() {}
	}
	return v
}

func (c chronicle) Outcome(s *chronicleState) game.Outcome {
	return game.Outcome{Returns: make([]float64, s.seats), Reason: "written"}
}

// TestChronicle holds the test game itself to what games promise.
func TestChronicle(t *testing.T) {
	gametest.Run(t, game.New(chronicle{}), gametest.Options{NoTranscripts: true, Games: 3})
}
