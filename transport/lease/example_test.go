package lease_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/lease"
)

// A host's own work takes its turn with the searches of all processes that have
// the same file open.
func ExampleLease_Acquire() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file, err := lease.OpenFile(ctx, filepath.Join(dir, "lease.json"), lease.FileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	l, err := lease.New(ctx, lease.Options{Store: file})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close(ctx)

	held, err := l.Acquire(ctx, lease.Claim{ID: "ratings", Class: lease.Host})
	if err != nil {
		log.Fatal(err)
	}
	defer held.Release()
	compute := func(ctx context.Context) error { return ctx.Err() } // and stops with it
	fmt.Println(compute(held.Context()), held.Token())
	// Output: <nil> 1
}

// Two opponents of the grid share a lease: the strong one searches when no
// other wants to.
func ExampleLease_Player() {
	ctx := context.Background()
	l, err := lease.New(ctx, lease.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close(ctx)
	heavy := func(s *referee.Seat) lease.Claim {
		c := lease.ClaimOf(s)
		c.Class = lease.Heavy
		return c
	}
	hard, err := house.New("hard", house.Options{})
	if err != nil {
		log.Fatal(err)
	}
	hell, err := house.New("hell_v2", house.Options{Nodes: 200})
	if err != nil {
		log.Fatal(err)
	}
	table, err := grid.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	s := referee.Setup{ID: "final", Table: table, Seats: make([]referee.SeatInfo, 2)}
	r, err := new(referee.Local).Play(ctx, s, l.Player(hard, nil), l.Player(hell, heavy))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Cause, r.Places)
	// Output: play [2 1]
}
