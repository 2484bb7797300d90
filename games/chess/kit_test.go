package chess_test

import (
	"testing"

	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/chess"
)

func TestKit(t *testing.T) {
	gametest.Run(t, chess.New(), gametest.Options{
		Rulesets: []string{`{"repetition":5,"move_limit":75,"lenient":true,"forfeit_draws":false}`},
	})
}
