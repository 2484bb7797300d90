// Command go plays for an agent over ludux/1 on a WebSocket that it opens: any game that its arena has.
//
//	LUDUX_KEY=... go run ./examples/agents/go -url wss://arena.example/agents
//
// What it thinks is in choose.go, the file to replace.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

func main() {
	url := flag.String("url", "", "the `address` of the arena; ws instead of wss is for this machine alone")
	matches := flag.Int("matches", 0, "leave after the end of so many matches; 0: never")
	flag.Parse()
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, *url, os.Getenv("LUDUX_KEY"), *matches))
}

// run plays until ctx ends, and gives the exit status: 0, or 2 if it could not
// begin, 3 if the key is refused, 4 if another connection has taken over.
func run(ctx context.Context, url, key string, matches int) int {
	if key == "" {
		log.Print("LUDUX_KEY is to hold the agent's key")
		return 2
	}
	var agent *websocket.Client // which tells only when it runs
	ended := map[string]bool{}
	told := func(m ludux.Message) {
		switch m := m.(type) {
		case *ludux.MatchStart:
			log.Printf("match %q: %q, seat %d", m.MatchID, m.Game, m.Seat)
		case *ludux.MatchEnd:
			if ended[m.MatchID] { // it may come twice
				return
			}
			ended[m.MatchID] = true
			log.Printf("match %q: %s, %q", m.MatchID, m.Outcome, m.Reason)
			if len(ended) == matches {
				agent.Close()
			}
		case *ludux.Error:
			log.Printf("match %q: %s: %q", m.MatchID, m.Code, m.Message)
		}
	}
	agent, err := websocket.Dial(ctx, url, websocket.DialOptions{Key: key, Told: told, Failed: func(err error) { log.Print(err) }})
	dialled := err == nil
	if dialled {
		err = agent.Run(ctx, play)
	}
	if errors.Is(err, websocket.ErrClosed) || ctx.Err() != nil {
		return 0
	}
	log.Print(err)
	var refused *websocket.RefusedError
	switch {
	case errors.As(err, &refused):
		return 3
	case errors.Is(err, websocket.ErrReplaced):
		return 4
	case !dialled:
		return 2
	}
	return 1
}

// play answers one request. Many may be played at the same time.
func play(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	action, commentary := choose(m, rand.N[int])
	return m.Respond(action, commentary), nil
}
