// Package house holds seven players of the grid for a host to offer, from casual, who takes what points lie about, to hell_v3, who looks many
// moves ahead; [Names] has them in the order of their strength.
//
// Like any other player they know of a match what their [referee.Request] shows them. They keep nothing between requests, so that one player
// may sit on any number of seats of any number of matches at once, and all their chance comes from the request: with the same budget of nodes
// the same match plays the same way again.
//
// # Budgets
//
// A [Policy] says what an opponent is: its algorithm with its version, how many nodes it looks at for a move, and how long it may take. A node
// is a mark set on the player's own board, some 0.3 us each. This package reads no clock of its own. Without [Options.Now] nodes are the only
// bound: the default ones take a second or two at most, and less than the opponent's time on a machine a fifth as fast; where the request has a
// limit, they are cut to what such a machine does in half of it. With Now the search also ends at the opponent's time, or at three quarters of
// the request's limit if that comes first, and gives the best cell it has found. When the request closes, it stops within 256 nodes.
//
// For one move hell_v3 takes up to 16 MiB of memory, hell_v2 a quarter of that, the others less than 2 MiB;
// experimental with [MaxNodes] takes up to 64 MiB.
package house

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
)

// MaxNodes is the most nodes that [Options] may ask for.
const MaxNodes = 100_000_000

// Options set up a player. The zero value is for matches that are in earnest.
type Options struct {
	// Nodes is how many nodes it looks at for one move, in place of the opponent's own number: 1 to MaxNodes; 0: its own.
	// casual, smart and hard look at each empty cell once and have no such number.
	Nodes int
	// Now gives the time that has passed since some moment, and never goes back. It is for opponents whose policy has a time, and for requests
	// with a limit; nil: nodes alone count. With it, moves hang on the speed of the machine. Safe for concurrent use.
	Now func() time.Duration
}

// Policy is what is pinned of an opponent when a match begins, for protocols that show it.
type Policy struct {
	Opponent  string `json:"opponent"`
	Version   int    `json:"version"`          // of the algorithm: another one plays otherwise
	Algorithm string `json:"algorithm"`        // for people
	Nodes     int    `json:"nodes"`            // for one move; 0: each empty cell once
	TimeMs    int64  `json:"timeMs,omitempty"` // the most it takes for one move, in milliseconds, where there is a clock; 0: no bound but nodes
}

// String gives the policy in one line: "hell_v2/1 (alpha-beta, transposition table; 1000000 nodes, 9000 ms)".
func (p Policy) String() string {
	s := fmt.Sprintf("%s/%d (%s", p.Opponent, p.Version, p.Algorithm)
	if p.Nodes > 0 {
		s += fmt.Sprintf("; %d nodes", p.Nodes)
	}
	if p.TimeMs > 0 {
		s += fmt.Sprintf(", %d ms", p.TimeMs)
	}
	return s + ")"
}

// Names gives the names of the opponents, the weakest first. The list is the caller's.
func Names() []string {
	names := make([]string, len(levels))
	for i := range levels {
		names[i] = levels[i].name
	}
	return names
}

// ByName gives the player of a name, with its default options. The error of an unknown name lists those there are.
func ByName(name string) (referee.Player, error) { return New(name, Options{}) }

// New gives the player of a name. The error has one for each bad option; that of an unknown name lists those there are.
// Seated at another game, the player forfeits.
func New(name string, o Options) (referee.Player, error) {
	l, nodes, err := resolve(name, o)
	if err != nil {
		return nil, err
	}
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		v, ok := r.View().(grid.View)
		if !ok {
			return misplaced("this is not the grid"), nil
		}
		b, err := replay(v, l.weights)
		if err != nil {
			return misplaced(err.Error()), nil
		}
		budget := budget{nodes: allowance(nodes, r.Limit, o.Now != nil), stop: stopper(ctx, l.time, r.Limit, o.Now)}
		i := l.choose(b, budget, r.Rand())
		if err := ctx.Err(); err != nil {
			return referee.Answer{}, err
		}
		return referee.Answer{Action: game.Action(fmt.Sprintf(`{"col":%d,"row":%d}`, i%grid.Size, i/grid.Size))}, nil
	}), nil
}

// PolicyOf gives the policy of the player that [New] gives for the same name and options, with the same errors.
func PolicyOf(name string, o Options) (Policy, error) {
	l, nodes, err := resolve(name, o)
	if err != nil {
		return Policy{}, err
	}
	return Policy{Opponent: l.name, Version: l.version, Algorithm: l.algorithm, Nodes: nodes, TimeMs: l.time.Milliseconds()}, nil
}

// resolve finds the opponent and its nodes.
func resolve(name string, o Options) (*level, int, error) {
	for i := range levels {
		l := &levels[i]
		if l.name != name {
			continue
		}
		switch {
		case o.Nodes == 0:
			return l, l.nodes, nil
		case l.nodes == 0:
			return nil, 0, fmt.Errorf("house: Nodes: %d, but %s has no number of them", o.Nodes, name)
		case o.Nodes < 0 || o.Nodes > MaxNodes:
			return nil, 0, fmt.Errorf("house: Nodes: %d, not 0 to %d", o.Nodes, MaxNodes)
		}
		return l, o.Nodes, nil
	}
	return nil, 0, fmt.Errorf("house: there is no player %q: there are %s", name, strings.Join(Names(), ", "))
}

// slow is how many nodes a millisecond are counted on where there is no clock.
const slow = 500

// allowance cuts nodes to what a request allows for.
func allowance(nodes int, limit time.Duration, clock bool) int {
	if limit <= 0 || clock {
		return nodes
	}
	return int(min(int64(nodes), max(1, limit.Milliseconds()*slow/2)))
}

// stopper tells a search when to stop.
func stopper(ctx context.Context, most, limit time.Duration, now func() time.Duration) func() bool {
	if limit > 0 && (most == 0 || limit-limit/4 < most) {
		most = limit - limit/4
	}
	if now == nil || most == 0 {
		return func() bool { return ctx.Err() != nil }
	}
	end := now() + most
	return func() bool { return ctx.Err() != nil || now() >= end }
}

// replay sets up the board of a view.
func replay(v grid.View, w *weights) (*board, error) {
	b := newBoard(w)
	for _, m := range v.History {
		i := m.Row*grid.Size + m.Col
		if m.Row < 0 || m.Row >= grid.Size || m.Col < 0 || m.Col >= grid.Size || !b.empty(i) {
			return nil, errors.New("a history that no game has")
		}
		b.mark(i)
	}
	if b.left == 0 {
		return nil, errors.New("no cell is empty")
	}
	return b, nil
}

// misplaced is the answer of a player that cannot play this match at all: it forfeits, and the detail of the fault says why.
func misplaced(why string) referee.Answer {
	return referee.Answer{Fault: referee.BadProtocol, Detail: "house: " + why}
}
