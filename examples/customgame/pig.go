package main

// The dice game Pig: rules that live in a module of their own and use nothing but package game.
//
// On a turn a player rolls a die as often as they dare and adds up what it shows; a one ends the turn and loses that sum, holding ends it and
// banks the sum. The first to bank the goal wins. (J. Scarne, Scarne on Dice, 1945.)

import (
	"errors"
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
)

// Rules are the rules of Pig; their fields are the ruleset.
type Rules struct {
	Goal   int `json:"goal"`   // points that win: 10 to 200
	Rounds int `json:"rounds"` // turns of each player at most, 1 to 100; then the most points win
}

// newPig gives the game with its usual ruleset: 50 points, 40 rounds.
func newPig() game.Game { return game.New(Rules{Goal: 50, Rounds: 40}) }

// Move is what a player or the die does.
type Move struct {
	Do   string `json:"do"`            // "roll" or "hold" by a player, "show" by the die
	Pips int    `json:"pips,omitzero"` // what the die shows, 1 to 6
}

const maxPlayers = 4

// State is one position. It is copied by =.
type State struct {
	names   game.Log[string]
	bank    [maxPlayers]int
	sum     int // of the turn so far
	player  int
	round   int
	rolling bool // the die is in the air
	last    Move
}

// View is what everybody sees.
type View struct {
	Players []string `json:"players"`
	Bank    []int    `json:"bank"`
	Sum     int      `json:"sum"`
	Player  int      `json:"player"`
	Round   int      `json:"round"`
	Rolling bool     `json:"rolling"`
	Last    Move     `json:"last"`
}

// Info describes the game.
func (r Rules) Info() game.Info {
	turn := 2 * ((r.Goal+1)/2 + 1) // each roll is worth two points or more, and is two steps
	return game.Info{Name: "pig", Version: "1.0.0", MinSeats: 2, MaxSeats: maxPlayers, MaxSteps: maxPlayers * r.Rounds * turn, MinReturn: -1, MaxReturn: 1}
}

// Validate checks the ruleset.
func (r Rules) Validate() error {
	var errs []error
	if r.Goal < 10 || r.Goal > 200 {
		errs = append(errs, fmt.Errorf("goal: %d is not 10 to 200", r.Goal))
	}
	if r.Rounds < 1 || r.Rounds > 100 {
		errs = append(errs, fmt.Errorf("rounds: %d is not 1 to 100", r.Rounds))
	}
	return errors.Join(errs...)
}

// Start gives the first state.
func (Rules) Start(setup game.Setup) (State, error) {
	var s State
	for _, name := range setup.Names {
		s.names = s.names.Append(name)
	}
	return s, nil
}

// Turn says who may act: the player, or the die.
func (r Rules) Turn(s *State) game.Turn {
	switch {
	case s.rolling:
		return game.Turn{Chance: true, Phase: "roll"}
	case r.winner(s) >= 0 || s.round == r.Rounds:
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(s.player)), Phase: "decide"}
}

// winner is the player who has the goal in the bank, or -1.
func (r Rules) winner(s *State) int {
	for i, n := range s.bank {
		if n >= r.Goal {
			return i
		}
	}
	return -1
}

// Legal lists the moves; those of the die are equally likely.
func (r Rules) Legal(dst []Move, s *State, seat game.Seat) []Move {
	if seat == game.Chance {
		for pips := 1; pips <= 6; pips++ {
			dst = append(dst, Move{"show", pips})
		}
		return dst
	}
	if s.bank[s.player]+s.sum < r.Goal {
		dst = append(dst, Move{Do: "roll"})
	}
	return append(dst, Move{Do: "hold"})
}

// Apply makes a move.
func (Rules) Apply(s *State, moves []game.Move[Move]) {
	m := moves[0].Action
	s.last, s.rolling = m, m.Do == "roll"
	switch {
	case m.Do == "hold":
		s.bank[s.player] += s.sum
		s.pass()
	case m.Pips == 1:
		s.pass()
	default:
		s.sum += m.Pips
	}
}

// pass gives the die to the next player.
func (s *State) pass() {
	s.sum = 0
	s.player++
	if s.player == s.names.Len() {
		s.player = 0
		s.round++
	}
}

// View is the same for all.
func (Rules) View(s *State, _ game.Seat) any {
	n := s.names.Len()
	return View{s.names.Clip(n), append(make([]int, 0, n), s.bank[:n]...), s.sum, s.player, s.round, s.rolling, s.last}
}

// Outcome returns 1 to the winner and -1 to the others; 0 to all if several have the most points at the end.
func (r Rules) Outcome(s *State) game.Outcome {
	n := s.names.Len()
	out := game.Outcome{Returns: make([]float64, n), Scores: make([]int64, n), Reason: "rounds"}
	if r.winner(s) >= 0 {
		out.Reason = "goal"
	}
	best, several := 0, false
	for i := range n {
		out.Scores[i] = int64(s.bank[i])
		switch {
		case i > 0 && s.bank[i] == s.bank[best]:
			several = true
		case s.bank[i] > s.bank[best]:
			best, several = i, false
		}
	}
	for i := range n {
		switch {
		case several:
		case i == best:
			out.Returns[i] = 1
		default:
			out.Returns[i] = -1
		}
	}
	return out
}

// Default banks what there is.
func (Rules) Default(*State, game.Seat) Move { return Move{Do: "hold"} }

// Text writes a move as a word, or as what the die shows.
func (Rules) Text(_ *State, m Move) string {
	if m.Do == "show" {
		return fmt.Sprint(m.Pips)
	}
	return m.Do
}

// Board lists the players with their points.
func (Rules) Board(s *State, _ game.Seat) string {
	var b strings.Builder
	for i := range s.names.Len() {
		mark := " "
		if i == s.player {
			mark = ">"
		}
		fmt.Fprintf(&b, "%s %-12s %3d", mark, s.names.At(i), s.bank[i])
		if i == s.player && s.sum > 0 {
			fmt.Fprintf(&b, " +%d", s.sum)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
