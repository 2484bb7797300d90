package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/transport/callback"
)

// table is where the two agents meet: an arena, and the files of its records.
type table struct {
	arena   *arena.Arena
	files   *files
	agents  [2]referee.Agent
	carrier [2]string
	names   [2]string
	strikes [2]int
	show    *screen
	options options
	stops   []func()
}

// The carriers: visitors are guarded as any agent from outside is; the built-in
// agents are on this machine.
const (
	visitors = "callback"
	builtIn  = "built-in"
)

func newTable(ctx context.Context, o options, records *files, key []byte, show *screen) (*table, error) {
	t := &table{files: records, show: show, options: o}
	outside, err := carrier(o.allowLoopback)
	if err != nil {
		return nil, err
	}
	inside, err := carrier(true)
	if err != nil {
		return nil, err
	}
	t.arena, err = arena.New(arena.Config{
		Games: []game.Game{connectfour.New()}, Store: t.files, Key: key, Seal: replay.Sealer(), Hooks: show, Retry: -1, // who sits before it can start it again
		Carriers: map[string]arena.Carrier{
			visitors: {Transport: outside, Terms: agentarena.Policy},
			builtIn:  {Transport: inside, Terms: agentarena.Policy},
		},
	})
	if err != nil {
		return nil, err
	}
	urls := [2]string{o.x, o.o}
	for i, slug := range []string{"x", "o"} {
		t.names[i] = []string{"Columbus", "Cordelia"}[i]
		to, at := outside, visitors
		if urls[i] == "" {
			url, stop, err := serve(o.seed+uint64(i), o.pace)
			if err != nil {
				return nil, errors.Join(err, t.close())
			}
			t.stops = append(t.stops, stop)
			urls[i], to, at = url, inside, builtIn
		} else {
			t.names[i] = "agent " + strings.ToUpper(slug)
		}
		t.agents[i], t.carrier[i] = referee.Agent{Slug: slug, Name: t.names[i], House: at == builtIn}, at
		if err := to.Register(ctx, t.agents[i], urls[i]); err != nil {
			if errors.Is(err, callback.ErrURL) || errors.Is(err, callback.ErrAddress) {
				err = fmt.Errorf("%w (agents on this machine need -allow-loopback)", err)
			}
			return nil, errors.Join(fmt.Errorf("-%s: %w", slug, err), t.close())
		}
	}
	return t, nil
}

func carrier(loopback bool) (*callback.Transport, error) {
	return callback.New(callback.Options{ReplayURL: "http://127.0.0.1/{match_id}", AllowHTTP: loopback, AllowLoopback: loopback})
}

// play plays match n, with the agents' seats swapped in every other one.
func (t *table) play(ctx context.Context, n int) (*referee.Result, error) {
	id := fmt.Sprintf("quickstart-%d-%d", time.Now().UnixNano(), n+1)
	path := t.files.path(n)
	t.files.ids[id] = path
	m := arena.Match{ID: id, Game: "connect-four"}
	for i := range 2 {
		k := (i + n) % 2
		m.Seats = append(m.Seats, arena.Seat{Agent: t.agents[k], Carrier: t.carrier[k]})
	}
	h, err := t.arena.Start(ctx, m)
	if err != nil {
		return nil, err
	}
	return t.watch(ctx, h, path, [2]string{m.Seats[0].Agent.Name, m.Seats[1].Agent.Name}, n)
}

// watch shows a match until it ends, then proves its record.
func (t *table) watch(ctx context.Context, h *arena.Handle, path string, seats [2]string, n int) (*referee.Result, error) {
	t.show.begin(seats, path)
	for p := range h.Watch(ctx) {
		t.show.position(p)
	}
	r, err := h.Wait(ctx)
	if ctx.Err() != nil {
		stopped, cancel := context.WithCancel(context.WithoutCancel(ctx))
		cancel()
		t.arena.Shutdown(stopped)
		return nil, fmt.Errorf("stopped; go on with -resume %s%s", path, t.options.again())
	}
	if err != nil {
		return nil, err
	}
	for i := range 2 {
		t.strikes[(i+n)%2] += r.Seats[i].Strikes
	}
	report, err := verify(path)
	if err != nil {
		return nil, err
	}
	t.show.end(r, report, path)
	return r, report.Err()
}

func verify(path string) (*replay.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return replay.Verify(io.Reader(f), replay.Rules(connectfour.New()))
}

func (t *table) close() error {
	err := t.arena.Shutdown(context.Background())
	for _, stop := range t.stops {
		stop()
	}
	return err
}
