package werewolf_test

import (
	"math/rand/v2"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/werewolf"
)

func TestKit(t *testing.T) {
	games := 12
	if testing.Short() {
		games = 4
	}
	gametest.Run(t, werewolf.New(), gametest.Options{
		Rulesets: []string{`{"max_days":2,"reveal_roles":false}`},
		Setups:   []game.Setup{{Seats: 5}},
		Games:    games,
		Every:    8,
		Open:     words,
	})
}

// TestKitWide is for larger tables, whose transcripts would be long.
func TestKitWide(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	gametest.Run(t, werewolf.New(), gametest.Options{
		Rulesets:      []string{`{"reveal_roles":false}`},
		Setups:        []game.Setup{{Seats: 9}, {Seats: 15, Names: []string{"Ann", "<b>", "C\u00e9line", "\"D\"", "\\"}}},
		Games:         10,
		Every:         11,
		Open:          words,
		NoTranscripts: true,
	})
}

// words makes up something to say.
func words(r *rand.Rand, s *game.State, _ game.Seat) (game.Action, bool) {
	texts := []string{`"hello"`, `"I am the seer: 3 is a werewolf"`, `"\u0007 <&>\n\"quoted\""`}
	return game.Action(`{"text":` + texts[r.IntN(len(texts))] + `,"type":"say"}`), s.Turn().Phase == "day_discussion"
}
