package transporttest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// trial is one check at work.
type trial struct {
	t *testing.T
	h Harness
	o *Options

	over  chan struct{} // closed when the check is done: whoever still thinks stops
	mu    sync.Mutex
	ended bool
	said  map[string]bool
	bouts []*bout

	closing sync.Once
}

// newTrial makes a trial whose matches end, and whose transport is closed, before
// what the harness has put up is taken down.
func newTrial(t *testing.T, h Harness, o *Options) *trial {
	x := &trial{t: t, h: h, o: o, over: make(chan struct{}), said: map[string]bool{}}
	t.Cleanup(func() {
		x.mu.Lock()
		bouts := x.bouts
		x.mu.Unlock()
		for _, b := range bouts {
			b.cancel()
		}
		close(x.over)
		for _, b := range bouts {
			x.within("Run, whose context has ended", b.done)
		}
		x.close()
		x.mu.Lock()
		x.ended = true
		x.mu.Unlock()
	})
	return x
}

// problem makes the check fail, from any goroutine. It says a thing once, and
// nothing when the check is over.
func (x *trial) problem(format string, args ...any) {
	x.t.Helper()
	text := fmt.Sprintf(format, args...)
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended && !x.said[text] {
		x.said[text] = true
		x.t.Error(text)
	}
}

// within waits for c; false: it did not come.
func (x *trial) within(what string, c <-chan struct{}) bool {
	x.t.Helper()
	timer := time.NewTimer(x.o.Patience)
	defer timer.Stop()
	select {
	case <-c:
		return true
	case <-timer.C:
		x.problem("%s: nothing in %v", what, x.o.Patience)
		return false
	}
}

// must is within, without which the check cannot go on.
func (x *trial) must(what string, c <-chan struct{}) {
	x.t.Helper()
	if !x.within(what, c) {
		x.t.FailNow()
	}
}

// lapse lets a little time go by, a fraction of what a request has, and says how much.
func (x *trial) lapse() time.Duration {
	d := x.o.Move / 10
	time.Sleep(d)
	return d
}

// close closes the transport, unless that was done already: nobody promises that it can be twice.
func (x *trial) close() {
	x.t.Helper()
	x.closing.Do(x.closeNow)
}

func (x *trial) closeNow() {
	x.t.Helper()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := x.h.Transport.Close(); err != nil {
			x.problem("Close: %v", err)
		}
	}()
	x.within("Transport.Close", closed)
}

// agent brings an agent to life.
func (x *trial) agent(slug string, s script) {
	x.t.Helper()
	x.h.Agent(referee.Agent{Slug: slug, Name: slug}, x.play(slug, s))
}

// player asks the transport for a player, which is there.
func (x *trial) player(ctx context.Context, slug string) (referee.Player, error) {
	p, err := x.h.Transport.Player(ctx, referee.Agent{Slug: slug, Name: slug})
	switch {
	case err != nil:
		return nil, fmt.Errorf("Player of %s: %w", slug, err)
	case p == nil:
		return nil, fmt.Errorf("Player of %s: nil, and no error", slug)
	}
	return p, nil
}

// players asks for those of several matches, all at the same time, with a context
// that ends when they are there.
func (x *trial) players(ctx context.Context, setups ...referee.Setup) [][]referee.Player {
	x.t.Helper()
	all, errs := make([][]referee.Player, len(setups)), make([][]error, len(setups))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // not before: it would put one after another for the race detector
	var wg sync.WaitGroup
	for i, s := range setups {
		all[i], errs[i] = make([]referee.Player, len(s.Seats)), make([]error, len(s.Seats))
		for k, seat := range s.Seats {
			wg.Go(func() { all[i][k], errs[i][k] = x.player(ctx, seat.Agent.Slug) })
		}
	}
	wg.Wait()
	for _, errs := range errs {
		for _, err := range errs {
			if err != nil {
				x.t.Fatal(err)
			}
		}
	}
	return all
}

// connectFour sets a match for two up, with time enough for each request.
func (x *trial) connectFour(id string, slugs ...string) referee.Setup {
	return x.setup(id, connectfour.New(), slugs...)
}

// werewolf sets a match of five or more up, which has hidden moves and joint turns.
func (x *trial) werewolf(id string, slugs ...string) referee.Setup {
	return x.setup(id, werewolf.New(), slugs...)
}

// strikes is a policy under which each fault brings a new request, as often as there are faults.
var strikes = referee.Policy{
	Name: "transporttest",
	Late: referee.DoStrike, Malformed: referee.DoStrike, BadNonce: referee.DoStrike, Illegal: referee.DoStrike,
	Oversized: referee.DoStrike, Unreachable: referee.DoStrike, Disconnected: referee.DoStrike, BadProtocol: referee.DoStrike,
	Strikes: 1000, Reask: true,
}

func (x *trial) setup(id string, g game.Game, slugs ...string) referee.Setup {
	x.t.Helper()
	table, err := g.Table(nil)
	if err != nil {
		x.t.Fatal(err)
	}
	clock := referee.Clock{Move: x.o.Patience, Expiry: 10 * x.o.Patience}
	if x.o.Terms != nil {
		_, c := x.o.Terms(len(slugs))
		clock.Starts = c.Starts
	}
	s := referee.Setup{ID: id, Table: table, Secret: game.SeedFrom(7)}
	for _, slug := range slugs {
		s.Seats = append(s.Seats, referee.SeatInfo{
			Agent: referee.Agent{Slug: slug, Name: slug}, Transport: "tested", Policy: strikes, Clock: clock,
		})
	}
	return s
}

// start plays a match, or goes on with the one of log, with players of the transport.
func (x *trial) start(s referee.Setup, log *referee.Memory) *bout {
	x.t.Helper()
	ctx := x.t.Context()
	if len(log.Bytes()) > 0 {
		ctx = transport.Recovering(ctx)
	}
	return x.startWith(s, log, x.players(ctx, s)[0])
}

// startWith is start with players that are there.
func (x *trial) startWith(s referee.Setup, log *referee.Memory, players []referee.Player) *bout {
	x.t.Helper()
	ctx := x.t.Context()
	b := &bout{x: x, setup: s, done: make(chan struct{}), recorded: make(chan struct{}), told: make(chan struct{})}
	for i, p := range players {
		players[i] = &watched{b, p}
	}
	m, err := referee.Load(ctx, log, s)
	if err == nil {
		b.live, err = referee.NewLive(m, players, referee.Config{Log: log, Observe: b.observe})
	}
	if err != nil {
		x.t.Fatal(err)
	}
	ctx, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	x.mu.Lock()
	x.bouts = append(x.bouts, b)
	x.mu.Unlock()
	go func() {
		defer close(b.done)
		b.result, b.err = b.live.Run(ctx)
	}()
	return b
}

// watched times a player's Tell.
type watched struct {
	b *bout
	p referee.Player
}

// slow is how long Tell may take by a real clock: it returns at once, but the machine may be busy.
const slow = 5 * time.Second

func (w *watched) Tell(s *referee.Seat, n referee.Notice) {
	began := time.Now()
	w.p.Tell(s, n)
	most := slow
	if w.b.x.o.Virtual {
		most = 0
	}
	if n.Kind == referee.Opened {
		w.b.begun.Do(func() { close(w.b.told) })
	}
	if took := time.Since(began); took > most {
		w.b.x.problem("Tell(%v) of seat %d took %v: the match stands still meanwhile", n.Kind, s.Num(), took)
	}
}

// describe is what is wrong with a match whose end was awaited.
func describe(r *referee.Result, err error) string {
	if err != nil {
		return fmt.Sprintf("Run: %v", err)
	}
	return fmt.Sprintf("it ended by %v, %q, places %v", r.Cause, r.Reason, r.Places)
}
