package house

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Bounds of [Options].
const (
	DefaultNodes     = 50_000
	MinNodes         = 1
	MaxNodes         = 1 << 30
	DefaultTableBits = 16
	MinTableBits     = 8
	MaxTableBits     = 23 // 128 MiB: to clear more takes longer than a player may take to stop
)

// perMillisecond is how many nodes a player takes for granted that a millisecond lasts for: a third of what they do on a slow machine.
const perMillisecond = 1_000

// easyNodes are the nodes of Easy.
const easyNodes = 300

// Options set up [Hard]. The zero value answers in some hundredths of a second.
type Options struct {
	// Nodes is how many positions it looks at for one move, which sets its strength and its time: some millions a second. MinNodes to
	// MaxNodes; 0: DefaultNodes. Where the request has a limit it takes no more than 1,000 a millisecond of it.
	Nodes int
	// TableBits sets the size of the transposition table: 2 to this power entries of 16 bytes, for each request that is being answered at a
	// time. MinTableBits to MaxTableBits; 0: DefaultTableBits, which is 1 MiB.
	TableBits int
}

func (o Options) validate() error {
	var errs []error
	within := func(name string, n, low, high int) {
		if n != 0 && (n < low || n > high) {
			errs = append(errs, fmt.Errorf("house: %s: %d, not 0 or %d to %d", name, n, low, high))
		}
	}
	within("Nodes", o.Nodes, MinNodes, MaxNodes)
	within("TableBits", o.TableBits, MinTableBits, MaxTableBits)
	return errors.Join(errs...)
}

// budget is how many nodes a request with a limit of time gets; 0: none.
func (o Options) budget(limit time.Duration) int {
	if limit <= 0 {
		return o.Nodes
	}
	return int(min(int64(o.Nodes), max(1, limit.Milliseconds())*perMillisecond))
}

// Hard gives a player that looks ahead by alpha-beta until its nodes are used up: one ply deeper each time, with quiescence search, a
// transposition table, null moves, extensions in check, and moves tried in the order of what they promise. It judges a position by material, by
// where the pieces stand, and by passed pawns; it knows the draws of the ruleset, with what of the match bears on repetition. Moves that look
// equally good to it are chosen among by lot. Seated at another game it forfeits. The error names each option out of its range.
//
// It is a [referee.Func], and stops well within 50 ms of its context's end. What it plays hangs on the position, the match so far, its options,
// the time that the request gives and the match's lot.
func Hard(o Options) (referee.Player, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Nodes == 0 {
		o.Nodes = DefaultNodes
	}
	if o.TableBits == 0 {
		o.TableBits = DefaultTableBits
	}
	return o.player(), nil
}

// Easy gives a player that is [Hard] with so few nodes that it sees the exchanges on the board and one ply or two beyond.
func Easy() referee.Player { return Options{Nodes: easyNodes, TableBits: MinTableBits}.player() }

func (o Options) player() referee.Player {
	searches := &sync.Pool{New: func() any { return newSearch(o.TableBits) }}
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		rules, p, moves, err := position(r)
		if err != nil {
			return misplaced(err), nil
		}
		legal := p.Legal(nil)
		if len(legal) == 0 {
			return misplaced(errors.New("no move is legal")), nil
		}
		r.Rand().Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
		x := searches.Get().(*search)
		defer func() {
			x.ctx = nil
			searches.Put(x)
		}()
		x.begin(ctx, o.budget(r.Limit), rules, earlier(p, moves))
		move, _ := x.best(p, legal)
		if err := ctx.Err(); err != nil {
			return referee.Answer{}, err
		}
		return referee.Answer{Action: game.Action(strconv.Quote(move.String()))}, nil
	})
}
