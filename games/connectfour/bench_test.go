package connectfour

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
)

func pick(r *rand.PCG, n int) int {
	i, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(i)
}

// BenchmarkTyped plays random games through the typed rules; one op is a ply.
func BenchmarkTyped(b *testing.B) {
	rules := Rules{7, 6, 4}
	r := rand.NewPCG(1, 2)
	start, _ := rules.Start(game.Setup{Seats: 2})
	s := start
	var legal []int
	move := make([]game.Move[int], 1)
	b.ReportAllocs()
	for b.Loop() {
		turn := rules.Turn(&s)
		if turn.Over() {
			s = start
			turn = rules.Turn(&s)
		}
		seat := turn.Seats.First()
		legal = rules.Legal(legal[:0], &s, seat)
		move[0] = game.Move[int]{Seat: seat, Action: legal[pick(r, len(legal))]}
		rules.Apply(&s, move)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
}

// BenchmarkErased plays random games through game.State; one op is a ply.
func BenchmarkErased(b *testing.B) {
	table, err := New().Table(nil)
	if err != nil {
		b.Fatal(err)
	}
	start, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.NewPCG(1, 2)
	s := start.Clone()
	var legal []game.Action
	b.ReportAllocs()
	for b.Loop() {
		turn := s.Turn()
		if turn.Over() {
			s.Set(start)
			turn = s.Turn()
		}
		seat := turn.Seats.First()
		legal = s.Legal(legal[:0], seat)
		if _, err := s.Play(seat, legal[pick(r, len(legal))]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
}

// BenchmarkSVG draws a position in the middle of a game.
func BenchmarkSVG(b *testing.B) {
	rules := Rules{7, 6, 4}
	s, _ := rules.Start(game.Setup{Seats: 2})
	for i, column := range []int{3, 3, 2, 4, 3, 1, 1, 5, 0, 6, 2, 2} {
		rules.Apply(&s, []game.Move[int]{{Seat: game.Seat(i & 1), Action: column}})
	}
	var svg []byte
	b.ReportAllocs()
	for b.Loop() {
		svg = rules.SVG(svg[:0], &s, 0)
	}
	b.ReportMetric(float64(len(svg)), "bytes")
}
