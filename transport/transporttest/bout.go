package transporttest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// bout is a match of a trial, as its record tells it.
type bout struct {
	x      *trial
	setup  referee.Setup
	live   *referee.Live
	cancel func()

	told   chan struct{} // closed when a player has been told of a request
	begun  sync.Once
	done   chan struct{} // closed when Run has returned
	result *referee.Result
	err    error

	mu       sync.Mutex
	notes    []note
	recorded chan struct{} // closed and replaced with each event
}

// note is what matters of an event.
type note struct {
	kind   referee.Kind
	seat   game.Seat
	ask    int32
	action game.Action
	fault  referee.Fault
	do     referee.Do
}

// String is what two records of the same match have in common, whatever carried the answers.
func (n note) String() string {
	switch n.kind {
	case referee.KindMove:
		return fmt.Sprintf("request %d: move %s", n.ask, n.action)
	case referee.KindFault:
		return fmt.Sprintf("request %d: fault %v, consequence %v, played %q", n.ask, n.fault, n.do, string(n.action))
	}
	return n.kind.String()
}

func noteOf(e *referee.Event) note {
	n := note{kind: e.Kind, seat: e.Seat, ask: e.Ask, action: e.Action}
	if e.X != nil {
		n.fault, n.do = e.X.Fault, e.X.Do
	}
	return n
}

func (b *bout) observe(_ string, e *referee.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, noteOf(e))
	close(b.recorded)
	b.recorded = make(chan struct{})
}

// until waits for an event of which is says yes.
func (b *bout) until(what string, is func(note) bool) {
	b.x.t.Helper()
	for {
		b.mu.Lock()
		found, next := slices.ContainsFunc(b.notes, is), b.recorded
		b.mu.Unlock()
		if found {
			return
		}
		b.x.must(what, next)
	}
}

// end waits for the match to end.
func (b *bout) end() *referee.Result {
	b.x.t.Helper()
	b.x.must("the end of match "+b.setup.ID, b.done)
	if b.err != nil {
		b.x.t.Fatalf("match %s: Run: %v", b.setup.ID, b.err)
	}
	return b.result
}

// costs reports whether a fault is to be looked at. A stale answer is no seat's
// fault, and a connection that broke, where that is let pass, may be on record or not.
func (n note) costs() bool {
	lost := n.do == referee.DoReject && (n.fault == referee.Disconnected || n.fault == referee.Unreachable)
	return n.kind == referee.KindFault && n.fault != referee.Stale && !lost
}

// moves are those of a seat.
func (b *bout) moves(s game.Seat) (actions []game.Action) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		if n.kind == referee.KindMove && n.seat == s {
			actions = append(actions, n.action)
		}
	}
	return actions
}

// faults are those of all seats.
func (b *bout) faults() (faults []note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		if n.costs() {
			faults = append(faults, n)
		}
	}
	return faults
}

// ledger is what became of a seat's requests, in order.
func (b *bout) ledger(s game.Seat) (lines []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, n := range b.notes {
		if n.seat == s && (n.kind == referee.KindMove || n.costs()) {
			lines = append(lines, n.String())
		}
	}
	return lines
}

// same waits for the end and compares the match with what the same script does
// where nothing is in between.
func (b *bout) same(s script) {
	x := b.x
	x.t.Helper()
	got := b.end()
	ref := &bout{x: x, setup: b.setup, recorded: make(chan struct{})}
	var players []referee.Player
	for _, seat := range b.setup.Seats {
		players = append(players, Player(x.play(seat.Agent.Slug, s)))
	}
	want, err := (&referee.Local{Config: referee.Config{Observe: ref.observe}}).Play(context.WithoutCancel(x.t.Context()), b.setup, players...)
	if err != nil {
		x.t.Fatal(err)
	}
	for i := range b.setup.Seats {
		if why := differ(ref.ledger(game.Seat(i)), b.ledger(game.Seat(i))); why != "" {
			x.problem("match %s, seat %d (%s): %s", b.setup.ID, i, b.setup.Seats[i].Agent.Slug, why)
		}
	}
	if got.Cause != want.Cause || got.Reason != want.Reason || !slices.Equal(got.Places, want.Places) {
		x.problem("match %s: %s; the answers lead to: %s", b.setup.ID, describe(got, nil), describe(want, nil))
	}
}

// differ tells of the first line in which two ledgers differ.
func differ(want, got []string) string {
	for i := range max(len(want), len(got)) {
		w, g := "no more", "no more"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w != g {
			return fmt.Sprintf("line %d of its record is %q; the agent's answers make it %q", i+1, g, w)
		}
	}
	return ""
}
