package websocket_test

import (
	"context"
	"errors"
	"log"
	"os"
	"os/signal"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/websocket"
)

// An agent for every game, which takes the first of its legal actions. It plays all
// the matches that its arena seats it in, through restarts on either side.
func ExampleDial() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	agent, err := websocket.Dial(ctx, "wss://arena.example/agents", websocket.DialOptions{
		Key: os.Getenv("LUDUX_KEY"),
		Told: func(m ludux.Message) {
			if end, ok := m.(*ludux.MatchEnd); ok {
				log.Printf("%s: %s by %s", end.MatchID, end.Outcome, end.Reason)
			}
		},
		Failed: func(err error) { log.Print(err) },
	})
	if errors.Is(err, transport.ErrKey) {
		log.Fatal("LUDUX_KEY is not a valid key")
	} else if err != nil {
		log.Fatal(err)
	}
	defer agent.Close()
	err = agent.Run(ctx, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		return m.Respond(m.LegalActions[0], "As good as any."), nil
	})
	log.Print(err)
}
