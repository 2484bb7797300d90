package gridarena

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// TestObserve is about positions as whoever reads a record may put them together: what a seat is not to see is left out whatever stands in them.
func TestObserve(t *testing.T) {
	m := Match{Info: game.Info{Name: "odd", Version: "1.0.0"}, Seat: 1, Control: Production, Clock: referee.Clock{Move: 30 * time.Second, Expiry: time.Hour}, Started: 1_000_000}
	hidden := m
	hidden.Info.Hidden = true
	free := m
	free.Control, free.Clock.Move = Untimed, 0
	now := m.Started + 20_000
	history := []Played{{Seat: 0, Action: "1"}, {Seat: 1, Action: "2"}, {Seat: 2, Action: "3"}, {Seat: 1, Action: "4"}}
	over := &referee.Result{Cause: referee.CausePlay, Places: []int{1, 2}, Scores: []int64{7, -3}, Seats: make([]referee.SeatResult, 2)}
	legal, form := []game.Action{"1", "2"}, []byte(`{ "type": "string" }`)
	for _, tt := range []struct {
		name  string
		match Match
		p     Position
		want  Observation // what is compared: LegalMoves, ActionSchema, Scores, Turn, Remaining, Status, and how many moves
		moves int
	}{
		{"the agent's turn", m, Position{Open: true, Legal: legal, Form: form, Seats: game.Seats(0, 1), Deadline: now + 12_000},
			Observation{LegalMoves: legal, ActionSchema: []byte(`{"type":"string"}`), Turn: 1, Remaining: 12 * time.Second, Status: StatusAgent}, 4},
		{"past its deadline", m, Position{Open: true, Deadline: now - 1}, Observation{Turn: 1, Status: StatusAgent}, 4},
		{"a clock ahead of the referee's", m, Position{Open: true, Deadline: now + 31_000}, Observation{Turn: 1, Remaining: 30 * time.Second, Status: StatusAgent}, 4},
		{"no deadline yet", m, Position{Open: true}, Observation{Turn: 1, Remaining: 30 * time.Second, Status: StatusAgent}, 4},
		{"the opponent's turn", m, Position{Legal: legal, Form: form, Seats: game.Seats(2), Deadline: now + 12_000}, Observation{Turn: 2, Remaining: 30 * time.Second, Status: StatusAI}, 4},
		{"nobody's that is told", m, Position{}, Observation{Turn: game.Spectator, Remaining: 30 * time.Second, Status: StatusAI}, 4},
		{"untimed", free, Position{Open: true, Seats: game.Seats(1)}, Observation{Turn: 1, Remaining: 3_580 * time.Second, Status: StatusAgent}, 4},
		{"over", m, Position{Result: over, Open: true, Legal: legal, Form: form, Seats: game.Seats(1), Deadline: now + 12_000}, Observation{Scores: over.Scores, Turn: game.Spectator, Status: StatusCompleted}, 4},
		{"hidden, the agent's turn", hidden, Position{Open: true, Seats: game.Seats(0, 1, 2)}, Observation{Turn: 1, Remaining: 30 * time.Second, Status: StatusAgent}, 2},
		{"hidden, others'", hidden, Position{Seats: game.Seats(0, 2)}, Observation{Turn: game.Spectator, Remaining: 30 * time.Second, Status: StatusAI}, 2},
		{"hidden, over", hidden, Position{Result: over}, Observation{Scores: over.Scores, Turn: game.Spectator, Status: StatusCompleted}, 4},
	} {
		o, err := tt.match.Observe(tt.p, now, history)
		if err != nil {
			t.Fatal(err)
		}
		got := Observation{LegalMoves: o.LegalMoves, ActionSchema: o.ActionSchema, Scores: o.Scores, Turn: o.Turn, Remaining: o.Remaining, Status: o.Status}
		if diff := cmp.Diff(tt.want, got); diff != "" || len(o.History) != tt.moves {
			t.Errorf("%s: %d moves, %s", tt.name, len(o.History), diff)
		}
		for _, p := range o.History {
			if tt.moves == 2 && p.Seat != 1 {
				t.Errorf("%s: %+v", tt.name, p)
			}
		}
		if o.ExpiresAt != 4_600_000 || o.ServerTime != now || o.RulesVersion != "odd-1.0.0" || o.BenchmarkVersion != BenchmarkVersion {
			t.Errorf("%s: %+v", tt.name, o)
		}
	}
	m.Benchmark = "summer"
	if o, err := m.Observe(Position{}, now, nil); err != nil || o.BenchmarkVersion != "summer" {
		t.Error(o, err)
	}
}

// TestAnswer: what a move is addressed to, and that it is judged as what it says.
func TestAnswer(t *testing.T) {
	during(t, setup{game: grid.New()}, func(s *scene) {
		s.act(0, `{"col":0,"row":0}`)
		s.act(1, `{"col":1,"row":0}`)
		r, ok := s.seats[0].Open()
		if !ok || r.Turn != 2 {
			t.Fatalf("%+v", r)
		}
		m := Move{Revision: 2, ID: moveID, Action: `{"col":4,"row":4}`}
		change := func(revision int32, a game.Action) *Move { m := m; m.Revision, m.Action = revision, a; return &m }
		by := func(b referee.By, n int32) referee.Address { return referee.Address{By: b, N: n} }
		for _, tt := range []struct {
			name string
			move *Move
			open *referee.Request
			want referee.Answer
		}{
			{"open", &m, &r, referee.Answer{To: by(referee.ByTurn, 2), Action: m.Action, Key: moveID}},
			{"before", change(0, m.Action), &r, referee.Answer{To: by(referee.ByTurn, 0), Action: m.Action, Key: moveID}},
			{"to come", change(3, m.Action), &r, referee.Answer{To: by(referee.ByAsk, 0), Action: m.Action, Key: moveID}},
			{"nothing is open", &m, nil, referee.Answer{To: by(referee.ByAsk, 0), Action: m.Action, Key: moveID}},
			{"a fraction", change(2, `{"col":4.5,"row":4}`), &r, referee.Answer{To: by(referee.ByTurn, 2), Fault: referee.Malformed, Detail: "action: a number in it is no integer"}},
		} {
			if diff := cmp.Diff(tt.want, tt.move.Answer(tt.open)); diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
		}
		// Without the request it is the same, where nothing in it is for anybody but the rules.
		closed, open := grid.New().Info(), werewolf.New().Info()
		for _, tt := range []struct {
			action game.Action
			info   game.Info
			direct bool
		}{
			{m.Action, closed, true}, {`{"col":4.5,"row":4}`, closed, false}, {`{"col":4e0,"row":4}`, closed, false}, {`{"col":4E0,"row":4}`, closed, false},
			{m.Action, open, false}, {`"h2h4"`, closed, true}, {`"e2e4"`, closed, false},
		} {
			a, ok := change(2, tt.action).Direct(tt.info)
			if ok != tt.direct {
				t.Errorf("%s, open %v: %v", tt.action, tt.info.Open, ok)
			}
			if diff := cmp.Diff(change(2, tt.action).Answer(&r), a); ok && diff != "" {
				t.Errorf("%s: %s", tt.action, diff)
			}
		}
		// A guess at a revision that opens while it is on its way does not count.
		guess := change(4, `{"col":8,"row":8}`).Answer(&r)
		s.act(0, `{"col":2,"row":0}`)
		s.act(1, `{"col":3,"row":0}`)
		if v, err := s.seats[0].Submit(s.t.Context(), guess); err != nil || v.Code != referee.WasStale {
			t.Errorf("%+v, %v", v, err)
		}
		// It does when it is sent again.
		if v := s.post(`{"revision":4,"moveId":"` + moveID + `","row":8,"col":8}`); v.Code != referee.OK {
			t.Errorf("%+v", v)
		}
		if strings.Count(string(s.record.Bytes()), `"fault":"stale"`) != 1 {
			t.Errorf("%s", s.record.Bytes())
		}
	})
}

// TestFilter: a host's filter sees the words of an action, and nobody is shown them otherwise.
func TestFilter(t *testing.T) {
	filter := func(s string) string { return strings.ReplaceAll(s, "HECK", "****") }
	during(t, setup{game: werewolf.New(), seats: 5, seat: 1, config: referee.Config{Filter: filter}}, func(s *scene) {
		said := func() bool {
			r, ok := s.seats[1].Open()
			return ok && r.Form() != nil
		}
		s.first(said)
		o := s.observe()
		if o.ActionSchema == nil || len(o.LegalMoves) == 0 {
			t.Fatalf("%+v", o)
		}
		body := strings.Replace(`{"revision":REV,"moveId":"`+moveID+`","action":{"type":"say","text":"what the HECK"}}`, "REV", string(jsontext.AppendInt(nil, o.Revision)), 1)
		if v := s.post(body); v.Code != referee.OK {
			t.Fatalf("%+v", v)
		}
		s.first(s.ended)
		if record := string(s.record.Bytes()); strings.Contains(record, "HECK") || !strings.Contains(record, "what the ****") {
			t.Error(record)
		}
	})
}

// TestNoSecrets: neither the secret of a match nor its salt nor, while it runs, what others chose is in any answer to any seat.
func TestNoSecrets(t *testing.T) {
	for seat := range game.Seat(5) {
		during(t, setup{game: werewolf.New(), seats: 5, seat: seat}, func(s *scene) {
			live, target := 0, 0
			s.first(func() bool {
				if p, _ := s.position(); p.Result != nil {
					return s.ended()
				}
				live++
				text := s.see()
				for _, p := range s.observe().History {
					if p.Seat != seat {
						t.Errorf("seat %v: %s", seat, text)
					}
					target++
				}
				if strings.Contains(text, "secret") || strings.Contains(text, "salt") || strings.Contains(text, "AAAAAAAAAAAAAAAAAAAA") {
					t.Error(text)
				}
				return false
			})
			if text := s.see(); strings.Contains(text, "AAAAAAAAAAAAAAAAAAAA") || strings.Contains(text, "salt") || len(s.observe().History) != len(s.history) {
				t.Error(text)
			}
			if live < 10 || seat == 1 && target == 0 {
				t.Errorf("%d positions, %d moves", live, target)
			}
		})
	}
}

// TestSample: where nothing is listed and something is accepted, the safe default stands in the list.
func TestSample(t *testing.T) {
	during(t, setup{game: connectfour.New()}, func(s *scene) {
		p, _ := s.position()
		if len(p.Legal) != 7 || p.Form != nil || !p.Open || p.Deadline != s.match.Started+30_000 {
			t.Errorf("%+v", p)
		}
	})
	during(t, setup{game: game.New(mute{}), seats: 1}, func(s *scene) {
		o := s.observe()
		if diff := cmp.Diff([]game.Action{`"pass"`}, o.LegalMoves); diff != "" || string(o.ActionSchema) != `{"type":"string"}` {
			t.Errorf("%s %s", diff, o.ActionSchema)
		}
	})
}

// mute is a game whose moves cannot be listed.
type mute struct{}

func (mute) Info() game.Info {
	return game.Info{Name: "mute", Version: "1.0.0", MinSeats: 1, MaxSeats: 1, MaxSteps: 1, MaxReturn: 1}
}
func (mute) Start(game.Setup) (bool, error) { return false, nil }
func (mute) Turn(said *bool) game.Turn {
	if *said {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(0)}
}
func (mute) Legal(dst []string, _ *bool, _ game.Seat) []string       { return dst }
func (mute) Check(_ *bool, _ game.Seat, text string) (string, error) { return text, nil }
func (mute) Form(*bool, game.Seat) json.RawMessage                   { return []byte(`{"type": "string"}`) }
func (mute) Default(*bool, game.Seat) string                         { return "pass" }
func (mute) Apply(said *bool, _ []game.Move[string])                 { *said = true }
func (mute) View(said *bool, _ game.Seat) any                        { return *said }
func (mute) Outcome(*bool) game.Outcome                              { return game.Outcome{Returns: []float64{1}, Reason: "said"} }
