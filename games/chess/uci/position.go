package uci

import (
	"errors"

	"github.com/matchreferee/arena/games/chess"
)

// position gives the line that sets up what a seat sees: the whole game where it began from the usual position, so that the engine knows of
// repetitions; else the position alone, for nothing tells where the game began.
func position(view any) (string, error) {
	v, ok := view.(chess.View)
	if !ok {
		return "", errors.New("this is not chess")
	}
	line := []byte("position startpos")
	p := chess.Initial()
	for i, m := range v.MoveHistoryUCI {
		if i == 0 {
			line = append(line, " moves"...)
		}
		if !p.IsLegal(m) {
			return "position fen " + v.FEN, nil
		}
		p.Play(m)
		line = append(append(line, ' '), m.String()...)
	}
	if p.FEN() != v.FEN {
		return "position fen " + v.FEN, nil
	}
	return string(line), nil
}
