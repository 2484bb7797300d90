package program

import (
	"math"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// decode reads an answer, a line without its newline: the move in canonical form,
// and the revision that it is for, -1 where it says none. wrong says why it is
// none, in words that are fit for a record; it is "" otherwise.
func decode(line []byte) (a game.Action, revision int32, wrong string) {
	v, err := jsontext.Parse(line, jsontext.Replace)
	if err != nil {
		return "", -1, "no JSON: " + err.Error()
	}
	if v.Kind != jsontext.Object {
		return "", -1, v.Kind.String() + ", not an object"
	}
	revision = -1
	if r := v.Find("revision"); r != nil {
		if !whole(r) || r.Float < 0 || r.Float > math.MaxInt32 {
			return "", -1, "revision is no count of moves"
		}
		revision = int32(r.Float)
	}
	row, col, action := v.Find("row"), v.Find("col"), v.Find("action")
	switch {
	case action != nil && (row != nil || col != nil):
		return "", -1, "action stands beside row or col"
	case action != nil:
		return game.Action(action.AppendCanonical(nil)), revision, ""
	case row == nil || col == nil:
		return "", -1, "neither row and col nor action"
	case !whole(row) || !whole(col):
		return "", -1, "row and col are not both integers"
	}
	dst := append(make([]byte, 0, 20), `{"col":`...)
	dst = append(col.AppendCanonical(dst), `,"row":`...)
	return game.Action(append(row.AppendCanonical(dst), '}')), revision, ""
}

// whole tells whether a value is an integer that a float64 holds exactly.
func whole(v *jsontext.Value) bool {
	return v.Kind == jsontext.Number && v.Float == math.Trunc(v.Float) && math.Abs(v.Float) <= 1<<53
}

// reply is a line that a program wrote when it was asked, or why there is none.
type reply struct {
	line []byte
	at   referee.Time // when its last byte came
	f    *failure
}

// answer makes of it what the referee judges.
func (r *reply) answer(to referee.Address) referee.Answer {
	a, revision, wrong := decode(r.line)
	if wrong != "" {
		return referee.Answer{To: to, Fault: referee.Malformed, Detail: wrong, Arrived: r.at}
	}
	if revision >= 0 {
		to = referee.Address{By: referee.ByTurn, N: revision}
	}
	return referee.Answer{To: to, Action: a, Arrived: r.at}
}
