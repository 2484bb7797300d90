package house

import (
	"context"
	"time"

	"github.com/matchreferee/arena/games/chess"
)

// For the tests.
const (
	Mated     = mated
	MaxPly    = maxPly
	PollNodes = pollNodes
)

func Evaluate(p chess.Position) int                         { return evaluate(&p) }
func Earlier(p chess.Position, moves []chess.Move) []uint64 { return earlier(p, moves) }

// Budget is how many nodes a request with a limit gets.
func (o Options) Budget(limit time.Duration) int { return o.budget(limit) }

// Search is a search with a table of its own.
type Search struct{ x *search }

func NewSearch(ctx context.Context, nodes int, rules chess.Rules, keys []uint64) Search {
	x := newSearch(12)
	x.begin(ctx, nodes, rules, keys)
	return Search{x}
}

// Best gives the best move of p and its value.
func (s Search) Best(p chess.Position) (chess.Move, int) { return s.x.best(p, p.Legal(nil)) }

// Left is how many nodes it may still look at.
func (s Search) Left() int { return s.x.left }

// Table is a transposition table.
type Table struct{ t *table }

func NewTable(bits int) Table {
	t := newTable(bits)
	return Table{&t}
}

func (t Table) Renew() { t.t.renew() }

// PutExact puts an exact score, Get gives what is there.
func (t Table) PutExact(key uint64, move chess.Move, score, depth, ply int) {
	t.t.put(key, move, score, depth, ply, exact)
}

func (t Table) Get(key uint64, ply int) (move chess.Move, score, depth int, ok bool) {
	e, ok := t.t.get(key)
	return e.move, fromRoot(int(e.score), ply), int(e.depth), ok
}
