package arena

import (
	"context"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// ErrSecret says that a match cannot be taken over with this key: it began with
// another one, or with a seed of its own.
var ErrSecret = errors.New("arena: the secret of the match does not come from this key")

// Recover goes on with all matches in the store that have no end yet and are not at play
// here, as those are that stand still: games, carriers and
// key must be those that the matches began with. Whoever else still holds one of
// them loses it. A match that cannot be taken over is left as it is, and its
// error is among those joined; the others go on. That is so of matches with a
// seed of their own ([ErrSecret]), and of those with a Player on a seat, which
// nothing can make again ([ErrNotFound]): who has seed and players goes on with
// them by Play.
func (a *Arena) Recover(ctx context.Context) ([]*Handle, error) {
	if a.c.Store == nil {
		return nil, nil
	}
	var handles []*Handle
	var errs []error
	for id, err := range a.c.Store.Unfinished(ctx) {
		if err != nil {
			errs = append(errs, fmt.Errorf("arena: looking for unfinished matches: %w", err))
			break
		}
		if a.plays(id) {
			continue
		}
		h, err := a.start(ctx, func(ctx context.Context) (referee.Setup, []referee.Player, error) { return a.recorded(ctx, id) })
		if errors.Is(err, ErrPlaying) {
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("arena: recovering match %s: %w", id, err))
			a.warn("match not recovered", id, err)
			continue
		}
		handles = append(handles, h)
	}
	return handles, errors.Join(errs...)
}

// recorded makes setup and players of a match from the first line of its record.
func (a *Arena) recorded(ctx context.Context, id string) (s referee.Setup, players []referee.Player, err error) {
	log, err := a.c.Store.Open(ctx, id)
	if err != nil {
		return s, nil, err
	}
	start, err := firstEvent(ctx, log)
	if err != nil {
		return s, nil, err
	}
	if start.ID != id {
		return s, nil, fmt.Errorf("the record is of match %s", start.ID)
	}
	table, err := a.table(start.Game, start.Ruleset)
	if err != nil {
		return s, nil, err
	}
	if v := table.Info().Version; v != start.Version {
		return s, nil, fmt.Errorf("%w: %s %s, known here is %s", ErrNotFound, start.Game, start.Version, v)
	}
	s = start.Setup(table)
	s.Secret, s.Salt = a.secrets(id, nil)
	if referee.Commit(s.Secret, s.Salt) != start.Commit {
		return s, nil, ErrSecret
	}
	players = make([]referee.Player, len(s.Seats))
	for i, seat := range s.Seats {
		if seat.Transport == "" {
			return s, nil, fmt.Errorf("%w: the player of seat %v was one of the process that began the match", ErrNotFound, game.Seat(i))
		}
		carrier, ok := a.c.Carriers[seat.Transport]
		if !ok {
			return s, nil, fmt.Errorf("%w: carrier %q of seat %v", ErrNotFound, seat.Transport, game.Seat(i))
		}
		if players[i], err = carrier.Player(transport.Recovering(ctx), seat.Agent); err != nil {
			return s, nil, fmt.Errorf("seat %v: %w", game.Seat(i), err)
		}
	}
	return s, players, nil
}

// firstEvent gives what a match started from.
func firstEvent(ctx context.Context, log referee.Log) (*referee.Start, error) {
	for e, err := range referee.Events(ctx, log) {
		if err != nil {
			return nil, err
		}
		if e.Kind == referee.KindStart {
			return e.X.Start, nil
		}
		break
	}
	return nil, fmt.Errorf("%w: it does not begin with a start event", referee.ErrRecord)
}
