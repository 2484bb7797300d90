package referee_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// parlour is a game of scripted turns for the tests of the referee; a letter of the script is a turn:
//
//	o  one seat moves            j  all seats move, jointly
//	i  each seat moves twice, independently; between its two moves the host answers it
//	f  seats+1 moves, by whoever likes      h  the host alone      l  chance
//
// Seats play 0 to 2, which adds to their points, the host 10 plus the seat that it answers, chance 20 to 25.
type parlour struct {
	Script string `json:"script"`
	Secret bool   `json:"secret"` // Info.Hidden
	Most   int    `json:"most"`   // Info.MaxSteps
}

// safe is parlour with safe defaults; judged has a word on forfeits too.
type (
	safe   struct{ parlour }
	judged struct{ safe }
)

func (safe) Default(*parlourState, game.Seat) int { return 0 }

func (judged) Forfeit(s *parlourState, out game.SeatSet) game.Outcome {
	o := game.Outcome{Returns: make([]float64, s.n), Reason: "the rules'"}
	for i := range o.Returns {
		if !out.Has(game.Seat(i)) {
			o.Returns[i] = 0.75
		}
	}
	return o
}

// parlourGames are the variants, by name.
var parlourGames = map[string]game.Game{
	"parlour": game.New(parlour{Script: "o", Most: 200}),
	"safe":    game.New(safe{parlour{Script: "o", Most: 200}}),
	"judged":  game.New(judged{safe{parlour{Script: "o", Most: 200}}}),
}

func parlourTable(t testing.TB, name, script string, secret bool) *game.Table {
	t.Helper()
	g, ok := parlourGames[name]
	if !ok {
		t.Fatalf("no game %q", name)
	}
	tab, err := g.Table(fmt.Appendf(nil, `{"script":%q,"secret":%v}`, script, secret))
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

type parlourState struct {
	n      int
	at     int
	left   [8]uint8 // moves that a seat has still to make in this turn
	asked  game.SeatSet
	free   int
	points [8]int
	drawn  int
}

func (g parlour) Info() game.Info {
	return game.Info{Name: "parlour", Version: "1.0.0", MinSeats: 1, MaxSeats: 8, MaxSteps: g.Most, MaxReturn: 1, Hidden: g.Secret}
}

func (g parlour) Start(setup game.Setup) (parlourState, error) {
	s := parlourState{n: setup.Seats}
	g.enter(&s)
	return s, nil
}

func (g parlour) kind(s *parlourState) byte {
	if s.at >= len(g.Script) {
		return 0
	}
	return g.Script[s.at]
}

func (g parlour) enter(s *parlourState) {
	switch g.kind(s) {
	case 'o':
		s.left[s.at%s.n] = 1
	case 'j':
		for i := range s.n {
			s.left[i] = 1
		}
	case 'i':
		for i := range s.n {
			s.left[i] = 2
		}
	case 'f':
		s.free = s.n + 1
	}
}

func (g parlour) Turn(s *parlourState) game.Turn {
	t := game.Turn{Phase: string(g.kind(s))}
	for i := range s.n {
		if s.left[i] > 0 && !s.asked.Has(game.Seat(i)) {
			t.Seats = t.Seats.With(game.Seat(i))
		}
	}
	switch g.kind(s) {
	case 'i':
		t.Mode, t.Host = game.Independent, s.asked != 0
	case 'f':
		t.Mode, t.Seats = game.Free, game.FirstSeats(s.n)
	case 'h':
		t.Host = true
	case 'l':
		t.Chance = true
	case 0:
		t.Phase = ""
	}
	return t
}

func (g parlour) Legal(dst []int, s *parlourState, seat game.Seat) []int {
	switch seat {
	case game.Chance:
		return append(dst, 20, 21, 22, 23, 24, 25)
	case game.Host:
		if g.kind(s) == 'h' {
			return append(dst, 10)
		}
		for asked := range s.asked.All() {
			dst = append(dst, 10+int(asked))
		}
		return dst
	}
	return append(dst, 0, 1, 2)
}

// Asks numbers a question by its turn and seat; 9 where the host is alone.
func (g parlour) Asks(dst []game.Ask, s *parlourState) []game.Ask {
	if g.kind(s) == 'h' {
		return append(dst, game.Ask{ID: int64(10*s.at + 9), Kind: "judge"})
	}
	for seat := range s.asked.All() {
		dst = append(dst, game.Ask{ID: int64(10*s.at) + int64(seat), Seat: seat, Kind: "use_tool"})
	}
	return dst
}

func (g parlour) Apply(s *parlourState, moves []game.Move[int]) {
	for _, m := range moves {
		g.move(s, m)
	}
	done := s.asked == 0 && s.free == 0
	for i := range s.n {
		done = done && s.left[i] == 0
	}
	if done {
		s.at++
		g.enter(s)
	}
}

func (g parlour) move(s *parlourState, m game.Move[int]) {
	switch {
	case m.Seat == game.Chance:
		s.drawn += m.Action
	case m.Seat == game.Host:
		s.asked = s.asked.Without(game.Seat(m.Action - 10))
	default:
		s.points[m.Seat] += m.Action
		switch g.kind(s) {
		case 'f':
			s.free--
		case 'i':
			if s.left[m.Seat]--; s.left[m.Seat] == 1 {
				s.asked = s.asked.With(m.Seat)
			}
		default:
			s.left[m.Seat]--
		}
	}
}

// ParlourView is what everybody sees; Drawn is for seat 0 alone where the ruleset says secret.
type ParlourView struct {
	At     int   `json:"at"`
	Points []int `json:"points"`
	Drawn  int   `json:"drawn"`
}

func (g parlour) View(s *parlourState, seat game.Seat) any {
	v := ParlourView{At: s.at, Points: append([]int(nil), s.points[:s.n]...)}
	if seat == 0 || !g.Secret {
		v.Drawn = s.drawn
	}
	return v
}

func (g parlour) Outcome(s *parlourState) game.Outcome {
	o := game.Outcome{Returns: make([]float64, s.n), Scores: make([]int64, s.n), Reason: "played"}
	for i := range s.n {
		o.Returns[i] = float64(s.points[i]%5) / 4
		o.Scores[i] = int64(s.points[i])
	}
	return o
}

func TestParlour(t *testing.T) {
	tab := parlourTable(t, "judged", "oj", false)
	if f := tab.Features(); !f.Defaulter || !f.Forfeiter || !f.Asker {
		t.Fatalf("features: %+v", f)
	}
	if f := parlourTable(t, "parlour", "o", true).Features(); f.Defaulter || f.Forfeiter {
		t.Fatalf("features: %+v", f)
	}
	if got := string(tab.Ruleset()); !strings.Contains(got, `"script":"oj"`) {
		t.Fatalf("ruleset: %s", got)
	}
}
