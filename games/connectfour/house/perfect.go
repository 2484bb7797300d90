package house

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"time"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// Bounds of [PerfectOptions].
const (
	DefaultPerfectNodes = 10_000_000
	MinPerfectNodes     = 1
	MaxPerfectNodes     = 1 << 30
	DefaultTableBits    = 22
	MinTableBits        = 10
	MaxTableBits        = 24 // 128 MiB: to clear more takes longer than a player may take to stop
)

// perMillisecond is how many nodes Perfect takes for granted that a millisecond lasts for: a third of what they do on a slow machine.
const perMillisecond = 1_000

// PerfectOptions set up [Perfect]. The zero value solves positions of 14 or more discs on the usual board.
type PerfectOptions struct {
	// Nodes is how many positions it looks at for one move at most: some three to ten million a second. MinPerfectNodes to MaxPerfectNodes;
	// 0: DefaultPerfectNodes. Where the request has a limit it takes no more than 1,000 a millisecond of it.
	Nodes int
	// TableBits sets the size of the transposition table: 2 to this power entries of 8 bytes, for each request that is being answered at a
	// time. MinTableBits to MaxTableBits; 0: DefaultTableBits, which is 32 MiB.
	TableBits int
}

func (o PerfectOptions) validate() error {
	var errs []error
	within := func(name string, n, low, high int) {
		if n != 0 && (n < low || n > high) {
			errs = append(errs, fmt.Errorf("house: %s: %d, not 0 or %d to %d", name, n, low, high))
		}
	}
	within("Nodes", o.Nodes, MinPerfectNodes, MaxPerfectNodes)
	within("TableBits", o.TableBits, MinTableBits, MaxTableBits)
	return errors.Join(errs...)
}

// budget is how many nodes a request with a limit of time gets; 0: none.
func (o PerfectOptions) budget(limit time.Duration) int {
	if limit <= 0 {
		return o.Nodes
	}
	return int(min(int64(o.Nodes), max(1, limit.Milliseconds())*perMillisecond))
}

// Perfect gives a player that on the usual board (7 columns, 6 rows, connect 4) finds the exact value of a position and plays a move that
// keeps it: it wins as soon as can be, and loses as late. The default nodes last for that from 14 discs on: the hardest of 600 drawn
// positions of 14 discs took 3.8 million, half of them less than 80,000. Before that they may not last; then it plays a move by which it
// has proved that it wins or at least draws, if it has found one, else what [Hard] would.
//
// Other boards are beyond it: there it plays as Hard does with its default options. Seated at another game it forfeits. What it plays hangs on
// the position, the options, the time that the request gives and, where it plays as Hard, the match's lot. The error names each option
// out of its range. It is a [referee.Func], and stops well within 50 ms of its context's end.
func Perfect(o PerfectOptions) (referee.Player, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Nodes == 0 {
		o.Nodes = DefaultPerfectNodes
	}
	if o.TableBits == 0 {
		o.TableBits = DefaultTableBits
	}
	tables := &sync.Pool{New: func() any { return newTable(o.TableBits) }}
	return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		rules, history, err := position(r)
		if err != nil {
			return misplaced(err), nil
		}
		if rules == (connectfour.Rules{Columns: columns, Rows: rows, Connect: 4}) && len(history) < cells {
			t := tables.Get().(*table)
			defer tables.Put(t)
			t.renew()
			cell, _, _, proved := (&solver{table: t, ctx: ctx, left: o.budget(r.Limit)}).best(boardOf(history))
			if err := ctx.Err(); err != nil {
				return referee.Answer{}, err
			}
			if proved {
				return drop(bits.TrailingZeros64(cell) / height), nil
			}
		}
		column, err := look(rules, history, DefaultNodes, r.Rand().Perm)
		if err != nil {
			return misplaced(err), nil
		}
		return drop(column), nil
	}), nil
}

// best gives the cell of the best disc. Unless the nodes last, that is one by which a win or a draw is proved; where there is none, proved
// is false. The score of b is from low to high; they are the same if the nodes last.
func (x *solver) best(b bitboard) (cell uint64, low, high int, proved bool) {
	open, discs := b.open(), b.discs()
	if wins := open & b.wins(); wins != 0 {
		score := (cells + 1 - discs) / 2
		return wins & -wins, score, score, true
	}
	moves := b.safe()
	if moves == 0 { // lost at once, whatever it does
		if threats := open & b.threats(); threats != 0 {
			open = threats
		}
		score := (discs - cells) / 2
		return open & -open, score, score, true
	}
	var buffer [columns]uint64
	list := order(b, moves, &buffer)
	low, high = max(minScore, (discs-cells+2)/2), min(maxScore, (cells-1-discs)/2)
	found := false // the first of list is known to score at least low
	for low < high {
		n := next(low, high)
		at := x.first(b, list, n)
		switch {
		case x.stopped:
			return list[0], low, high, found && low >= 0
		case at:
			low, found = n, true
		default:
			high = n - 1
		}
	}
	return list[0], low, high, true
}

// next is the score to ask for next of those from low to high: first whether it is a win, then whether it is a draw, then numbers
// nearer to the ends of games that are over soon, for those take less time.
func next(low, high int) int {
	switch {
	case high > 0 && low <= 0:
		return 1
	case low < 0 && high == 0:
		return 0
	case low > 0:
		return low + (2*(high-low)+2)/3
	}
	return low + (high-low+2)/3
}

// first looks for a cell of list with a score of at least n, and moves it to the front.
func (x *solver) first(b bitboard, list []uint64, n int) bool {
	for i, cell := range list {
		at := -x.value(b.drop(cell), -n, -n+1) >= n
		if x.stopped {
			return false
		}
		if at {
			copy(list[1:i+1], list[:i])
			list[0] = cell
			return true
		}
	}
	return false
}
