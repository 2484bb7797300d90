package grid_test

import (
	"testing"

	"github.com/matchreferee/arena/game/gametest"
	"github.com/matchreferee/arena/games/grid"
)

func TestKit(t *testing.T) {
	gametest.Run(t, grid.New(), gametest.Options{})
}
