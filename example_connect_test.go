package arena_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/callback"
	"github.com/matchreferee/arena/transport/keys"
	"github.com/matchreferee/arena/transport/websocket"
)

type secrets = func(context.Context, referee.Agent) ([]callback.Secret, error)

func connect(mux *http.ServeMux, auth transport.Authenticator, of secrets) (map[string]arena.Carrier, error) {
	sockets, err := websocket.New(websocket.Options{Auth: auth})
	if err != nil {
		return nil, err
	}
	posts, err := callback.New(callback.Options{ReplayURL: "https://arena.example/m/{match_id}", Signed: &callback.Signed{Secrets: of}})
	if err != nil {
		return nil, err
	}
	mux.Handle("GET /agents", sockets) // agents dial wss://arena.example/agents
	return map[string]arena.Carrier{
		"websocket": {Transport: sockets, Terms: ludux.Policy},
		"post":      {Transport: posts, Terms: ludux.Policy},
	}, nil
}

// Agents that speak ludux/1 come by a WebSocket, which they open with a key, or answer signed POSTs.
func Example_connect() {
	ctx := context.Background()
	ring, err := keys.New(new(keys.Memory), keys.Options{}) // of a service: keys.OpenFile
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	carriers, err := connect(mux, ring, func(context.Context, referee.Agent) ([]callback.Secret, error) { return nil, nil })
	if err != nil {
		log.Fatal(err)
	}
	a, err := arena.New(arena.Config{Games: []game.Game{chess.New(), werewolf.New()}, Carriers: carriers})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Shutdown(ctx)
	server := httptest.NewServer(mux)
	defer server.Close()

	key, _, err := ring.Issue(ctx, keys.Request{Agent: referee.Agent{Slug: "ann"}, Scopes: []string{transport.ScopePlay}})
	if err != nil {
		log.Fatal(err)
	}
	ann, err := websocket.Dial(ctx, "ws"+server.URL[len("http"):]+"/agents", websocket.DialOptions{Key: key.Reveal()})
	if err != nil {
		log.Fatal(err)
	}
	defer ann.Close()
	fmt.Println(ann.Welcome().Agent.Slug)
	// Output: ann
}
