package arena_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"math"
	"os/signal"
	"syscall"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
	"github.com/matchreferee/arena/transport/callback"
)

// A researcher asks whether to begin in the middle pays, over pairs of games
// with the seats swapped.
func Example_researcher() {
	a, err := arena.New(arena.Config{Games: []game.Game{connectfour.New()}})
	if err != nil {
		log.Fatal(err)
	}
	middle := referee.Inline(func(r *referee.Request) referee.Answer { // a player is a function
		if board := r.View().(connectfour.View); board.Ply < 4 {
			return referee.Answer{Action: "3"} // an action is JSON: the fourth column
		}
		legal := r.Listed()
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
	})
	const pairs = 500
	var sum, squares float64
	for n := range uint64(pairs) {
		var pair float64 // what the player makes of both seats, from -1 to 1
		for seat := range 2 {
			players := []arena.Seat{{Player: house.Random()}, {Player: house.Random()}}
			players[seat].Player = middle
			r, err := a.Play(context.Background(), arena.Match{Seats: players, Seed: arena.Seed(n)})
			if err != nil {
				log.Fatal(err)
			}
			pair += r.Returns[seat] / 2
		}
		sum, squares = sum+pair, squares+pair*pair
	}
	mean := sum / pairs
	half := 1.96 * math.Sqrt((squares/pairs-mean*mean)/(pairs-1))
	fmt.Printf("the middle makes %.2f ± %.2f a game, 95%% interval over %d pairs\n", mean, half, pairs)
	// Output:
	// the middle makes 0.23 ± 0.06 a game, 95% interval over 500 pairs
}

// A host referees agents over HTTPS, keeps records in a directory, takes over
// after a restart what was unfinished, and drains when it is told to stop.
func Example_host() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	key, err := filelog.Key("arena.key")
	if err != nil {
		log.Fatal(err)
	}
	store, err := filelog.NewStore("records", filelog.Options{})
	if err != nil {
		log.Fatal(err)
	}
	agents, err := callback.New(callback.Options{ReplayURL: "https://arena.example/m/{match_id}"})
	if err != nil {
		log.Fatal(err)
	}
	a, err := arena.New(arena.Config{
		Games: []game.Game{connectfour.New()}, Store: store, Key: key, Seal: replay.Sealer(), Logger: slog.Default(),
		Carriers: map[string]arena.Carrier{"callback": {Transport: agents, Terms: agentarena.Policy}},
	})
	if err != nil {
		log.Fatal(err)
	}
	ann, bob := referee.Agent{Slug: "ann", Name: "Ann"}, referee.Agent{Slug: "bob", Name: "Bob"}
	for agent, url := range map[*referee.Agent]string{&ann: "https://ann.example/play", &bob: "https://bob.example/play"} {
		if err := agents.Register(ctx, *agent, url); err != nil {
			log.Print(err) // the address is refused
		}
	}
	if _, err := a.Recover(ctx); err != nil {
		log.Print(err)
	}
	if _, err := a.Start(ctx, arena.Match{Seats: []arena.Seat{{Agent: ann, Carrier: "callback"}, {Agent: bob, Carrier: "callback"}}}); err != nil {
		log.Print(err)
	}
	<-ctx.Done()
	drain, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a.Shutdown(drain)
}
