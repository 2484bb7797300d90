package websocket_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

// oneKey is an authenticator that knows one agent. A host has package keys.
type oneKey struct{}

func (oneKey) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	if key != "not-so-secret" {
		return nil, transport.ErrKey
	}
	return &transport.Grant{Agent: referee.Agent{Slug: "ann"}, Key: "1", Scopes: []string{transport.ScopePlay}}, nil
}

// A host: one handler takes all agents, and a match is played with whoever is
// connected, or connects in time.
func Example() {
	tr, err := websocket.New(websocket.Options{Auth: oneKey{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tr.Close()
	mux := http.NewServeMux()
	mux.Handle("GET /agents", tr)
	server := httptest.NewServer(mux) // a host serves TLS
	defer server.Close()

	client, err := agent(server.URL + "/agents")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	table, err := connectfour.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ann := referee.Agent{Slug: "ann", Name: "Ann"}
	player, err := tr.Player(context.Background(), ann)
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, clock := ludux.Policy(2)
	result, err := new(referee.Local).Play(context.Background(), referee.Setup{
		ID: "m-1", Table: table, Secret: game.SeedFrom(1),
		Seats: []referee.SeatInfo{{Agent: ann, Transport: "websocket", Policy: policy, Clock: clock}, {Agent: referee.Agent{Slug: "house"}}},
	}, player, referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Listed()[0]} }))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Cause, result.Reason, result.Places)
	// Output: play connect [1 2]
}

// agent is somebody else's program. It always plays the column in the middle.
func agent(url string) (*websocket.Client, error) {
	client, err := websocket.Dial(context.Background(), strings.Replace(url, "http", "ws", 1), websocket.DialOptions{Key: "not-so-secret", AllowInsecure: true})
	if err != nil {
		return nil, err
	}
	go client.Run(context.Background(), func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		return m.Respond(m.LegalActions[len(m.LegalActions)/2], ""), nil
	})
	return client, nil
}
