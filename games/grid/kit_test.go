package grid_test

import (
	"testing"

	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/grid"
)

func TestKit(t *testing.T) {
	var o gametest.Options
	if testing.Short() {
		o.Games = 6 // games are long, and the race detector slow
	}
	gametest.Run(t, grid.New(), o)
}
