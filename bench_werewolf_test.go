package arena_test

import (
	"testing"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// BenchmarkWerewolf plays Werewolf of nine seats through the whole referee, by
// the default clock and with the hash-chained record, to a log that discards it.
// The players do any listed thing, which costs next to nothing.
func BenchmarkWerewolf(b *testing.B) {
	a, err := arena.New(arena.Config{Games: []game.Game{werewolf.New()}, Store: referee.DiscardStore{}, Key: make([]byte, 32)})
	if err != nil {
		b.Fatal(err)
	}
	anything := referee.Inline(func(r *referee.Request) referee.Answer {
		listed := r.Listed()
		return referee.Answer{Action: listed[r.Rand().IntN(len(listed))]}
	})
	seats := make([]arena.Seat, 9)
	for i := range seats {
		seats[i].Player = anything
	}
	moves, n := 0, uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		n++
		r, err := a.Play(b.Context(), arena.Match{ID: "bench", Seats: seats, Seed: arena.Seed(n)})
		if err != nil {
			b.Fatal(err)
		}
		if r.Cause != referee.CausePlay {
			b.Fatal(r.Cause, r.Reason)
		}
		for i := range r.Seats {
			moves += r.Seats[i].Moves
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
	b.ReportMetric(float64(moves)/float64(b.N), "moves/game")
}
