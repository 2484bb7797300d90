package grid_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func action(row, col int) game.Action {
	return game.Action(fmt.Sprintf(`{"col":%d,"row":%d}`, col, row))
}
