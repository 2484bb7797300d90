package gametest

import (
	"testing"

	"github.com/matchreferee/arena/game"
)

// rps is rock-paper-scissors, best of three: both choose unseen, ties are played again, at most Rounds of them.
type rps struct {
	Rounds int `json:"rounds"`
}

type rpsState struct {
	names  [2]string
	wins   [2]int
	rounds game.Log[[2]string]
}

type rpsView struct {
	Players []string    `json:"players"`
	Wins    [2]int      `json:"wins"`
	Rounds  [][2]string `json:"rounds"`
}

func (g rps) Info() game.Info {
	return game.Info{Name: "rock-paper-scissors", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: g.Rounds, MinReturn: -1, MaxReturn: 1, ZeroSum: true}
}

func (rps) Start(setup game.Setup) (rpsState, error) {
	return rpsState{names: [2]string(setup.Names)}, nil
}

func (g rps) Turn(s *rpsState) game.Turn {
	if max(s.wins[0], s.wins[1]) == 2 || s.rounds.Len() == g.Rounds {
		return game.Turn{}
	}
	return game.Turn{Seats: game.FirstSeats(2), Mode: game.Joint}
}

func (rps) Legal(dst []string, _ *rpsState, _ game.Seat) []string {
	return append(dst, "rock", "paper", "scissors")
}

func (rps) Apply(s *rpsState, moves []game.Move[string]) {
	round := [2]string{moves[0].Action, moves[1].Action}
	s.rounds = s.rounds.Append(round)
	switch round {
	case [2]string{"rock", "scissors"}, [2]string{"paper", "rock"}, [2]string{"scissors", "paper"}:
		s.wins[0]++
	case [2]string{"scissors", "rock"}, [2]string{"rock", "paper"}, [2]string{"paper", "scissors"}:
		s.wins[1]++
	}
}

func (rps) View(s *rpsState, _ game.Seat) any {
	return rpsView{Players: s.names[:], Wins: s.wins, Rounds: s.rounds.Clip(s.rounds.Len())}
}

func (rps) Outcome(s *rpsState) game.Outcome {
	out := game.Outcome{Returns: []float64{0, 0}, Scores: []int64{int64(s.wins[0]), int64(s.wins[1])}, Reason: "rounds"}
	for seat, n := range s.wins {
		if n == 2 {
			out.Returns[seat], out.Returns[1-seat], out.Reason = 1, -1, "two_wins"
		}
	}
	return out
}

func TestRockPaperScissors(t *testing.T) {
	Run(t, game.New(rps{Rounds: 9}), Options{Rulesets: []string{`{"rounds":3}`}})
}
