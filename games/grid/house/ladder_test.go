package house

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
)

// rungs are the nodes that the opponents have on the ladder: few, so that it can be climbed in a test.
var rungs = map[string]int{"experimental": 200, "normal_nightmare": 400, "hell_v2": 700, "hell_v3": 2500}

// duel plays a game between two opponents through the rules, and gives the outcome's returns. rands are the seats' chance.
func duel(t *testing.T, players [2]*level, rands [2]*rand.Rand) ([]float64, []uint8) {
	t.Helper()
	rules := grid.Rules{Size: grid.Size}
	s, err := rules.Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	boards := [2]*board{newBoard(players[0].weights), newBoard(players[1].weights)}
	var moves []uint8
	for !rules.Turn(&s).Over() {
		seat := rules.Turn(&s).Seats.First()
		l := players[seat]
		i := l.choose(boards[seat], budget{nodes: rungs[l.name]}, rands[seat])
		c, err := rules.Check(&s, seat, grid.Cell{Row: int8(i / grid.Size), Col: int8(i % grid.Size)})
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		rules.Apply(&s, []game.Move[grid.Cell]{{Seat: seat, Action: c}})
		boards[0].mark(i)
		boards[1].mark(i)
		moves = append(moves, uint8(i))
	}
	return rules.Outcome(&s).Returns, moves
}

// TestLadder plays pairs of games with swapped seats between each opponent and the one below it, at the nodes of rungs. A pair counts as one
// observation, from 0 to 1: the mean of its two games, a draw as half a win. Of n pairs with the mean m and the sample deviation s, the lower
// bound is m - 1.96 s/sqrt(n): the lower end of the 95% interval of a mean of independent pairs.
func TestLadder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	const pairs = 200
	for k := 1; k < len(levels); k++ {
		upper, lower := &levels[k], &levels[k-1]
		t.Run(fmt.Sprintf("%s beats %s", upper.name, lower.name), func(t *testing.T) {
			sum, squares := 0.0, 0.0
			games := map[string]bool{}
			for p := range pairs {
				pair := 0.0
				for seat := range 2 {
					players := [2]*level{upper, lower}
					if seat == 1 {
						players[0], players[1] = lower, upper
					}
					seed := game.SeedFrom(uint64(1000*k + p))
					rands := [2]*rand.Rand{seed.Stream(fmt.Sprint("game ", seat), 0), seed.Stream(fmt.Sprint("game ", seat), 1)}
					returns, moves := duel(t, players, rands)
					pair += (returns[seat] + 1) / 4
					games[string(moves)] = true
				}
				sum += pair
				squares += float64(pair * pair)
			}
			n := float64(pairs)
			mean := sum / n
			bound := mean - float64(1.96*math.Sqrt(max(0, squares-float64(n*float64(mean*mean)))/(n-1)))/math.Sqrt(n)
			t.Logf("%d pairs, %d different games: mean %.4f, at least %.4f", pairs, len(games), mean, bound)
			if bound <= 0.5 {
				t.Errorf("%s is not shown to be better than %s", upper.name, lower.name)
			}
			if len(games) < 2*pairs*9/10 {
				t.Errorf("%d different games of %d", len(games), 2*pairs)
			}
		})
	}
}
