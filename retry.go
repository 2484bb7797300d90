package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

const (
	// firstRetry is Config.Retry where the host says nothing, and lastRetry the
	// longest pause that it comes to.
	firstRetry = time.Second
	lastRetry  = time.Minute
)

// run plays a match to its end. Where the store fails it goes on with it after a
// pause, as long as that may help.
func (a *Arena) run(r *run, h *Handle, s referee.Setup, players []referee.Player) (*referee.Result, error) {
	first := min(a.c.Retry, lastRetry)
	if first == 0 {
		first = firstRetry
	}
	pause := first
	for again := false; ; again = true {
		live, _ := h.now()
		began := time.Now()
		result, err := live.Run(r)
		if time.Since(began) > lastRetry {
			pause = first // the store has worked since
		}
		if err == nil && again && !r.told.Load() && a.local.Config.Ended != nil {
			a.local.Config.Ended(s.ID, result) // it was recorded by a call of the store that said it had failed
		}
		for live = nil; live == nil; {
			if err == nil || !a.retries(r, err) {
				return result, err
			}
			a.warn("match stands still", s.ID, err)
			timer := time.NewTimer(pause/2 + rand.N(pause)) // many may have stopped at once
			select {
			case <-timer.C:
			case <-r.Done():
				timer.Stop()
				return nil, fmt.Errorf("%w: %w", r.Err(), err)
			}
			pause = min(2*pause, lastRetry)
			live, err = a.again(r, s, players)
		}
		h.pass(live)
	}
}

// retries reports whether a match that stopped with an error may go on later.
func (a *Arena) retries(r *run, err error) bool {
	return a.c.Store != nil && a.c.Retry >= 0 && r.Err() == nil && !errors.Is(err, referee.ErrFenced) && !errors.Is(err, referee.ErrRecord)
}

// again makes what goes on with a match that stopped. Players of this process stay,
// those of carriers are made again. Where all have heard of the end, and only the
// seal is missing, nobody is bothered.
func (a *Arena) again(r *run, s referee.Setup, players []referee.Player) (*referee.Live, error) {
	players = slices.Clone(players)
	for i, seat := range s.Seats {
		var err error
		switch {
		case r.told.Load():
			players[i] = referee.Inline(nobody)
			continue
		case seat.Transport == "":
			continue
		}
		if players[i], err = a.c.Carriers[seat.Transport].Player(transport.Recovering(r), seat.Agent); err != nil {
			return nil, fmt.Errorf("seat %v: %w", game.Seat(i), err)
		}
	}
	return a.lead(r, r, s, players)
}

// nobody is who sits in a match that is over.
func nobody(*referee.Request) referee.Answer { return referee.Answer{} }

// lead makes what plays a match in the background, or goes on with it.
func (a *Arena) lead(ctx context.Context, r *run, s referee.Setup, players []referee.Player) (*referee.Live, error) {
	c := a.local.Config
	if a.c.Store != nil {
		log, err := a.c.Store.Open(ctx, s.ID)
		if err != nil {
			return nil, fmt.Errorf("arena: opening the log of %s: %w", s.ID, err)
		}
		r.log.Log = log
		c.Log = &r.log
		ended := c.Ended
		c.Ended = func(match string, result *referee.Result) {
			r.told.Store(true)
			if ended != nil {
				ended(match, result)
			}
		}
	}
	m, err := referee.Load(ctx, c.Log, s)
	if err != nil {
		return nil, err
	}
	return referee.NewLive(m, players, c)
}
