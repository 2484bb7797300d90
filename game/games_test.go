package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
)

// salon is a game of all kinds of turns, in the order that its ruleset gives. It has every optional interface but Cloner and Indexed.
type salon struct {
	Script []string `json:"script"` // "one", "joint", "independent", "free", "host", "lot"
	Limit  int      `json:"limit"`  // code points of what is said
}

func newSalon(script ...string) game.Game { return game.New(salon{Script: script, Limit: 5}) }

type salonState struct {
	names [3]string
	from  string
	at    int
	left  game.SeatSet // who has still to move in this turn
	log   game.Log[game.Move[salonMove]]
}

type salonMove struct {
	Type   string           `json:"type"`
	Text   string           `json:"text,omitempty"`
	Target game.Opt[int]    `json:"target,omitzero"`
	Deep   game.Opt[[2]int] `json:"deep,omitzero"`
}

func (g salon) Validate() error {
	var errs []error
	for i, kind := range g.Script {
		if !strings.Contains(" one joint independent free host lot ", " "+kind+" ") {
			errs = append(errs, fmt.Errorf("script[%d]: unknown kind %q", i, kind))
		}
	}
	if g.Limit < 0 {
		errs = append(errs, fmt.Errorf("limit: %d is below 0", g.Limit))
	}
	return errors.Join(errs...)
}

func (g salon) Info() game.Info {
	return game.Info{Name: "salon", Version: "1.0.0", MinSeats: 3, MaxSeats: 3, MaxSteps: 100, MinReturn: -1, MaxReturn: 1, Open: true}
}

func (g salon) Start(setup game.Setup) (salonState, error) {
	s := salonState{from: setup.Position}
	if setup.Position == "nowhere" {
		return s, errors.New("position: nowhere is no place")
	}
	copy(s.names[:], setup.Names)
	g.enter(&s)
	return s, nil
}

func (g salon) kind(s *salonState) string {
	if s.at >= len(g.Script) {
		return ""
	}
	return g.Script[s.at]
}

func (g salon) enter(s *salonState) {
	switch g.kind(s) {
	case "one":
		s.left = game.Seats(1)
	case "joint", "independent":
		s.left = game.Seats(0, 2)
	case "free":
		s.left = game.FirstSeats(3)
	}
}

func (g salon) Turn(s *salonState) game.Turn {
	t := game.Turn{Seats: s.left, Phase: g.kind(s)}
	switch g.kind(s) {
	case "independent":
		t.Mode = game.Independent
	case "free":
		t.Mode, t.Host = game.Free, true
	case "host":
		t.Host = true
	case "lot":
		t.Chance = true
	}
	return t
}

func (g salon) Legal(dst []salonMove, s *salonState, seat game.Seat) []salonMove {
	switch seat {
	case game.Chance:
		for i := range 6 {
			dst = append(dst, salonMove{Type: "lot", Target: game.Some(i)})
		}
		return dst
	case game.Host:
		return append(dst, salonMove{Type: "news"})
	}
	return append(dst, salonMove{Type: "vote", Target: game.Null[int]()}, salonMove{Type: "vote", Target: game.Some(0)}, salonMove{Type: "say"})
}

func (g salon) Check(s *salonState, seat game.Seat, a salonMove) (salonMove, error) {
	kinds := map[game.Seat]string{game.Chance: "lot", game.Host: "news"}
	want, pseudo := kinds[seat]
	switch {
	case pseudo && a.Type != want:
		return a, fmt.Errorf("only %s", want)
	case !pseudo && a.Type != "vote" && a.Type != "say":
		return a, errors.New("say or vote")
	}
	if utf8.RuneCountInString(a.Text) > g.Limit {
		a.Text = string([]rune(a.Text)[:g.Limit])
	}
	return a, nil
}

func (g salon) Apply(s *salonState, moves []game.Move[salonMove]) {
	for _, m := range moves {
		s.log = s.log.Append(m)
		s.left = s.left.Without(m.Seat)
	}
	if s.left == 0 {
		s.at++
		g.enter(s)
	}
}

type salonView struct {
	Names []string                    `json:"names"`
	Log   game.Log[game.Move[string]] `json:"log"`
	Seat  game.Seat                   `json:"seat"`
}

func (g salon) View(s *salonState, seat game.Seat) any {
	v := salonView{Names: s.names[:], Seat: seat}
	v.Names = append([]string(nil), v.Names...)
	for m := range s.log.All() {
		v.Log = v.Log.Append(game.Move[string]{Seat: m.Seat, Action: m.Action.Type})
	}
	return v
}

func (g salon) Outcome(s *salonState) game.Outcome {
	return game.Outcome{Returns: []float64{1, 0, -1}, Scores: []int64{int64(s.log.Len()), 0, 0}, Reason: "closed"}
}

func (g salon) Form(*salonState, game.Seat) json.RawMessage {
	return json.RawMessage(`{"type":"object"}`)
}

func (g salon) Default(*salonState, game.Seat) salonMove { return salonMove{Type: "say"} }

func (g salon) Chance(s *salonState, r *rand.Rand) salonMove {
	return salonMove{Type: "lot", Target: game.Some(r.IntN(1000))}
}

func (g salon) Asks(dst []game.Ask, s *salonState) []game.Ask {
	return append(dst, game.Ask{ID: int64(s.at), Seat: 1, Kind: "judge", Body: json.RawMessage(`{}`)})
}

func (g salon) Text(_ *salonState, a salonMove) string {
	if n, ok := a.Target.Get(); ok {
		return fmt.Sprint(a.Type, " ", n)
	}
	return a.Type
}

func (g salon) Parse(_ *salonState, _ game.Seat, text string) (salonMove, error) {
	if words, ok := strings.CutPrefix(text, "say "); ok {
		return salonMove{Type: "say", Text: words}, nil
	}
	return salonMove{}, errors.New("write: say and the words, or one of vote, vote 0")
}

func (g salon) Board(_ *salonState, seat game.Seat) string { return "board of " + seat.String() }

func (g salon) SVG(dst []byte, _ *salonState, seat game.Seat) []byte {
	return append(dst, "<svg>"+seat.String()+"</svg>"...)
}

func (g salon) Position(s *salonState) string { return fmt.Sprint("after ", s.at) }

func (g salon) Resample(s *salonState, seat game.Seat, r *rand.Rand) salonState {
	other := *s
	other.names[r.IntN(3)] += "?"
	return other
}

func (g salon) Forfeit(s *salonState, out game.SeatSet) game.Outcome {
	return game.Outcome{Returns: []float64{0, 0, float64(out.Len())}, Reason: "forfeit"}
}

// heap is the smallest game: two seats in turn take 1 to Most from a heap; who takes the last wins. It has no optional interface at all.
type heap struct {
	Size int `json:"size"`
	Most int `json:"most"`
}

type heapState struct {
	left  int
	mover game.Seat
}

func (g heap) Info() game.Info {
	return game.Info{Name: "heap", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: g.Size, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (g heap) Start(game.Setup) (heapState, error) { return heapState{left: g.Size}, nil }

func (g heap) Turn(s *heapState) game.Turn {
	if s.left == 0 {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(s.mover)}
}

func (g heap) Legal(dst []int, s *heapState, _ game.Seat) []int {
	for n := 1; n <= min(g.Most, s.left); n++ {
		dst = append(dst, n)
	}
	return dst
}

func (g heap) Apply(s *heapState, moves []game.Move[int]) {
	s.left -= moves[0].Action
	s.mover = 1 - s.mover
}

func (g heap) View(s *heapState, _ game.Seat) any { return map[string]int{"left": s.left} }

func (g heap) Outcome(s *heapState) game.Outcome {
	returns := []float64{1, 1}
	returns[s.mover] = -1
	return game.Outcome{Returns: returns, Reason: "last"}
}

func begin(t testing.TB, g game.Game, ruleset string) *game.State {
	t.Helper()
	table, err := g.Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: table.Info().MinSeats})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t testing.TB, s *game.State, step ...game.Move[game.Action]) {
	t.Helper()
	if err := s.Apply(step); err != nil {
		t.Fatal(err)
	}
}
