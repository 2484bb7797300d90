// Command go-agent is about the smallest agent in Go: it plays Connect Four over agentarena/1, in the column nearest to the middle.
//
//	go run ./examples/go-agent [-listen 127.0.0.1:8080]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/callback"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address to listen on; port 0 means any free one")
	flag.Parse()
	handler, err := callback.Agent(play, callback.AgentOptions{})
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", l.Addr())
	// Idle connections are kept for as long as an opponent may think.
	server := http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 10 * time.Minute}
	log.Fatal(server.Serve(l))
}

// play finds a move. The nonce and repeated requests are the handler's business.
func play(_ context.Context, turn agentarena.MoveRequest) (agentarena.Reply, error) {
	for _, column := range []string{"d", "c", "e", "b", "f", "a", "g"} {
		if slices.Contains(turn.Legal, column) {
			return agentarena.Reply{Move: column, Reason: "As near to the middle as it gets."}, nil
		}
	}
	return agentarena.Reply{}, errors.New("none of the columns a to g is open")
}
