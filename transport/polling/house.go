package polling

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/referee"
)

// ErrUnknown is wrapped where no opponent has a player under an agent's slug.
var ErrUnknown = errors.New("polling: unknown opponent")

// house is the carrier of opponents.
type house struct{ t *Transport }

// Player gives the player of an opponent, by the slug of its agent.
func (h house) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	for _, p := range h.t.o.Opponents {
		if p.Agent.Slug == a.Slug && p.Player != nil {
			return p.Player, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, a.Slug)
}

// Close does nothing: the transport that it belongs to is closed by itself.
func (house) Close() error { return nil }
