package arena_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/keys"
	"github.com/matchreferee/arena/transport/websocket"
)

// Spectators with a key of the scope "watch" see matches by their ids, here half a minute late. The handler goes where the host likes.
func Example_spectators() {
	ctx := context.Background()
	a, err := arena.New(arena.Config{Games: []game.Game{connectfour.New()}})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Shutdown(ctx)
	ring, err := keys.New(new(keys.Memory), keys.Options{})
	if err != nil {
		log.Fatal(err)
	}
	sockets, err := websocket.New(websocket.Options{Auth: ring})
	if err != nil {
		log.Fatal(err)
	}
	defer sockets.Close()
	views := func(ctx context.Context, match string) (<-chan referee.Public, error) {
		if h, ok := a.Find(match); ok {
			return h.Watch(ctx), nil
		}
		return nil, fmt.Errorf("%w: %s", websocket.ErrNoMatch, match)
	}
	handler, err := sockets.Watch(websocket.WatchOptions{Views: views, Delay: 30 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	_ = handler // mux.Handle("GET /watch", handler): wss://arena.example/watch?match=m-1

	h, err := a.Start(ctx, arena.Match{ID: "m-1", Seats: []arena.Seat{{Player: house.Random()}, {Player: house.Random()}}, Seed: arena.Seed(1)})
	if err != nil {
		log.Fatal(err)
	}
	positions := h.Watch(ctx)
	if _, err := h.Wait(ctx); err != nil {
		log.Fatal(err)
	}
	var last referee.Public
	for last = range positions {
	}
	_, err = views(ctx, "m-1")
	fmt.Println(last.Result.Cause, err)
	// Output: play websocket: no such match: m-1
}
