package gametest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// nim: whoever takes the last stone wins (C. L. Bouton, Nim, A Game with a Complete Mathematical Theory, 1901). It has every
// optional interface that a game of two without secrets can have.
type nim struct {
	Pile int `json:"pile"` // stones on each of three heaps, 1 to 7
}

type nimMove struct {
	Heap int `json:"heap"`
	Take int `json:"take"`
}

type nimState struct {
	names [2]string
	heaps [3]int
	turn  game.Seat
	last  game.Seat // who took last
	moves game.Log[nimMove]
}

type nimView struct {
	Players []string  `json:"players"`
	Heaps   [3]int    `json:"heaps"`
	Turn    int       `json:"turn"`
	Moves   []nimMove `json:"moves"`
}

func (g nim) Info() game.Info {
	return game.Info{Name: "nim", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 3 * g.Pile, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (g nim) Validate() error {
	if g.Pile < 1 || g.Pile > 7 {
		return errors.New("pile: 1 to 7")
	}
	return nil
}

func (g nim) Start(setup game.Setup) (nimState, error) {
	s := nimState{names: [2]string(setup.Names), heaps: [3]int{g.Pile, g.Pile, g.Pile}}
	if setup.Position == "" {
		return s, nil
	}
	var rest string
	if n, _ := fmt.Sscanf(setup.Position, "%d-%d-%d:%d%s", &s.heaps[0], &s.heaps[1], &s.heaps[2], &s.turn, &rest); n != 4 {
		return s, errors.New("a position is three heaps and a seat: 3-2-1:0")
	}
	for _, h := range s.heaps {
		if h < 0 || h > g.Pile || s.turn>>1 != 0 || s.heaps == [3]int{} {
			return s, errors.New("there is no such position")
		}
	}
	return s, nil
}

func (nim) Turn(s *nimState) game.Turn {
	if s.heaps == [3]int{} {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(s.turn), Phase: "take"}
}

func (nim) Legal(dst []nimMove, s *nimState, _ game.Seat) []nimMove {
	for h, n := range s.heaps {
		for take := 1; take <= n; take++ {
			dst = append(dst, nimMove{h, take})
		}
	}
	return dst
}

func (nim) Apply(s *nimState, moves []game.Move[nimMove]) {
	m := moves[0].Action
	s.heaps[m.Heap] -= m.Take
	s.last, s.turn = s.turn, 1-s.turn
	s.moves = s.moves.Append(m)
}

func (nim) View(s *nimState, _ game.Seat) any {
	return nimView{Players: s.names[:], Heaps: s.heaps, Turn: int(s.turn), Moves: s.moves.Clip(s.moves.Len())}
}

func (nim) Outcome(s *nimState) game.Outcome {
	out := game.Outcome{Returns: []float64{-1, -1}, Reason: "last_stone"}
	out.Returns[s.last] = 1
	return out
}

func (nim) Default(s *nimState, _ game.Seat) nimMove {
	for h, n := range s.heaps {
		if n > 0 {
			return nimMove{h, 1}
		}
	}
	return nimMove{}
}

func (nim) Text(_ *nimState, a nimMove) string { return fmt.Sprintf("%c%d", 'a'+a.Heap, a.Take) }

func (nim) Parse(_ *nimState, _ game.Seat, text string) (nimMove, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if len(text) != 2 {
		return nimMove{}, errors.New("a heap and a number are wanted: a3")
	}
	return nimMove{int(text[0]) - 'a', int(text[1]) - '0'}, nil
}

func (nim) Board(s *nimState, _ game.Seat) string {
	var b strings.Builder
	for h, n := range s.heaps {
		fmt.Fprintf(&b, "%c %s\n", 'a'+h, strings.Repeat("o", n))
	}
	return b.String()
}

func (nim) SVG(dst []byte, s *nimState, _ game.Seat) []byte {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s.names[0]+" and "+s.names[1]))
	return fmt.Appendf(dst, "<svg><title>%s</title><text>%v</text></svg>", b.String(), s.heaps)
}

func (nim) Position(s *nimState) string {
	return fmt.Sprintf("%d-%d-%d:%d", s.heaps[0], s.heaps[1], s.heaps[2], s.turn)
}

func (nim) Forfeit(s *nimState, out game.SeatSet) game.Outcome {
	o := game.Outcome{Returns: []float64{1, 1}, Reason: "forfeit"}
	o.Returns[out.First()] = -1
	return o
}

func TestNim(t *testing.T) {
	Run(t, game.New(nim{Pile: 4}), Options{
		Rulesets: []string{`{"pile":1}`},
		Setups:   []game.Setup{{Seats: 2}, {Seats: 2, Names: names(2)}, {Seats: 2, Position: "1-0-1:1"}},
	})
}
