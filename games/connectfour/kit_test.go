package connectfour_test

import (
	"testing"

	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/connectfour"
)

func TestKit(t *testing.T) {
	gametest.Run(t, connectfour.New(), gametest.Options{
		Rulesets: []string{`{"columns":4,"rows":4,"connect":3}`, `{"columns":16,"rows":7,"connect":5}`, `{"columns":4,"rows":16,"connect":16}`},
	})
}
