package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
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
	stops   []func()
}

// The carriers: visitors are guarded as any agent from outside is; the built-in
// agents are on this machine.
const (
	visitors = "callback"
	builtIn  = "built-in"
)

func newTable(ctx context.Context, o options, file string, show *screen) (*table, error) {
	t := &table{files: &files{first: file, ids: map[string]string{}}, show: show}
	key, err := filelog.Key(file + ".key")
	if err != nil {
		return nil, err
	}
	outside, err := carrier(o.allowLoopback)
	if err != nil {
		return nil, err
	}
	inside, err := carrier(true)
	if err != nil {
		return nil, err
	}
	t.arena, err = arena.New(arena.Config{
		Games: []game.Game{connectfour.New()}, Store: t.files, Key: key, Seal: replay.Sealer(nil), Hooks: show,
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
	path := t.files.path(n)
	if _, err := os.Stat(path); err == nil {
		return nil, fmt.Errorf("%s is there already; go on with it by -resume, or name another -record", path)
	}
	id := fmt.Sprintf("quickstart-%d-%d", time.Now().UnixNano(), n+1)
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

// resume goes on with the match of the file.
func (t *table) resume(ctx context.Context) error {
	log, err := filelog.OpenFile(ctx, t.files.first, filelog.Options{})
	if err != nil {
		return err
	}
	var start *referee.Start
	last := referee.KindStart
	for e, err := range referee.Events(ctx, log) {
		if err != nil {
			return err
		}
		if e.Kind == referee.KindStart {
			start = e.X.Start
		}
		last = e.Kind
	}
	switch {
	case start == nil:
		return fmt.Errorf("%s holds no match", t.files.first)
	case last == referee.KindEnd:
		return fmt.Errorf("the match of %s has ended", t.files.first)
	}
	t.files.ids[start.ID] = t.files.first
	hs, err := t.arena.Recover(ctx)
	if err != nil {
		return err
	}
	first := 0
	if start.Seats[0].Agent.Slug == "o" {
		first = 1
	}
	_, err = t.watch(ctx, hs[0], t.files.first, [2]string{start.Seats[0].Agent.Name, start.Seats[1].Agent.Name}, first)
	return err
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
		return nil, fmt.Errorf("stopped; go on with -resume %s", path)
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
	t.show.end(r, report)
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

// until gives what comes until the channel closes or the context ends.
func until[T any](ctx context.Context, ch <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case x, ok := <-ch:
				if !ok || !yield(x) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

func (t *table) close() error {
	err := t.arena.Shutdown(context.Background())
	for _, stop := range t.stops {
		stop()
	}
	return err
}

// files is the store of the records: the first in the file that was named, the
// others beside it.
type files struct {
	first string
	ids   map[string]string // match to path
}

func (f *files) path(n int) string {
	if n == 0 {
		return f.first
	}
	ext := filepath.Ext(f.first)
	return fmt.Sprintf("%s-%03d%s", strings.TrimSuffix(f.first, ext), n+1, ext)
}

func (f *files) Open(ctx context.Context, id string) (referee.Log, error) {
	path, ok := f.ids[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", referee.ErrNoLog, id)
	}
	return filelog.OpenFile(ctx, path, filelog.Options{})
}

func (f *files) Unfinished(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for id, path := range f.ids {
			data, err := os.ReadFile(path)
			lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
			if (err != nil || !referee.IsEnd(lines[len(lines)-1])) && !yield(id, err) {
				return
			}
		}
	}
}
