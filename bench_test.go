package arena_test

import (
	"testing"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
)

// BenchmarkRefereed plays random Connect Four through the whole referee, without
// a record and by a fed clock.
func BenchmarkRefereed(b *testing.B) {
	benchmark(b, arena.Config{Clock: func() referee.Time { return 1 }})
}

// BenchmarkRecorded adds the default clock and the hash-chained record, to a log
// that discards it.
func BenchmarkRecorded(b *testing.B) {
	benchmark(b, arena.Config{Store: referee.DiscardStore{}, Key: make([]byte, 32)})
}

func benchmark(b *testing.B, c arena.Config) {
	c.Games = []game.Game{connectfour.New()}
	a, err := arena.New(c)
	if err != nil {
		b.Fatal(err)
	}
	seats := []arena.Seat{{Player: house.Random()}, {Player: house.Random()}}
	plies, n := 0, uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		n++
		r, err := a.Play(b.Context(), arena.Match{ID: "bench", Seats: seats, Seed: arena.Seed(n)})
		if err != nil {
			b.Fatal(err)
		}
		plies += r.Seats[0].Moves + r.Seats[1].Moves
	}
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
}
