package gridarena

import (
	"encoding/json"

	"github.com/matchreferee/arena/game"
)

// Create is the body of POST matches: it asks for a match.
type Create struct {
	Opponent  string // one of the host's; whether it is known is not looked at
	Name      string // of the agent, self-reported: one line; "": the key's
	AgentSeat game.Seat
	Control   Control
	RequestID string          // in lower case
	Game      string          // as in game.Info.Name; "": the host's first
	Ruleset   json.RawMessage // an object in canonical form; nil: the game's own
}

// Abandon is the body of POST abandon, in which nothing is needed.
type Abandon struct{}

// DecodeCreate reads a body of at most [MaxBody] bytes. The problem is nil where
// it is one. The result shares no memory with body.
func DecodeCreate(body []byte) (*Create, *Problem) { panic("soon") }

// Hash is the same for two requests of one id that ask for the same: SHA-256 of
// the canonical form that the package comment describes.
func (c *Create) Hash() [32]byte { panic("soon") }

// DecodeAbandon reads a body, which may be empty too.
func DecodeAbandon(body []byte) (*Abandon, *Problem) { panic("soon") }
