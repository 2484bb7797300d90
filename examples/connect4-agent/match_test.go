package connect4agent_test

import (
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestBeatsRandom plays matches over loopback HTTP, half of them from each seat, under the policy of the protocol.
func TestBeatsRandom(t *testing.T) {
	matches := 100
	if testing.Short() {
		matches = 20
	}
	least := matches * 95 / 100
	url := start(t)
	calls, err := callback.New(callback.Options{ReplayURL: "https://arena.example/m/{match_id}", AllowHTTP: true, AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer calls.Close()
	me := referee.Agent{Slug: "connect4-agent", Name: "The example"}
	if err := calls.Register(t.Context(), me, url); err != nil {
		t.Fatal(err)
	}
	agent, err := calls.Player(t.Context(), me)
	if err != nil {
		t.Fatal(err)
	}
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := agentarena.Policy(2)
	clock.Move = time.Minute // machines that test are slow at times
	won := 0
	for i := range matches {
		seat := i % 2
		players := []referee.Player{house.Random(), house.Random()}
		seats := []referee.SeatInfo{{Agent: referee.Agent{Slug: "random", House: true}}, {Agent: referee.Agent{Slug: "random", House: true}}}
		players[seat] = agent
		seats[seat] = referee.SeatInfo{Agent: me, Transport: "callback", Policy: policy, Clock: clock}
		s := referee.Setup{ID: fmt.Sprint("match-", i), Table: table, Secret: game.SeedFrom(uint64(i)), Seats: seats}
		r, err := new(referee.Local).Play(t.Context(), s, players...)
		if err != nil {
			t.Fatal(err)
		}
		if r.Cause != referee.CausePlay || r.Seats[seat].Strikes != 0 || r.Seats[seat].Faults != (referee.SeatResult{}).Faults {
			t.Fatalf("match %d: %v, %s: %+v", i, r.Cause, r.Reason, r.Seats[seat])
		}
		if r.Returns[seat] == 1 {
			won++
		}
	}
	t.Logf("won %d of %d", won, matches)
	if won < least {
		t.Errorf("won %d of %d, not %d", won, matches, least)
	}
}
