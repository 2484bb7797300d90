package transporttest

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// cancel closes a request by its deadline, and another one by ending the match.
func cancel(x *trial) {
	asked, ended := newHeard(), newHeard()
	x.agent("ann", func(ctx context.Context, c call) []Reply {
		asked.add(c.turn.Match)
		x.hold(ctx)
		if ctx.Err() != nil {
			ended.add(c.turn.Match)
		}
		return nil
	})
	x.agent("bob", plain)

	reached := false
	for i := 0; i < 10 && !reached; i++ { // on a busy machine, a deadline may pass before the agent is asked
		id := fmt.Sprint("deadline-", i)
		s := x.connectFour(id, "ann", "bob")
		s.Seats[0].Clock.Move = x.o.Move
		s.Seats[0].Policy.Pause = x.o.Patience // so that it is no other request that ends the first
		b := x.start(s, new(referee.Memory))
		b.until("the fault of a deadline", func(n note) bool { return n.fault == referee.Late })
		if reached = asked.has(id); reached {
			x.within("the end of the context of an agent whose request's deadline has passed", ended.of(id))
		}
		b.cancel()
		x.must("Run, whose context has ended", b.done)
	}
	if !reached {
		x.problem("ten times the deadline passed before the agent was asked; options.Move is %v", x.o.Move)
	}

	b := x.start(x.connectFour("ruling", "ann", "bob"), new(referee.Memory))
	x.must("ann's first request", asked.of("ruling"))
	b.live.Rule(referee.Ruling{What: referee.RuleVoid, By: "transporttest", Reason: "enough"})
	x.within("the end of the context of an agent whose match has ended", ended.of("ruling"))
	b.end()
}

// deaf has one agent of five that never answers. While she holds up a match of
// her own, others play theirs.
func deaf(x *trial) {
	asked := newHeard()
	x.agent("ann", func(ctx context.Context, c call) []Reply {
		asked.add(c.turn.Match)
		x.hold(ctx)
		return nil
	})
	slugs := []string{"ann", "bob", "cid", "dot", "eve"}
	for _, slug := range slugs[1:] {
		x.agent(slug, plain)
	}
	held := x.start(x.connectFour("held-up", "ann", "bob"), new(referee.Memory))
	x.must("ann's first request", asked.of("held-up"))
	x.start(x.connectFour("meanwhile", "bob", "cid"), new(referee.Memory)).same(plain)
	held.cancel()
	x.must("Run, whose context has ended", held.done)

	s := x.werewolf("deaf", slugs...)
	s.Seats[0].Clock.Move, s.Seats[0].Policy.Late = x.o.Move, referee.DoEliminate
	b := x.start(s, new(referee.Memory))
	r := b.end()
	if r.Cause != referee.CausePlay || !r.Seats[0].Out {
		x.problem("the match goes on without the agent that does not answer, but %s", describe(r, nil))
	}
	for _, f := range b.faults() {
		if f.seat != 0 || f.fault != referee.Late {
			x.problem("seat %d, %v: only seat 0 did not answer", f.seat, f)
		}
	}
}

// thinking starts a match in which the first agent has been asked, and thinks.
func (x *trial) thinking(id string) *bout {
	x.t.Helper()
	asked := make(chan struct{})
	x.agent("ann", func(ctx context.Context, c call) []Reply {
		if c.nth == 1 && c.delivery == 1 {
			close(asked)
		}
		x.hold(ctx)
		return nil
	})
	x.agent("bob", plain)
	b := x.start(x.connectFour(id, "ann", "bob"), new(referee.Memory))
	x.must("the first request", asked)
	return b
}

// stop ends Run's context while the agent thinks.
func stop(x *trial) {
	b := x.thinking("stop")
	b.cancel()
	if x.within("Run, whose context has ended", b.done) && b.err == nil {
		x.problem("a match that was stopped %s", describe(b.result, nil))
	}
}

// closing closes the transport while the agent thinks.
func closing(x *trial) {
	b := x.thinking("close")
	x.close()
	for _, slug := range []string{"ann", "bob"} {
		if p, err := x.h.Transport.Player(x.t.Context(), referee.Agent{Slug: slug, Name: slug}); err == nil || p != nil {
			x.problem("after Close, Player of %s gives %v, %v", slug, p, err)
		}
	}
	b.cancel()
	x.within("Run, whose context has ended", b.done)
}

func unknown(x *trial) {
	x.agent("ann", plain)
	if p, err := x.h.Transport.Player(x.t.Context(), referee.Agent{Slug: "nobody", Name: "nobody"}); err == nil || p != nil {
		x.problem("Player of an agent that nobody made known gives %v, %v", p, err)
	}
	if _, err := x.player(x.t.Context(), "ann"); err != nil {
		x.problem("%v", err)
	}
}

// resume lets another referee go on from the record while ann's answer is on its way.
func resume(x *trial) {
	asked, resumed := make(chan struct{}), make(chan struct{})
	x.agent("ann", func(ctx context.Context, c call) []Reply {
		if c.nth == 2 && c.delivery == 1 {
			close(asked)
			select {
			case <-ctx.Done():
			case <-resumed:
			case <-x.over:
			}
		}
		return []Reply{c.index(0)}
	})
	x.agent("bob", column(1))
	s, log := x.connectFour("resume", "ann", "bob"), new(referee.Memory)
	b := x.start(s, log)
	x.must("ann's second request", asked)
	b.cancel()
	x.must("Run, whose context has ended", b.done)
	before := len(b.moves(0)) + len(b.moves(1))
	b = x.start(s, log)
	b.until("the second referee", func(n note) bool { return n.kind == referee.KindResume })
	x.lapse()
	close(resumed)
	r := b.end()
	if n := before + len(b.moves(0)) + len(b.moves(1)); n != 7 || r.Cause != referee.CausePlay || r.Places[0] != 1 {
		x.problem("ann fills a column in seven moves of both, but after %d %s", n, describe(r, nil))
	}
	for i := range s.Seats {
		for _, a := range b.moves(game.Seat(i)) {
			if want := game.Action("01"[i : i+1]); a != want {
				x.problem("seat %d moved %s, and plays %s alone", i, a, want)
			}
		}
	}
	if f := b.faults(); len(f) > 0 {
		x.problem("being taken over cost something: %v", f)
	}
}
