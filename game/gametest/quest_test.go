package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
)

// quest has its seats work apart, each at its own speed: a seat asks an oracle once or twice, then gives its answer. The better answer wins.
type quest struct{}

type questMove struct {
	Do  string `json:"do"`            // "ask", "answer"; the host's: "tell"
	ID  int64  `json:"id,omitzero"`   // of the ask that is answered, or 0
	Num int    `json:"num,omitempty"` // what is told, or answered: 0 to 3
}

type questSeat struct {
	asked, told, answer int
	heard               [2]int
	done                bool
	ticket              int64 // of the open ask, where the rules number asks as they come (questTickets)
}

type questState struct {
	seats   [2]questSeat
	tickets int64     // given so far
	first   game.Seat // who answered first, where the rules care (questHurry)
	answers int
}

type questView struct {
	Heard   []int `json:"heard"`
	Waiting bool  `json:"waiting"`
	Answers []int `json:"answers"` // of both, after the end
}

func (quest) Info() game.Info {
	return game.Info{Name: "quest", Version: "0.1.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 10, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (quest) Start(game.Setup) (questState, error) { return questState{}, nil }

func (q *questSeat) waits() bool { return q.asked > q.told }

func (quest) Turn(s *questState) game.Turn {
	t := game.Turn{Mode: game.Independent, Phase: "work"}
	for i := range s.seats {
		q := &s.seats[i]
		t.Host = t.Host || q.waits()
		if !q.done && !q.waits() {
			t.Seats = t.Seats.With(game.Seat(i))
		}
	}
	if t.Over() {
		return game.Turn{}
	}
	return t
}

func questID(seat, step int) int64 { return int64(seat)*100 + int64(step) }

func (quest) Asks(dst []game.Ask, s *questState) []game.Ask {
	for i := range s.seats {
		if q := &s.seats[i]; q.waits() {
			dst = append(dst, game.Ask{ID: questID(i, q.asked), Seat: game.Seat(i), Kind: "oracle", Body: json.RawMessage(`{"most":3}`)})
		}
	}
	return dst
}

func (g quest) Legal(dst []questMove, s *questState, seat game.Seat) []questMove {
	if seat == game.Host {
		for _, ask := range g.Asks(nil, s) {
			for n := range 4 {
				dst = append(dst, questMove{Do: "tell", ID: ask.ID, Num: n})
			}
		}
		return dst
	}
	if s.seats[seat].asked < 2 {
		dst = append(dst, questMove{Do: "ask"})
	}
	for n := range 3 * min(s.seats[seat].told, 1) {
		dst = append(dst, questMove{Do: "answer", Num: n})
	}
	return dst
}

func (quest) Apply(s *questState, moves []game.Move[questMove]) {
	m := moves[0]
	if m.Seat == game.Host {
		q := &s.seats[m.Action.ID/100]
		q.heard[q.told] = m.Action.Num
		q.told++
		return
	}
	q := &s.seats[m.Seat]
	if m.Action.Do == "ask" {
		q.asked++
		return
	}
	q.answer, q.done = m.Action.Num, true
}

func (g quest) View(s *questState, seat game.Seat) any {
	v := questView{Heard: []int{}, Answers: []int{}}
	if seat.Valid() {
		q := s.seats[seat]
		v.Heard = append(v.Heard, q.heard[:q.told]...)
		v.Waiting = q.waits()
	}
	if g.Turn(s).Over() {
		v.Answers = append(v.Answers, s.seats[0].answer, s.seats[1].answer)
	}
	return v
}

func (quest) Outcome(s *questState) game.Outcome {
	a, b := s.seats[0].answer, s.seats[1].answer
	out := game.Outcome{Returns: []float64{0, 0}, Scores: []int64{int64(a), int64(b)}, Reason: "answers"}
	switch {
	case a > b:
		out.Returns = []float64{1, -1}
	case a < b:
		out.Returns = []float64{-1, 1}
	}
	return out
}

func TestQuest(t *testing.T) { Run(t, game.New(quest{}), Options{}) }

// TestQuestHost has answers made up by the test: the rules list none.
func TestQuestHost(t *testing.T) {
	Run(t, game.New(unlistedQuest{}), Options{NoTranscripts: true, Host: questHost})
}

func questHost(r *rand.Rand, ask game.Ask) game.Action {
	return game.Action(fmt.Sprintf(`{"do":"tell","id":%d,"num":%d}`, ask.ID, 1+r.IntN(3)))
}

// unlistedQuest knows the host's answers when it sees them.
type unlistedQuest struct{ quest }

func (g unlistedQuest) Legal(dst []questMove, s *questState, seat game.Seat) []questMove {
	if seat == game.Host {
		return dst
	}
	return g.quest.Legal(dst, s, seat)
}

func (g unlistedQuest) Check(s *questState, seat game.Seat, a questMove) (questMove, error) {
	for _, b := range g.quest.Legal(nil, s, seat) {
		if a == b {
			return a, nil
		}
	}
	return a, errors.New("no such move now")
}
