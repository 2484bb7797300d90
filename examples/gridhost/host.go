package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/keys"
	"github.com/matchreferee/arena/transport/lease"
	"github.com/matchreferee/arena/transport/polling"
)

// host is the arena and what it stands on.
type host struct {
	arena *arena.Arena
	polls *polling.Transport
	ring  *keys.Ring
	lease *lease.Lease
	on    stores
}

// stores keep what counts.
type stores struct {
	records referee.Store
	key     []byte // of the secrets of matches
	matches polling.Store
	keys    keys.Store
	lease   lease.Store
	close   []func() error
}

func openStores(ctx context.Context, dir string) (s stores, err error) {
	if dir == "" {
		s = stores{records: new(referee.MemoryStore), key: make([]byte, 32), matches: new(polling.MemoryStore), keys: new(keys.Memory)}
		rand.Read(s.key)
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return s, err
	}
	if s.key, err = filelog.Key(filepath.Join(dir, "secret.key")); err != nil {
		return s, err
	}
	if s.records, err = filelog.NewStore(filepath.Join(dir, "records"), filelog.Options{}); err != nil {
		return s, err
	}
	ring, err := keys.OpenFile(filepath.Join(dir, "keys"))
	if err != nil {
		return s, err
	}
	s.keys, s.close = ring, append(s.close, ring.Close)
	matches, err := polling.OpenFileStore(ctx, filepath.Join(dir, "matches"), polling.FileStoreOptions{})
	if err != nil {
		return s, err
	}
	s.matches, s.close = matches, append(s.close, matches.Close)
	turns, err := lease.OpenFile(ctx, filepath.Join(dir, "lease"), lease.FileOptions{})
	if err != nil {
		return s, err
	}
	s.lease, s.close = turns, append(s.close, turns.Close)
	return s, nil
}

// newHost goes on with what is in the stores.
func newHost(ctx context.Context, o options, errOut io.Writer) (h *host, err error) {
	h = new(host)
	defer func() {
		if err != nil {
			err = errors.Join(err, h.close())
		}
	}()
	if h.on, err = openStores(ctx, o.data); err != nil {
		return h, err
	}
	if h.ring, err = keys.New(h.on.keys, keys.Options{Prefix: "lcb_"}); err != nil {
		return h, err
	}
	if h.lease, err = lease.New(ctx, lease.Options{Store: h.on.lease}); err != nil {
		return h, err
	}
	opponents, err := opponents(o)
	if err != nil {
		return h, err
	}
	logger := log.New(errOut, "", log.LstdFlags)
	games := []game.Game{grid.New()}
	var rate polling.Rate
	if o.rate > 0 {
		rate = polling.Rate{PerSecond: float64(o.rate), Burst: 2 * o.rate}
	}
	h.polls, err = polling.New(ctx, polling.Options{
		Auth: h.ring, Games: games, Opponents: opponents, Records: h.on.records, Store: h.on.matches, Lease: h.lease, Start: h.start,
		Limits: polling.Limits{
			Heavy: o.heavy, Pace: o.pace, Proxies: o.proxies, Account: rate, Source: rate,
			Starts: o.starts, Active: o.starts, ActiveTotal: o.starts, StartsTotal: o.starts, HeavyTotal: o.starts,
		},
		Failed: func(err error) { logger.Print(err) },
	})
	if err != nil {
		return h, err
	}
	h.arena, err = arena.New(arena.Config{
		Games: games, Store: h.on.records, Key: h.on.key, Logger: slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Carriers: map[string]arena.Carrier{"polling": {Transport: h.polls}, "house": {Transport: h.polls.House()}},
	})
	if err != nil {
		return h, err
	}
	if _, err := h.arena.Recover(ctx); err != nil {
		logger.Print(err) // the others are at play
	}
	return h, nil
}

// opponents are the grid's house players. Those that think for long have a clock, and so their nine seconds.
func opponents(o options) (map[string]polling.Opponent, error) {
	began := time.Now()
	out := map[string]polling.Opponent{}
	for _, name := range o.opponents {
		settings := house.Options{Now: func() time.Duration { return time.Since(began) }}
		if name != "casual" && name != "smart" && name != "hard" { // which look at each cell once
			settings.Nodes = o.nodes
		}
		player, err := house.New(name, settings)
		if err != nil {
			return nil, err
		}
		policy, err := house.PolicyOf(name, settings)
		if err != nil {
			return nil, err
		}
		out[name] = polling.Opponent{
			Game: "grid", Player: player, Policy: polling.JSON(policy), Heavy: name == "hell_v2" || name == "hell_v3", Gated: name == "hell_v3",
			Agent: referee.Agent{Version: fmt.Sprint(policy.Version)},
		}
	}
	return out, nil
}

// start begins a match that an agent asks for.
func (h *host) start(ctx context.Context, s polling.Start) error {
	m := arena.Match{ID: s.Match, Game: s.Game, Ruleset: s.Ruleset}
	for _, seat := range s.Seats {
		carrier := "polling"
		if seat.Agent.House {
			carrier = "house"
		}
		m.Seats = append(m.Seats, arena.Seat{Agent: seat.Agent, Carrier: carrier, Terms: &arena.Terms{Policy: seat.Policy, Clock: seat.Clock}})
	}
	_, err := h.arena.Start(ctx, m)
	return err
}

// issue prints a new key.
func (h *host) issue(ctx context.Context, agent string, out io.Writer) error {
	secret, _, err := h.ring.Issue(ctx, keys.Request{
		Agent: referee.Agent{Slug: agent, Name: agent}, Account: agent, Scopes: []string{transport.ScopeBenchmark},
	})
	if err == nil {
		_, err = fmt.Fprintln(out, "key", secret.Reveal())
	}
	return err
}

// close stops matches where they stand: the next process goes on with them.
func (h *host) close() error {
	var errs []error
	if h.arena != nil {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		if err := h.arena.Shutdown(now); err != nil && !errors.Is(err, context.Canceled) {
			errs = append(errs, err)
		}
	} else if h.polls != nil {
		errs = append(errs, h.polls.Close())
	}
	if h.lease != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		errs = append(errs, h.lease.Close(ctx))
	}
	for _, f := range h.on.close {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}
