package arena_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var key = []byte("sixteen or more bytes")

func connect4() []game.Game { return []game.Game{connectfour.New()} }

func newArena(t testing.TB, c arena.Config) *arena.Arena {
	t.Helper()
	if c.Games == nil {
		c.Games = connect4()
	}
	a, err := arena.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func randoms() []arena.Seat {
	return []arena.Seat{{Player: house.Random()}, {Player: house.Random()}}
}

// slow answers each request after a while.
func slow(d time.Duration) referee.Player {
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
		return referee.Answer{Action: r.Legal(nil)[0]}, nil
	})
}

// inProcess is a carrier of slow players, counting whom it seated.
type inProcess struct {
	mu     sync.Mutex
	seated []string
	closed bool
	delay  time.Duration
	refuse error
}

func (c *inProcess) Player(_ context.Context, a referee.Agent) (referee.Player, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seated = append(c.seated, a.Slug)
	return slow(c.delay), c.refuse
}

func (c *inProcess) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return nil
}

func agents() []arena.Seat {
	return []arena.Seat{{Agent: referee.Agent{Slug: "ann"}, Carrier: "here"}, {Agent: referee.Agent{Slug: "bob"}, Carrier: "here"}}
}

func valid(t *testing.T, store *referee.MemoryStore, id string) *replay.Report {
	t.Helper()
	log, err := store.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	record := log.(*referee.Memory).Bytes()
	report, err := replay.Verify(bytes.NewReader(record), replay.Rules(connectfour.New()))
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Err(); err != nil {
		t.Fatalf("%v\n%s", err, record)
	}
	return report
}

func TestConfig(t *testing.T) {
	_, err := arena.New(arena.Config{Games: []game.Game{connectfour.New(), nil, connectfour.New()}, Store: new(referee.MemoryStore),
		Carriers: map[string]arena.Carrier{"": {}}, Limit: -1})
	for _, want := range []string{"Games[1]: nil", "Games[2]", "Key:", "Carriers:", "Carriers[].Transport", "Limit:"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if _, err := arena.New(arena.Config{Key: []byte("short")}); err == nil || !strings.Contains(err.Error(), "Games") || !strings.Contains(err.Error(), "Key") {
		t.Error(err)
	}
}

func TestBadMatches(t *testing.T) {
	refused := errors.New("not today")
	a := newArena(t, arena.Config{
		Carriers: map[string]arena.Carrier{"closed": {Transport: &inProcess{refuse: refused}}},
		Agents: func(_ context.Context, slug string) (arena.Entrant, error) {
			return arena.Entrant{}, fmt.Errorf("%w: nobody is %s", arena.ErrNotFound, slug)
		},
	})
	defer a.Shutdown(t.Context())
	for name, c := range map[string]struct {
		m    arena.Match
		is   error
		want string
	}{
		"game":        {arena.Match{Game: "go", Seats: randoms()}, arena.ErrNotFound, `game "go"`},
		"ruleset":     {arena.Match{Ruleset: []byte(`{"Columns":9}`), Seats: randoms()}, game.ErrRuleset, "Columns"},
		"seats":       {arena.Match{Seats: randoms()[:1]}, nil, "seats: 1"},
		"id":          {arena.Match{ID: "../../etc", Seats: randoms()}, nil, "id:"},
		"position":    {arena.Match{Position: "x", Seats: randoms()}, game.ErrSetup, "position"},
		"agent":       {arena.Match{Seats: []arena.Seat{{Agent: referee.Agent{Slug: "eve"}}, randoms()[0]}}, arena.ErrNotFound, "Seats[0]"},
		"both":        {arena.Match{Seats: []arena.Seat{{Player: house.Random(), Carrier: "closed"}, randoms()[0]}}, nil, "Seats[0]"},
		"no carrier":  {arena.Match{Seats: []arena.Seat{randoms()[0], {Carrier: "pigeon"}}}, arena.ErrNotFound, "Seats[1]"},
		"refused":     {arena.Match{Seats: []arena.Seat{randoms()[0], {Carrier: "closed"}}}, refused, "Seats[1]"},
		"terms":       {arena.Match{Seats: []arena.Seat{randoms()[0], {Player: house.Random(), Terms: &arena.Terms{Policy: referee.Policy{Strikes: -1}}}}}, nil, "seats[1].policy.strikes"},
		"agent label": {arena.Match{Seats: []arena.Seat{randoms()[0], {Player: house.Random(), Agent: referee.Agent{Slug: "A B"}}}}, nil, "seats[1].agent.slug"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := a.Play(t.Context(), c.m)
			if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if _, err2 := a.Start(t.Context(), c.m); err2 == nil {
				t.Errorf("Start takes it")
			}
		})
	}
}

// TestSeeds plays the same seeds twice: every byte is the same.
func TestSeeds(t *testing.T) {
	record := func(seed uint64) string {
		store := new(referee.MemoryStore)
		a := newArena(t, arena.Config{Store: store, Key: key, Clock: func() referee.Time { return 1000 }})
		if _, err := a.Play(t.Context(), arena.Match{ID: "m", Seats: randoms(), Seed: arena.Seed(seed)}); err != nil {
			t.Fatal(err)
		}
		valid(t, store, "m")
		log, _ := store.Open(t.Context(), "m")
		return string(log.(*referee.Memory).Bytes())
	}
	first, again := record(0), record(0)
	if first != again {
		t.Error("seed 0 gives two matches")
	}
	if first == record(1) {
		t.Error("seeds 0 and 1 give the same match")
	}
}

func TestHandle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(referee.MemoryStore)
		a := newArena(t, arena.Config{Store: store, Key: key, Carriers: map[string]arena.Carrier{"here": {Transport: &inProcess{delay: time.Second}}}})
		h, err := a.Start(t.Context(), arena.Match{ID: "watched", Seats: agents()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Play(t.Context(), arena.Match{ID: "watched", Seats: agents()}); !errors.Is(err, arena.ErrPlaying) {
			t.Errorf("the same match twice: %v", err)
		}
		last := -1
		for p := range h.Watch(t.Context()) {
			view := p.View.(connectfour.View)
			if view.Ply < last {
				t.Errorf("ply %d after %d", view.Ply, last)
			}
			last = view.Ply
		}
		r, err := h.Wait(t.Context())
		if err != nil || r.Cause != referee.CausePlay || last != r.Seats[0].Moves+r.Seats[1].Moves {
			t.Errorf("%+v, %v, last ply %d", r, err, last)
		}
		valid(t, store, "watched")

		for what, end := range map[string]func(*arena.Handle) error{
			"void": func(h *arena.Handle) error { return h.Abort("host", "power_cut") },
			"draw": func(h *arena.Handle) error {
				return h.Adjudicate(referee.Ruling{What: referee.RuleDraw, By: "host", Reason: "long"})
			},
		} {
			h, err := a.Start(t.Context(), arena.Match{ID: what, Seats: agents()})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(1500 * time.Millisecond)
			if err := h.Adjudicate(referee.Ruling{What: referee.RuleWin}); !errors.Is(err, referee.ErrRuling) {
				t.Errorf("a bad ruling: %v", err)
			}
			if err := end(h); err != nil {
				t.Fatal(err)
			}
			r, err := h.Wait(t.Context())
			if err != nil || r.By != "host" || r.Rated() != (what == "draw") || r.Verified() {
				t.Errorf("%s: %+v, %v", what, r, err)
			}
			valid(t, store, what)
			if err := end(h); !errors.Is(err, referee.ErrOver) {
				t.Errorf("%s twice: %v", what, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := h.Wait(ctx); err != nil {
			t.Errorf("Wait for what has ended: %v", err)
		}
		if err := a.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestRecover stops an arena in the middle of matches; another one takes them over.
func TestRecover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(referee.MemoryStore)
		carriers := func() (map[string]arena.Carrier, *inProcess) {
			c := &inProcess{delay: time.Second}
			return map[string]arena.Carrier{"here": {Transport: c, Terms: func(int) (referee.Policy, referee.Clock) {
				return referee.Policy{Name: "here"}, referee.Clock{Move: 5 * time.Second}
			}}}, c
		}
		first, gone := carriers()
		a := newArena(t, arena.Config{Store: store, Key: key, Carriers: first})
		var hs []*arena.Handle
		for _, id := range []string{"one", "two", "three"} {
			h, err := a.Start(t.Context(), arena.Match{ID: id, Seats: agents(), Ruleset: []byte(`{"columns":5,"rows":4}`)})
			if err != nil {
				t.Fatal(err)
			}
			hs = append(hs, h)
		}
		if _, err := a.Play(t.Context(), arena.Match{ID: "seeded", Seats: randoms(), Seed: arena.Seed(1)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3500 * time.Millisecond)
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := a.Shutdown(soon)
		if err == nil || !strings.Contains(err.Error(), "3 matches stopped") || !gone.closed {
			t.Fatalf("%v, carrier closed: %v", err, gone.closed)
		}
		for _, h := range hs {
			if _, err := h.Wait(t.Context()); !errors.Is(err, arena.ErrShutdown) {
				t.Errorf("%s: %v", h.ID(), err)
			}
		}
		if _, err := a.Start(t.Context(), arena.Match{Seats: agents()}); !errors.Is(err, arena.ErrShutdown) {
			t.Errorf("a start after the end: %v", err)
		}

		wrong := newArena(t, arena.Config{Store: store, Key: []byte("another key of enough bytes"), Carriers: first})
		if hs, err := wrong.Recover(t.Context()); len(hs) != 0 || err == nil || !errors.Is(err, arena.ErrSecret) || strings.Count(err.Error(), "key") != 3 {
			t.Errorf("with another key: %d, %v", len(hs), err)
		}
		second, here := carriers()
		b := newArena(t, arena.Config{Store: store, Key: key, Carriers: second})
		recovered, err := b.Recover(t.Context())
		if err != nil || len(recovered) != 3 || len(here.seated) != 6 {
			t.Fatalf("%d, %v, %v", len(recovered), err, here.seated)
		}
		if again, err := b.Recover(t.Context()); len(again) != 0 || err != nil {
			t.Errorf("recovered twice: %d, %v", len(again), err)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		for _, h := range recovered {
			r, err := h.Wait(t.Context())
			if err != nil || r.Cause != referee.CausePlay {
				t.Errorf("%s: %+v, %v", h.ID(), r, err)
			}
			if report := valid(t, store, h.ID()); report.Counts.Resumes != 1 {
				t.Errorf("%s: %+v", h.ID(), report.Counts)
			}
		}
	})
}

// told writes down what hooks hear.
type told struct {
	arena.NoHooks
	mu                                    sync.Mutex
	started, sent, answered, fault, ended int
}

func (h *told) count(n *int)                             { h.mu.Lock(); *n++; h.mu.Unlock() }
func (h *told) Started(string, bool)                     { h.count(&h.started) }
func (h *told) Sent(string, game.Seat, int32)            { h.count(&h.sent) }
func (h *told) Answered(string, game.Seat, referee.Time) { h.count(&h.answered) }
func (h *told) Fault(_ string, _ game.Seat, _ referee.Fault, _ referee.Do, detail string) {
	h.count(&h.fault)
}
func (h *told) Ended(_ string, _ *referee.Result) { h.count(&h.ended) }

func TestHooksAndFilter(t *testing.T) {
	hooks, store := new(told), new(referee.MemoryStore)
	var lines bytes.Buffer
	a := newArena(t, arena.Config{Hooks: hooks, Store: store, Key: key, Logger: slog.New(slog.NewTextHandler(&lines, nil)),
		Filter: func(s string) string { return strings.ReplaceAll(s, "darn", "****") }})
	talker := referee.Inline(func(r *referee.Request) referee.Answer {
		if r.Nth == 3 {
			return referee.Answer{Action: "99"}
		}
		return referee.Answer{Action: r.Listed()[0], Note: "darn good"}
	})
	r, err := a.Play(t.Context(), arena.Match{ID: "m", Seats: []arena.Seat{{Player: talker}, {Player: house.Random()}}})
	if err != nil || r.Cause != referee.CauseForfeit {
		t.Fatalf("%+v, %v", r, err)
	}
	if hooks.started != 1 || hooks.sent != 5 || hooks.answered != 4 || hooks.fault != 1 || hooks.ended != 1 {
		t.Errorf("%+v", hooks)
	}
	log, _ := store.Open(t.Context(), "m")
	if record := log.(*referee.Memory).Bytes(); bytes.Contains(record, []byte("darn")) || !bytes.Contains(record, []byte("**** good")) {
		t.Errorf("%s", record)
	}
	for _, want := range []string{"match started", "match ended", "cause=forfeit"} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("no %q in %s", want, &lines)
		}
	}
}

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newArena(t, arena.Config{Limit: 1, Carriers: map[string]arena.Carrier{"here": {Transport: &inProcess{delay: time.Second}}}})
		h, err := a.Start(t.Context(), arena.Match{Seats: agents()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Play(t.Context(), arena.Match{Seats: randoms()}); !errors.Is(err, arena.ErrBusy) {
			t.Errorf("a second one: %v", err)
		}
		h.Wait(t.Context())
		synctest.Wait()
		if _, err := a.Play(t.Context(), arena.Match{Seats: randoms()}); err != nil {
			t.Errorf("when the first has ended: %v", err)
		}
	})
}

// TestParallel plays many matches at once through one arena.
func TestParallel(t *testing.T) {
	store := new(referee.MemoryStore)
	a := newArena(t, arena.Config{Store: store, Key: key, Seal: replay.Sealer()})
	seats := randoms()
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 25 {
				if _, err := a.Play(t.Context(), arena.Match{ID: fmt.Sprint("m", w, "-", i), Seats: seats}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for w := range 8 {
		for i := range 25 {
			if report := valid(t, store, fmt.Sprint("m", w, "-", i)); report.Seal == nil {
				t.Error("not sealed")
			}
		}
	}
}

// TestDeafPlayer shuts down although a player does not listen to its context.
func TestDeafPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		deaf := referee.Func(func(context.Context, *referee.Request) (referee.Answer, error) {
			<-release
			return referee.Answer{}, nil
		})
		a := newArena(t, arena.Config{})
		h, err := a.Start(t.Context(), arena.Match{Seats: []arena.Seat{{Player: deaf}, {Player: deaf}}})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		err = a.Shutdown(ctx)
		if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "players of 1 matches do not return") || took != 6*time.Second {
			t.Errorf("%v after %v", err, took)
		}
		close(release)
		if _, err := h.Wait(t.Context()); !errors.Is(err, arena.ErrShutdown) {
			t.Error(err)
		}
	})
}

// TestEndedOnce plays a match that has ended again: nobody is told of another end.
func TestEndedOnce(t *testing.T) {
	hooks := new(told)
	a := newArena(t, arena.Config{Hooks: hooks, Store: new(referee.MemoryStore), Key: key})
	m := arena.Match{ID: "once", Seats: randoms()}
	first, err := a.Play(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.Play(t.Context(), m)
	if err != nil || again.Reason != first.Reason || hooks.started != 1 || hooks.ended != 1 {
		t.Errorf("%+v %v %+v", again, err, hooks)
	}
}

// TestRecoverPlayers leaves a match with a player of the old process alone, and says so.
func TestRecoverPlayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(referee.MemoryStore)
		a := newArena(t, arena.Config{Store: store, Key: key})
		if _, err := a.Start(t.Context(), arena.Match{ID: "mine", Seats: []arena.Seat{{Player: slow(time.Second)}, {Player: slow(time.Second)}}}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		a.Shutdown(ctx)
		b := newArena(t, arena.Config{Store: store, Key: key})
		if hs, err := b.Recover(t.Context()); len(hs) != 0 || !errors.Is(err, arena.ErrNotFound) || !strings.Contains(err.Error(), "player of seat 0") {
			t.Errorf("%d %v", len(hs), err)
		}
		r, err := b.Play(t.Context(), arena.Match{ID: "mine", Seats: randoms()})
		if err != nil || r.Cause != referee.CausePlay {
			t.Errorf("%+v %v", r, err)
		}
	})
}
