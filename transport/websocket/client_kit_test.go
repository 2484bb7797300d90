package websocket_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/transporttest"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestKitClient holds the transport against the kit once more, with agents that are Clients.
func TestKitClient(t *testing.T) {
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		tr, agents := kitHost(t, l)
		var mu sync.Mutex
		conns := map[string]net.Conn{} // the newest of each agent
		return transporttest.Harness{
			Transport: tr,
			Agent: func(a referee.Agent, play transporttest.Play) {
				dial := func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := l.dial(ctx, network, address)
					mu.Lock()
					defer mu.Unlock()
					conns[a.Slug] = conn
					return conn, err
				}
				client, err := websocket.Dial(t.Context(), "ws://arena.example/", websocket.DialOptions{
					Key: a.Slug, AllowInsecure: true, HTTPClient: &http.Client{Transport: &http.Transport{DialContext: dial}},
				})
				if err != nil {
					t.Fatal(err)
				}
				agents(func(ctx context.Context) { client.Run(ctx, clientPlay(play)) })
			},
			Cut: func(slug string) {
				mu.Lock()
				defer mu.Unlock()
				conns[slug].Close()
			},
		}
	}, transporttest.Options{Terms: ludux.Policy, Virtual: true, Skip: map[string]string{
		"unknown":   "whoever has a key may connect later: there is a player for every slug",
		"duplicate": "a Client answers once",
		"malformed": "a Client sends what is well-formed",
		"oversized": "a Client sends what fits",
		"rejected":  "a Client answers once",
	}})
}

// clientPlay makes of a kit's play what a Client takes.
func clientPlay(play transporttest.Play) func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	return func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
		replies := play(ctx, transporttest.LuduxTurn(m))
		if len(replies) == 0 {
			return nil, context.Canceled
		}
		r, err := ludux.DecodeFromAgent(replies[0].Ludux(m))
		if err != nil {
			return nil, err
		}
		return r.(*ludux.ActionResponse), nil
	}
}
