package house

import "github.com/matchreferee/arena/referee"

func Reasoner() referee.Player { return Random() }
