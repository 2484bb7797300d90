// Package transport says how an agent is reached. Its subpackages are the ways:
// local calls Go functions, callback calls agents over HTTP.
package transport

import (
	"context"

	"github.com/matchreferee/arena/referee"
)

// Transport gives the players that stand for agents. Safe for concurrent use.
type Transport interface {
	// Player gives the player of one seat for an agent that this transport
	// knows. Transports that are called by their agents give one for an agent
	// that is not connected yet; its clock runs by policy. The error says why
	// the agent cannot play at all: it is unknown, or its address is refused.
	Player(context.Context, referee.Agent) (referee.Player, error)
	// Close lets nothing new begin and frees what the transport holds. Matches
	// at play are to be ended before.
	Close() error
}
