package replay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// kuhn is Kuhn poker (H. W. Kuhn, 1950): a game of chance and hidden cards.
// Deals are two of J, Q, K; bets one letter a move: check, bet, call, fold.
type kuhn struct{}

type kuhnState struct{ deal, bets string }

func (kuhn) Info() game.Info {
	return game.Info{Name: "kuhn", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 4, MinReturn: -2, MaxReturn: 2, ZeroSum: true, Hidden: true}
}

func (kuhn) Start(game.Setup) (kuhnState, error) { return kuhnState{}, nil }

func (kuhn) Turn(s *kuhnState) game.Turn {
	switch {
	case s.deal == "":
		return game.Turn{Chance: true, Phase: "deal"}
	case strings.Contains("kk bc bf kbc kbf", s.bets) && len(s.bets) > 1 && s.bets != "kb":
		return game.Turn{}
	}
	return game.Turn{Seats: game.Seats(game.Seat(len(s.bets) % 2)), Phase: "bet"}
}

func (kuhn) Legal(dst []string, s *kuhnState, seat game.Seat) []string {
	switch {
	case seat == game.Chance:
		return append(dst, "JQ", "JK", "QJ", "QK", "KJ", "KQ")
	case strings.HasSuffix(s.bets, "b"):
		return append(dst, "call", "fold")
	}
	return append(dst, "check", "bet")
}

func (kuhn) Apply(s *kuhnState, moves []game.Move[string]) {
	switch a := moves[0].Action; {
	case s.deal == "":
		s.deal = a
	case a == "check":
		s.bets += "k"
	default:
		s.bets += a[:1]
	}
}

func (kuhn) View(s *kuhnState, seat game.Seat) any {
	v := struct {
		Card string `json:"card"`
		Bets string `json:"bets"`
	}{Bets: s.bets}
	if seat.Valid() && s.deal != "" {
		v.Card = s.deal[seat : seat+1]
	}
	return v
}

func (kuhn) Outcome(s *kuhnState) game.Outcome {
	won := 1.0 // by seat 0
	switch {
	case s.bets == "bf":
		return game.Outcome{Returns: []float64{1, -1}, Reason: "fold"}
	case s.bets == "kbf":
		return game.Outcome{Returns: []float64{-1, 1}, Reason: "fold"}
	case strings.HasSuffix(s.bets, "c"):
		won = 2
	}
	if strings.Index("JQK", s.deal[:1]) < strings.Index("JQK", s.deal[1:]) {
		won = -won
	}
	return game.Outcome{Returns: []float64{won, -won}, Reason: "showdown"}
}

// oracle is a game whose every step is a question to the host; the seat only
// says that it goes on.
type oracle struct{}

type oracleState struct{ asked, told int }

func (oracle) Info() game.Info {
	return game.Info{Name: "oracle", Version: "2.0.0", MinSeats: 1, MaxSeats: 1, MaxSteps: 4, MaxReturn: 1}
}

func (oracle) Start(game.Setup) (oracleState, error) { return oracleState{}, nil }

func (oracle) Turn(s *oracleState) game.Turn {
	switch {
	case s.told == 2:
		return game.Turn{}
	case s.asked > s.told:
		return game.Turn{Host: true}
	}
	return game.Turn{Seats: game.Seats(0)}
}

func (oracle) Legal(dst []string, s *oracleState, seat game.Seat) []string {
	if seat == game.Host {
		return append(dst, "yes", "no")
	}
	return append(dst, "ask")
}

func (oracle) Apply(s *oracleState, moves []game.Move[string]) {
	if moves[0].Seat == game.Host {
		s.told++
	} else {
		s.asked++
	}
}

func (oracle) Asks(dst []game.Ask, s *oracleState) []game.Ask {
	if s.asked > s.told {
		dst = append(dst, game.Ask{ID: int64(s.asked), Kind: "yes-or-no"})
	}
	return dst
}

func (oracle) View(s *oracleState, _ game.Seat) any { return s.told }

func (oracle) Outcome(*oracleState) game.Outcome {
	return game.Outcome{Returns: []float64{1}, Reason: "told"}
}

var rules = replay.Rules(connectfour.New(), game.New(kuhn{}), game.New(oracle{}))

const start = referee.Time(1_790_000_000_000)

func table(t testing.TB, g game.Game) *game.Table {
	t.Helper()
	tab, err := g.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// setup seats Ann and Bob, who have ten seconds a move and three strikes.
var agents = [...][2]string{{"ann", "Ann"}, {"bob", "Bob"}, {"cy", "Cy"}, {"di", "Di"}, {"ed", "Ed"}}

func setup(t testing.TB, g game.Game, id string) referee.Setup {
	t.Helper()
	tab := table(t, g)
	s := referee.Setup{ID: id, Table: tab}
	s.Secret, s.Salt = referee.Secrets([]byte("a key of the tests"), id)
	for i := range tab.Info().MinSeats {
		s.Seats = append(s.Seats, referee.SeatInfo{
			Agent:     referee.Agent{Slug: agents[i][0], Name: agents[i][1], Version: "1.2.0"},
			Transport: "callback",
			Policy: referee.Policy{Name: "agentarena", Late: referee.DoStrike, Malformed: referee.DoStrike, Illegal: referee.DoStrike,
				Strikes: 3, Pause: 250 * time.Millisecond, PauseMax: 2 * time.Second, Reask: true},
			Clock: referee.Clock{Move: 10 * time.Second, Grace: 100 * time.Millisecond, Expiry: time.Hour},
		})
	}
	return s
}
