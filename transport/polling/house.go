package polling

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/lease"
)

// ErrUnknown is wrapped where no opponent has a player under an agent's slug.
var ErrUnknown = errors.New("polling: unknown opponent")

// house is the carrier of opponents.
type house struct {
	players map[string]referee.Player // by the agent's slug
}

// newHouse gives each opponent's player the lease to wait for.
func (t *Transport) newHouse() house {
	h := house{map[string]referee.Player{}}
	for _, o := range t.o.Opponents {
		switch {
		case o.Player == nil:
		case o.Light:
			h.players[o.Agent.Slug] = o.Player
		default:
			h.players[o.Agent.Slug] = t.o.Lease.Player(o.Player, t.claim(o.Heavy))
		}
	}
	return h
}

// claim says for whom an opponent computes.
func (t *Transport) claim(heavy bool) func(*referee.Seat) lease.Claim {
	return func(s *referee.Seat) lease.Claim {
		c := lease.ClaimOf(s)
		if e, known := t.admission.entry(s.Match()); known {
			c.Account = e.Account
		}
		if heavy {
			c.Class = lease.Heavy
		}
		return c
	}
}

// Player gives the player of an opponent, by the slug of its agent.
func (h house) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	if p := h.players[a.Slug]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknown, a.Slug)
}

// Close does nothing: the transport that it belongs to is closed by itself.
func (house) Close() error { return nil }
