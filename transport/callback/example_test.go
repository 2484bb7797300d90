package callback_test

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// ExampleAgent is an agent that takes the middle one of its legal moves.
func ExampleAgent() {
	agent, err := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[len(m.Legal)/2], Reason: "the middle"}, nil
	}, callback.AgentOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(agent) // http.Handle("/play", agent) elsewhere
	defer server.Close()

	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(
		`{"protocol":"agentarena/1","type":"move_request","match_id":"m1","move_number":1,"legal":["a","b","c"],"nonce":"7f3a"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(body))
	// Output: 200 {"move":"b","nonce":"7f3a","reason":"the middle"}
}

// Example referees a match between an agent behind a URL and a Go function. A
// host on the internet leaves AllowHTTP and AllowLoopback out.
func Example() {
	agent, _ := callback.Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		return agentarena.Reply{Move: m.Legal[len(m.Legal)/2]}, nil
	}, callback.AgentOptions{})
	server := httptest.NewServer(agent)
	defer server.Close()

	transport, err := callback.New(callback.Options{
		ReplayURL: "https://arena.example/m/{match_id}",
		AllowHTTP: true, AllowLoopback: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer transport.Close()
	ctx := context.Background()
	ann := referee.Agent{Slug: "ann", Name: "Ann"}
	if err := transport.Register(ctx, ann, server.URL+"/play"); err != nil {
		fmt.Println(err)
		return
	}
	player, err := transport.Player(ctx, ann)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, _ := connectfour.New().Table(nil)
	policy, clock := agentarena.Policy(2)
	result, err := new(referee.Local).Play(ctx, referee.Setup{
		ID: "m1", Table: table,
		Seats: []referee.SeatInfo{
			{Agent: ann, Transport: "callback", Policy: policy, Clock: clock},
			{Agent: referee.Agent{Slug: "left"}, Transport: "local"},
		},
	}, player, referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: r.Legal(nil)[0]}
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Cause, result.Reason, result.Places, result.Seats[0].Strikes)
	// Output: play connect [1 2] 0
}
