package chess_test

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/chess"
)

const other = `{"repetition":5,"move_limit":75,"lenient":true,"forfeit_draws":false}`

// TestKit plays from positions near an end: a random game from the usual start takes 340 plies.
func TestKit(t *testing.T) {
	gametest.Run(t, chess.New(), gametest.Options{
		Setups: []game.Setup{
			{Seats: 2, Position: "r3k2r/p1p3b1/1n2pnp1/3P4/1p2P3/2N2Q1p/P1P2BPP/R3K2R w KQkq - 93 60"},
			{Seats: 2, Position: "8/PPk5/8/3pP3/8/8/5Kpp/8 w - d6 0 70", Names: []string{"<b>", "\"D\" \\"}},
			{Seats: 2, Position: "8/8/4k3/8/8/3QK3/8/8 b - - 90 99"},
		},
		Games: 4,
		Every: 12,
	})
}

// TestKitWhole plays whole games under both rulesets.
func TestKitWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	gametest.Run(t, chess.New(), gametest.Options{Rulesets: []string{other}, Games: 6, Every: 40, Transcripts: "testdata/transcripts/whole"})
}
