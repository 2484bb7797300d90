package gridarena

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Move is the body of POST moves.
type Move struct {
	Revision int32 // which position it is for
	ID       string
	Action   game.Action // canonical JSON; {"col":4,"row":4} where row and col came
}

// DecodeMove reads a body of at most [MaxBody] bytes. The problem is nil where it
// is one. The result shares no memory with body.
func DecodeMove(body []byte) (*Move, *Problem) { panic("soon") }

// Hash is the same for two requests of one id that ask for the same; see
// [Create.Hash]. The referee compares actions alone: that a repeated id has the
// same revision too is for the transport to see to.
func (m *Move) Hash() [32]byte { panic("soon") }

// Answer makes of a move what the referee judges: addressed by revision, with the
// id as its key. r is the seat's open request, nil if none is; it is used, and so
// must not be in use elsewhere.
func (m *Move) Answer(r *referee.Request) referee.Answer { panic("soon") }
