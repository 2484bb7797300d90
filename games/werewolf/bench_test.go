package werewolf

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

// BenchmarkTyped plays random games of nine seats through the typed rules; one op is a game.
func BenchmarkTyped(b *testing.B) {
	rules := Rules{RevealRoles: true}
	pcg := rand.NewPCG(1, 2)
	lots := rand.New(pcg)
	start, err := rules.Start(game.Setup{Seats: 9, Names: make([]string, 9)})
	if err != nil {
		b.Fatal(err)
	}
	var legal []Action
	var moves []game.Move[Action]
	b.ReportAllocs()
	for b.Loop() {
		s := start
		for {
			turn := rules.Turn(&s)
			if turn.Over() {
				break
			}
			moves = moves[:0]
			if turn.Chance {
				moves = append(moves, game.Move[Action]{Seat: game.Chance, Action: rules.Chance(&s, lots)})
			}
			for rest := turn.Seats; rest != 0; rest &= rest - 1 {
				seat := rest.First()
				legal = rules.Legal(legal[:0], &s, seat)
				moves = append(moves, game.Move[Action]{Seat: seat, Action: legal[pick(pcg, len(legal))]})
			}
			rules.Apply(&s, moves)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
