package main

import (
	"net/http/httptest"
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

func TestPlay(t *testing.T) {
	tests := []struct {
		legal []string
		want  string // empty: an error
	}{
		{[]string{"a", "b", "c", "d", "e", "f", "g"}, "d"},
		{[]string{"a", "e", "g"}, "e"},
		{[]string{"g"}, "g"},
		{[]string{"e2e4"}, ""},
		{nil, ""},
	}
	for _, tt := range tests {
		r, err := play(t.Context(), agentarena.MoveRequest{Legal: tt.legal})
		if r.Move != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%v: %q, %v, not %q", tt.legal, r.Move, err, tt.want)
		}
	}
}

// TestMatch plays one match over loopback HTTP to an end by the rules.
func TestMatch(t *testing.T) {
	handler, err := callback.Agent(play, callback.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	calls, err := callback.New(callback.Options{ReplayURL: "https://arena.example/m/{match_id}", AllowHTTP: true, AllowLoopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer calls.Close()
	me := referee.Agent{Slug: "go-agent"}
	if err := calls.Register(t.Context(), me, server.URL); err != nil {
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
	setup := referee.Setup{ID: "first", Table: table, Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{{Agent: me, Policy: policy, Clock: clock}, {}}}
	result, err := new(referee.Local).Play(t.Context(), setup, agent, house.Random())
	if err != nil {
		t.Fatal(err)
	}
	if result.Cause != referee.CausePlay || result.Seats[0].Strikes != 0 || result.Seats[0].Moves < 4 {
		t.Errorf("%v, %s: %+v", result.Cause, result.Reason, result.Seats[0])
	}
}
