package polling_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/polling"
)

// oneKey stands for a store of keys; see package transport/keys.
type oneKey struct{}

func (oneKey) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	if key != "lcb_of_ann" {
		return nil, transport.ErrKey
	}
	return &transport.Grant{Agent: referee.Agent{Slug: "ann"}, Account: "ann", Scopes: []string{transport.ScopeBenchmark}}, nil
}

// Example is a host whose agents poll: what it offers, how it begins a match, and where it mounts the handler.
func Example() {
	ctx := context.Background()
	began := time.Now()
	now := func() time.Duration { return time.Since(began) } // hell_* think for 9 s at most
	opponents := map[string]polling.Opponent{}
	for _, name := range []string{"casual", "hell_v2"} {
		player, _ := house.New(name, house.Options{Now: now})
		policy, _ := house.PolicyOf(name, house.Options{Now: now})
		opponents[name] = polling.Opponent{Player: player, Policy: polling.JSON(policy), Heavy: name == "hell_v2"}
	}
	games, records := []game.Game{grid.New()}, new(referee.MemoryStore) // a host has filelog.Store

	var a *arena.Arena
	polls, err := polling.New(ctx, polling.Options{
		Auth: oneKey{}, Games: games, Opponents: opponents, Records: records,
		Start: func(ctx context.Context, s polling.Start) error {
			m := arena.Match{ID: s.Match, Game: s.Game, Ruleset: s.Ruleset}
			for _, seat := range s.Seats {
				carrier := "polling"
				if seat.Agent.House {
					carrier = "house"
				}
				m.Seats = append(m.Seats, arena.Seat{Agent: seat.Agent, Carrier: carrier, Terms: &arena.Terms{Policy: seat.Policy, Clock: seat.Clock}})
			}
			_, err := a.Start(ctx, m)
			return err
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err = arena.New(arena.Config{
		Games: games, Store: records, Key: []byte("from filelog.Key, 32 bytes of it"),
		Carriers: map[string]arena.Carrier{"polling": {Transport: polls}, "house": {Transport: polls.House()}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := a.Recover(ctx); err != nil { // matches of before the last restart
		fmt.Println(err)
	}
	defer a.Shutdown(ctx)
	server := httptest.NewServer(polls) // http.Handle("/api/benchmarks/", polls) and without the last slash
	defer server.Close()

	// An agent begins a match.
	r, _ := http.NewRequest("POST", server.URL+"/api/benchmarks/matches", strings.NewReader(
		`{"opponent":"casual","name":"My solver","agentSeat":0,"control":"production","requestId":"00000000-0000-4000-8000-000000000001"}`))
	r.Header.Set("Authorization", "Bearer lcb_of_ann")
	r.Header.Set("Content-Type", "application/json")
	resp, err := server.Client().Do(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode)
	// Output: 201
}
