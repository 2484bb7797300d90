// Package transport is what all ways to reach an agent have in common. Each way is
// a package below it: local calls Go functions, callback calls agents over HTTP,
// websocket and polling wait for agents that connect or ask, and program runs
// programs of this machine. Below it are also keys and lease, which they share, and
// transporttest, which tries one of your own.
package transport

import (
	"context"

	"github.com/matchreferee/arena/referee"
)

// Transport gives the players that stand for agents. Safe for concurrent use.
type Transport interface {
	// Player gives the player of one seat for an agent that this transport
	// knows. Where it is agents who connect, there is a player before its agent
	// does so; whether time runs meanwhile, the seat's Clock says. The error says why
	// the agent cannot play at all: it is unknown, or its address is refused.
	// The context is for this call alone: the player stays when it ends.
	Player(context.Context, referee.Agent) (referee.Player, error)
	// Close lets nothing new begin and frees what the transport holds. Matches
	// at play are to be ended before.
	Close() error
}

type recovering struct{}

// Recovering marks a context for [Transport].Player: the player is for a match
// that began before, and is not to be refused because its agent is busy.
func Recovering(ctx context.Context) context.Context {
	return context.WithValue(ctx, recovering{}, true)
}

// IsRecovering reports whether a context is marked by [Recovering].
func IsRecovering(ctx context.Context) bool { return ctx.Value(recovering{}) != nil }
