package gametest

import (
	"slices"

	"github.com/matchreferee/arena/game"
)

// race: the seats add 1 to 3 in turns; whoever reaches raceGoal wins. Its state holds slices, so that it needs a Clone; raceCore has none.
type raceCore struct{}

type race struct{ raceCore }

const raceGoal = 12

type raceState struct {
	total int
	path  []int // what was added
	owner []int // owner[i] is who passed i: changed in place
	asked int   // how often Legal was asked, where the rules count (racePeeks)
	kept  game.Log[[]game.Move[int]]
}

type raceView struct {
	Total int   `json:"total"`
	Path  []int `json:"path"`
	Owner []int `json:"owner"`
}

func (raceCore) Info() game.Info {
	return game.Info{Name: "race", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: raceGoal, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (raceCore) Start(game.Setup) (raceState, error) {
	return raceState{owner: slices.Repeat([]int{-1}, raceGoal)}, nil
}

func (raceCore) Turn(s *raceState) game.Turn {
	if s.total >= raceGoal {
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(len(s.path) % 2))}
}

func (raceCore) Legal(dst []int, _ *raceState, _ game.Seat) []int { return append(dst, 1, 2, 3) }

func (raceCore) Apply(s *raceState, moves []game.Move[int]) {
	for range moves[0].Action {
		if s.total < raceGoal {
			s.owner[s.total] = int(moves[0].Seat)
		}
		s.total++
	}
	s.path = append(s.path, moves[0].Action)
}

func (raceCore) View(s *raceState, _ game.Seat) any {
	return raceView{s.total, append([]int{}, s.path...), slices.Clone(s.owner)}
}

func (raceCore) Outcome(s *raceState) game.Outcome {
	out := game.Outcome{Returns: []float64{1, 1}, Reason: "goal"}
	out.Returns[len(s.path)%2] = -1
	return out
}

func (race) Clone(s *raceState) raceState {
	c := *s
	c.path, c.owner = slices.Clone(s.path), slices.Clone(s.owner)
	return c
}

// raceShares clones the one slice that it was told of and appends to the other.
type raceShares struct{ raceCore }

func (raceShares) Clone(s *raceState) raceState {
	c := *s
	c.owner = slices.Clone(s.owner)
	return c
}

// raceForgets leaves a field out of its clones.
type raceForgets struct{ raceCore }

func (raceForgets) Clone(s *raceState) raceState {
	return raceState{total: s.total, path: slices.Clone(s.path), owner: slices.Repeat([]int{-1}, raceGoal)}
}

// raceKeeps keeps what it was given to apply.
type raceKeeps struct{ race }

func (g raceKeeps) Apply(s *raceState, moves []game.Move[int]) {
	s.kept = s.kept.Append(moves)
	g.race.Apply(s, moves)
}

// racePeeks changes the state when it is asked for moves, where nobody sees it.
type racePeeks struct{ race }

func (g racePeeks) Legal(dst []int, s *raceState, seat game.Seat) []int {
	s.asked++
	return g.race.Legal(dst, s, seat)
}

// raceBares shows the very slice that Apply changes.
type raceBares struct{ race }

func (g raceBares) View(s *raceState, _ game.Seat) any {
	return raceView{s.total, append([]int{}, s.path...), s.owner}
}

// racePointer has moves that hold a pointer: equal moves are not ==.
type racePointer struct{ race }

type pointerMove struct {
	Add *int `json:"add"`
}

func (racePointer) Legal(dst []pointerMove, _ *raceState, _ game.Seat) []pointerMove {
	for n := range 3 {
		add := n + 1
		dst = append(dst, pointerMove{&add})
	}
	return dst
}

func (g racePointer) Apply(s *raceState, moves []game.Move[pointerMove]) {
	g.race.Apply(s, []game.Move[int]{{Seat: moves[0].Seat, Action: *moves[0].Action.Add}})
}

// raceLossy has moves that leave a part of themselves out of their JSON.
type raceLossy struct{ race }

type lossyMove struct {
	Add   int `json:"add"`
	bonus int
}

func (raceLossy) Legal(dst []lossyMove, s *raceState, _ game.Seat) []lossyMove {
	return append(dst, lossyMove{1, 0}, lossyMove{2, s.total % 2})
}

func (g raceLossy) Apply(s *raceState, moves []game.Move[lossyMove]) {
	m := moves[0].Action
	g.race.Apply(s, []game.Move[int]{{Seat: moves[0].Seat, Action: min(m.Add+m.bonus, 3)}})
}

// raceWhole has moves that say all of themselves.
type raceWhole struct{ race }

type wholeMove struct {
	Add int `json:"add"`
}

func (raceWhole) Legal(dst []wholeMove, _ *raceState, _ game.Seat) []wholeMove {
	return append(dst, wholeMove{1}, wholeMove{2})
}

func (g raceWhole) Apply(s *raceState, moves []game.Move[wholeMove]) {
	g.race.Apply(s, []game.Move[int]{{Seat: moves[0].Seat, Action: moves[0].Action.Add}})
}

// raceWaits has a default that does nothing: nobody who is gone ever loses.
type raceWaits struct{ race }

func (g raceWaits) Info() game.Info {
	info := g.race.Info()
	info.MaxSteps = 200
	return info
}

func (raceWaits) Legal(dst []int, _ *raceState, _ game.Seat) []int { return append(dst, 0, 1, 2, 3) }

func (raceWaits) Default(*raceState, game.Seat) int { return 0 }

// raceGoes is raceWaits repaired.
type raceGoes struct{ raceWaits }

func (raceGoes) Default(*raceState, game.Seat) int { return 1 }

// raceIndexed declares a move space that lacks a move.
type raceIndexed struct {
	race
	most int
}

func (g raceIndexed) Actions() []int {
	all := make([]int, g.most)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

func (raceIndexed) Index(a int) int { return a - 1 }
