package chess_test

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

func pick(r *rand.PCG, n int) int {
	i, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(i)
}

// BenchmarkPerft counts the six standard positions to depth 4; one op is all six. No table of positions is kept; the moves of the last ply are
// counted and not made.
func BenchmarkPerft(b *testing.B) {
	var positions []chess.Position
	for _, s := range standard(b) {
		positions = append(positions, parse(b, s.FEN))
	}
	nodes := uint64(0)
	for b.Loop() {
		for i := range positions {
			nodes += positions[i].Perft(4)
		}
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkTyped plays random games through the typed rules, with every way to end; one op is a ply.
// A random game has about 340.
func BenchmarkTyped(b *testing.B) {
	var rules game.Rules[chess.State, chess.Action] = chess.Default()
	r := rand.NewPCG(1, 2)
	s, err := rules.Start(game.Setup{Seats: 2})
	if err != nil {
		b.Fatal(err)
	}
	var legal []chess.Action
	move := make([]game.Move[chess.Action], 1)
	games := 1
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		turn := rules.Turn(&s)
		if turn.Over() {
			s, _ = rules.Start(game.Setup{Seats: 2})
			games++
			turn = rules.Turn(&s)
		}
		seat := turn.Seats.First()
		legal = rules.Legal(legal[:0], &s, seat)
		move[0] = game.Move[chess.Action]{Seat: seat, Action: legal[pick(r, len(legal))]}
		rules.Apply(&s, move)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "plies/s")
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(games), "allocs/game")
}

// BenchmarkErased plays random games through game.State; one op is a ply.
func BenchmarkErased(b *testing.B) {
	table, err := chess.New().Table(nil)
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
