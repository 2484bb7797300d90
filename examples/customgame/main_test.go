package main

import (
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// TestPlay: a seed decides the whole game, for every number of players.
func TestPlay(t *testing.T) {
	seen := map[string]bool{}
	for players := 2; players <= 4; players++ {
		for seed := range uint64(5) {
			var one, two strings.Builder
			if err := play(&one, game.SeedFrom(seed), players); err != nil {
				t.Fatal(err)
			}
			if err := play(&two, game.SeedFrom(seed), players); err != nil {
				t.Fatal(err)
			}
			if one.String() != two.String() {
				t.Errorf("seed %d plays two games with %d players", seed, players)
			}
			if !strings.Contains(one.String(), "points [") {
				t.Errorf("no result in\n%s", one.String())
			}
			seen[one.String()] = true
		}
	}
	if len(seen) != 15 {
		t.Errorf("15 seeds and tables gave %d games", len(seen))
	}
	if play(&strings.Builder{}, game.SeedFrom(1), 5) == nil {
		t.Error("five may play")
	}
}
