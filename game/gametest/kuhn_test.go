package gametest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// kuhn is Kuhn poker: three cards, an ante of one, one bet of one (H. W. Kuhn, A Simplified Two-Person Poker, 1950).
type kuhn struct{}

type kuhnState struct {
	deal string // card of seat 0, card of seat 1; "" before the deal
	bets string // of the moves so far, one letter each: k(check) b(et) c(all) f(old)
}

type kuhnView struct {
	Card  string   `json:"card"`  // one's own; "" for spectators
	Moves []string `json:"moves"` // in order, seat 0 first
	Cards []string `json:"cards"` // both, after the end
}

var (
	kuhnDeals = []string{"KQ", "KJ", "QK", "QJ", "JK", "JQ"}
	kuhnWords = map[byte]string{'k': "check", 'b': "bet", 'c': "call", 'f': "fold"}
)

func (kuhn) Info() game.Info {
	return game.Info{Name: "kuhn", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 4, MinReturn: -2, MaxReturn: 2, ZeroSum: true, Hidden: true}
}

func (kuhn) Start(game.Setup) (kuhnState, error) { return kuhnState{}, nil }

func (kuhn) Turn(s *kuhnState) game.Turn {
	if s.deal == "" {
		return game.Turn{Chance: true, Phase: "deal"}
	}
	switch s.bets {
	case "kk", "bc", "bf", "kbc", "kbf":
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(len(s.bets) % 2)), Phase: "bet"}
}

func (kuhn) Legal(dst []string, s *kuhnState, seat game.Seat) []string {
	switch {
	case seat == game.Chance:
		return append(dst, kuhnDeals...)
	case strings.HasSuffix(s.bets, "b"):
		return append(dst, "call", "fold")
	}
	return append(dst, "check", "bet")
}

func (kuhn) Apply(s *kuhnState, moves []game.Move[string]) {
	switch a := moves[0].Action; a {
	case "check":
		s.bets += "k"
	case "bet", "call", "fold":
		s.bets += a[:1]
	default:
		s.deal = a
	}
}

func (g kuhn) View(s *kuhnState, seat game.Seat) any {
	v := kuhnView{Moves: []string{}, Cards: []string{}}
	for i := range len(s.bets) {
		v.Moves = append(v.Moves, kuhnWords[s.bets[i]])
	}
	if seat.Valid() && s.deal != "" {
		v.Card = s.deal[seat : seat+1]
	}
	if g.Turn(s).Over() {
		v.Cards = strings.Split(s.deal, "")
	}
	return v
}

func (kuhn) Outcome(s *kuhnState) game.Outcome {
	won, reason := 1.0, "showdown" // by seat 0
	if strings.Contains(s.bets, "c") {
		won = 2
	}
	if strings.Index("JQK", s.deal[:1]) < strings.Index("JQK", s.deal[1:]) {
		won = -won
	}
	switch s.bets {
	case "bf":
		won, reason = 1, "fold"
	case "kbf":
		won, reason = -1, "fold"
	}
	return game.Outcome{Returns: []float64{won, -won}, Reason: reason}
}

func (kuhn) Resample(s *kuhnState, seat game.Seat, r *rand.Rand) kuhnState {
	out := *s
	if s.deal == "" {
		return out
	}
	var could []string
	for _, d := range kuhnDeals {
		if d[seat] == s.deal[seat] {
			could = append(could, d)
		}
	}
	out.deal = could[r.IntN(len(could))]
	return out
}

func TestKuhn(t *testing.T) { Run(t, game.New(kuhn{}), Options{}) }

// TestKuhnTree counts what is known of the game: 30 terminal histories, and 12 information sets in which a seat decides.
func TestKuhnTree(t *testing.T) {
	table, err := game.New(kuhn{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	start, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	terminals, infosets, sum := 0, map[string]bool{}, 0.0
	var walk func(s *game.State)
	walk = func(s *game.State) {
		turn := s.Turn()
		if turn.Over() {
			terminals++
			sum += s.Outcome().Returns[0]
			return
		}
		who := game.Chance
		if !turn.Chance {
			who = turn.Seats.First()
			infosets[who.String()+viewText(s, who)] = true
		}
		for _, a := range s.Legal(nil, who) {
			next := s.Clone()
			if _, err := next.Play(who, a); err != nil {
				t.Fatal(err)
			}
			walk(next)
		}
	}
	walk(start)
	if terminals != 30 || len(infosets) != 12 {
		t.Errorf("%d terminal histories and %d information sets, not 30 and 12", terminals, len(infosets))
	}
	if sum != 0 { // each showdown has its mirror image, and each seat folds in six histories
		t.Errorf("returns of seat 0 sum to %v over all histories, not 0", sum)
	}
}
