package main

import (
	"fmt"

	"github.com/matchreferee/arena/game"
)

// nim is a game that cannot draw itself: heaps of stones, from one of which each seat in turn takes as many as it likes. Who takes the last one wins
// (C. L. Bouton, Nim, a Game with a Complete Mathematical Theory, 1901).
type nim struct {
	Heaps [3]int `json:"heaps"` // stones at the start, 1 to 9 each
}

type nimState struct {
	heaps [3]int
	last  nimMove
	moves int
	names game.Log[string]
}

type nimMove struct {
	Heap int `json:"heap"`
	Take int `json:"take"`
}

// nimView is what everybody sees.
type nimView struct {
	Players []nimPlayer `json:"players"`
	Heaps   []int       `json:"heaps"`
	Stones  [][]string  `json:"stones"` // a row a heap
	Moves   int         `json:"moves"`
	Last    *nimMove    `json:"last_move"`
}

type nimPlayer struct {
	Name   string `json:"name"`
	ToMove bool   `json:"to_move"`
}

func newNim() game.Game { return game.New(nim{Heaps: [3]int{3, 5, 7}}) }

func (g nim) Validate() error {
	for i, n := range g.Heaps {
		if n < 1 || n > 9 {
			return fmt.Errorf("heaps[%d]: %d, not 1 to 9", i, n)
		}
	}
	return nil
}

func (g nim) Info() game.Info {
	return game.Info{
		Name: "nim", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: g.Heaps[0] + g.Heaps[1] + g.Heaps[2],
		MinReturn: -1, MaxReturn: 1, ZeroSum: true,
	}
}

func (g nim) Start(setup game.Setup) (nimState, error) {
	s := nimState{heaps: g.Heaps}
	for _, name := range setup.Names {
		s.names = s.names.Append(name)
	}
	return s, nil
}

func (g nim) Turn(s *nimState) game.Turn {
	if s.heaps == [3]int{} {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.moves % 2))}
}

func (g nim) Legal(dst []nimMove, s *nimState, _ game.Seat) []nimMove {
	for heap, n := range s.heaps {
		for take := 1; take <= n; take++ {
			dst = append(dst, nimMove{heap, take})
		}
	}
	return dst
}

func (g nim) Apply(s *nimState, moves []game.Move[nimMove]) {
	s.last = moves[0].Action
	s.heaps[s.last.Heap] -= s.last.Take
	s.moves++
}

func (g nim) View(s *nimState, _ game.Seat) any {
	v := nimView{Players: []nimPlayer{}, Heaps: append([]int{}, s.heaps[:]...), Stones: [][]string{}, Moves: s.moves}
	for i, name := range s.names.Clip(2) {
		v.Players = append(v.Players, nimPlayer{name, g.Turn(s).Seats.Has(game.Seat(i))})
	}
	for _, n := range s.heaps {
		row := make([]string, 9)
		for i := range n {
			row[i] = "●"
		}
		v.Stones = append(v.Stones, row)
	}
	if s.moves > 0 {
		last := s.last
		v.Last = &last
	}
	return v
}

func (g nim) Outcome(s *nimState) game.Outcome {
	out := game.Outcome{Returns: []float64{-1, -1}, Reason: "last_stone"}
	out.Returns[(s.moves-1)%2] = 1
	return out
}

// Text is what a move does in words.
func (g nim) Text(_ *nimState, m nimMove) string {
	return fmt.Sprintf("%d from heap %d", m.Take, m.Heap)
}
