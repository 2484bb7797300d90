package gridarena

import (
	"math"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/fit"
	"github.com/matchreferee/arena/referee"
)

// Move is the body of POST moves.
type Move struct {
	Revision int32       // which position it is for
	ID       string      // in lower case
	Action   game.Action // canonical; {"col":4,"row":4} where row and col came
}

// DecodeMove reads a body of at most [MaxBody] bytes. The problem is nil where it
// is one. The result shares no memory with body.
func DecodeMove(body []byte) (*Move, *Problem) {
	r, p := open(body)
	if p != nil {
		return nil, p
	}
	m := &Move{Revision: int32(r.int("revision", true, 0, math.MaxInt32)), ID: r.uuid("moveId")}
	switch cell, action := r.Has("row") || r.Has("col"), r.Has("action"); {
	case cell && action:
		r.fail("action", "stands beside row or col: one of the two")
	case action:
		m.Action = r.action()
	case cell:
		m.Action = cellAction(r.int("row", true, -maxCell, maxCell), r.int("col", true, -maxCell, maxCell))
	default:
		r.fail("row", "is missing, and so is action")
	}
	r.diagnostics()
	if p := r.problem(); p != nil {
		return nil, p
	}
	return m, nil
}

// maxCell is far off every board, whose edges are for the rules to know.
const maxCell = 1 << 53

// action gives the member of that name, which is there.
func (r *reader) action() game.Action {
	for i := range r.values {
		v := &r.values[i]
		switch {
		case v.Name != "action":
		case len(v.Raw) > MaxAction:
			r.fail("action", "has over %d bytes", MaxAction)
		default:
			return game.Action(v.AppendCanonical(nil))
		}
	}
	return ""
}

func cellAction(row, col int64) game.Action {
	dst := append(make([]byte, 0, 48), `{"col":`...)
	dst = strconv.AppendInt(dst, col, 10)
	dst = append(dst, `,"row":`...)
	return game.Action(append(strconv.AppendInt(dst, row, 10), '}'))
}

// Answer makes of a move what the referee judges: addressed by revision, with the
// id as its key. r is the seat's open request, nil if none is; it is used, and so
// must not be in use elsewhere. Where the move is for r, words in its action have been
// through r.Filter; an action for another revision stays as it came. The
// answer to a move for a revision that has not come yet is stale, whatever
// opens before it is handed in.
//
// The referee knows a repeated id by its key and compares the action, but not the
// revision: that this is the same too is for the transport to see to.
func (m *Move) Answer(r *referee.Request) referee.Answer {
	a := referee.Answer{To: referee.Address{By: referee.ByTurn, N: m.Revision}, Action: m.Action, Key: m.ID}
	switch {
	case r == nil || r.Turn < m.Revision:
		a.To = referee.Address{By: referee.ByAsk} // they count from 1: an action that nothing was held against must not count
		return a
	case r.Turn != m.Revision:
		return a
	case m.plain(r.Info()):
		return a
	}
	var err error
	if a.Action, err = fit.Action(m.Action, r); err != nil {
		return referee.Answer{To: a.To, Fault: referee.Malformed, Detail: err.Error()}
	}
	return a
}

// Direct is Answer without a request, for moves that the rules alone judge: those
// in which nothing looks like a fraction, in games that list all their moves, so
// that no words are to be filtered. ok is false for others.
// Whether the revision has come yet is settled when the answer is handed in.
func (m *Move) Direct(i game.Info) (a referee.Answer, ok bool) {
	if !m.plain(i) {
		return a, false
	}
	return referee.Answer{To: referee.Address{By: referee.ByTurn, N: m.Revision}, Action: m.Action, Key: m.ID}, true
}

func (m *Move) plain(i game.Info) bool {
	return !i.Open && !strings.ContainsAny(string(m.Action), ".eE")
}
