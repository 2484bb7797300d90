package transporttest

import (
	"context"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

func answers(x *trial) {
	x.agent("ann", plain)
	x.agent("bob", plain)
	b := x.start(x.connectFour("answers", "ann", "bob"), new(referee.Memory))
	b.same(plain)
}

// late lets ann's first request pass, and sends the answer to it when the second
// one has come. That second one is for the same move of the same position.
func late(x *trial) {
	second := make(chan struct{})
	x.agent("ann", func(_ context.Context, c call) []Reply {
		if c.nth == 1 {
			select {
			case <-second:
			case <-x.over:
			}
			return []Reply{c.index(-1)}
		}
		if c.nth == 2 && c.delivery == 1 { // what is late goes first
			close(second)
			x.lapse()
		}
		return []Reply{c.index(0)}
	})
	x.agent("bob", column(1))
	s := x.connectFour("late", "ann", "bob")
	s.Seats[0].Clock.Move = x.o.Move
	b := x.start(s, new(referee.Memory))
	r := b.end()
	for _, a := range b.moves(0) {
		if a != "0" {
			x.problem("the late answer counted as a move: %v", b.ledger(0))
		}
	}
	first := note{kind: referee.KindFault, ask: 1, fault: referee.Late, do: referee.DoStrike}
	if !slices.Contains(b.faults(), first) {
		x.problem("request 1 was let pass, and the record has no fault of it: %v", b.ledger(0))
	}
	if r.Cause != referee.CausePlay || r.Places[0] != 1 {
		x.problem("ann fills a column and wins, but %s", describe(r, nil))
	}
}

// duplicate sends each answer again, every other time with another action.
func duplicate(x *trial) {
	twice := func(i int) script {
		return func(_ context.Context, c call) []Reply {
			again := c.index(i)
			if c.nth%2 == 0 {
				again = c.index(-1)
			}
			return []Reply{c.index(i), again, again}
		}
	}
	x.agent("ann", twice(0))
	x.agent("bob", twice(1))
	b := x.start(x.connectFour("duplicate", "ann", "bob"), new(referee.Memory))
	r := b.end()
	want := [][]game.Action{{"0", "0", "0", "0"}, {"1", "1", "1"}}
	for i, w := range want {
		if got := b.moves(game.Seat(i)); !slices.Equal(got, w) {
			x.problem("seat %d answered each request with the same column first, and moved %q", i, got)
		}
	}
	if f := b.faults(); len(f) > 0 {
		x.problem("a second answer cost something: %v", f)
	}
	if r.Cause != referee.CausePlay {
		x.problem("%s", describe(r, nil))
	}
}

func illegal(x *trial)   { x.wrong(Illegal, referee.Illegal) }
func malformed(x *trial) { x.wrong(Malformed, referee.Malformed) }
func oversized(x *trial) { x.wrong(Oversized, referee.Oversized) }

// wrong lets both agents answer wrongly now and then, which is fault f.
func (x *trial) wrong(k Kind, f referee.Fault) {
	s := func(_ context.Context, c call) []Reply {
		r := c.move()
		if c.nth%3 == 1 {
			r.Kind = k
		}
		return []Reply{r}
	}
	x.agent("ann", s)
	x.agent("bob", s)
	b := x.start(x.connectFour(k.String(), "ann", "bob"), new(referee.Memory))
	b.same(s)
	faults := b.faults()
	if len(faults) == 0 || slices.ContainsFunc(faults, func(n note) bool { return n.fault != f }) {
		x.problem("answers that are %v were recorded as %v", k, faults)
	}
}

// rejected lets ann answer wrongly first where that leaves the request open. She
// answers well if she is asked again, and at once where her format lets her.
func rejected(x *trial) {
	s := func(_ context.Context, c call) []Reply {
		good := c.move()
		if c.nth%2 == 0 || c.delivery > 1 {
			return []Reply{good}
		}
		return []Reply{{Kind: Illegal}, good}
	}
	x.agent("ann", s)
	x.agent("bob", plain)
	setup := x.connectFour("rejected", "ann", "bob")
	setup.Seats[0].Policy.Illegal = referee.DoReject
	b := x.start(setup, new(referee.Memory))
	b.same(func(ctx context.Context, c call) []Reply {
		if c.slug == "ann" {
			return s(ctx, c)
		}
		return plain(ctx, c)
	})
}

// concurrent plays many matches of the same two agents at once: nobody answers
// before all of them have begun.
func concurrent(x *trial) {
	begun := make(chan struct{})
	patient := func(ctx context.Context, c call) []Reply {
		select {
		case <-begun:
		case <-x.over:
		}
		return plain(ctx, c)
	}
	x.agent("ann", patient)
	x.agent("bob", patient)
	var setups []referee.Setup
	for i := range 8 {
		slugs := []string{"ann", "bob"}
		if i%4 == 3 {
			slices.Reverse(slugs)
		}
		setups = append(setups, x.connectFour(fmt.Sprint("concurrent-", i), slugs...))
	}
	var bouts []*bout
	for i, players := range x.players(x.t.Context(), setups...) {
		bouts = append(bouts, x.startWith(setups[i], new(referee.Memory), players))
	}
	for _, b := range bouts {
		x.must("Tell of the first request of match "+b.setup.ID, b.told)
	}
	x.lapse() // in which requests come as far as they can
	close(begun)
	for _, b := range bouts {
		b.same(plain)
	}
}

func table(x *trial) {
	slugs := []string{"ann", "bob", "cid", "dot", "eve", "fay", "gus"}
	for _, slug := range slugs {
		x.agent(slug, plain)
	}
	b := x.start(x.werewolf("table", slugs...), new(referee.Memory))
	b.same(plain)
}

// itself seats one agent twice. Nothing but the seat tells its requests apart.
func itself(x *trial) {
	s := func(_ context.Context, c call) []Reply {
		if c.nth == 1 {
			return []Reply{c.index(0)}
		}
		return []Reply{c.move()}
	}
	x.agent("ann", s)
	b := x.start(x.connectFour("itself", "ann", "ann"), new(referee.Memory))
	b.same(s)
}
