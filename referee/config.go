package referee

import (
	"context"

	"github.com/matchreferee/arena/game"
)

// Config is what a match needs of its host. The zero value plays without a
// record, by the wall clock.
type Config struct {
	Log  Log  // nil: no record
	Host Host // nil: a game that asks the host is void
	// Now gives the time. nil: the wall clock when Run begins, plus what the
	// monotonic clock has counted since. With one that stands
	// still, a match repeated from the same seeds gives the same bytes. Safe for concurrent use.
	Now func() Time
	// Seal makes the line that follows the end event, from the match's id and the
	// leaf hashes of all lines, which it must not keep; replay.Sealer gives one. nil: none.
	Seal func(match string, leaves [][32]byte) ([]byte, error)
	// Observe is told of each event of a match once it is recorded, in order,
	// while the match stands still: it must be quick, call nothing of the match,
	// and keep nothing of the event. nil: nobody is told.
	Observe func(match string, e *Event)
	// Opened is told of each request once it is open, and Ended of the result
	// once it is recorded, under the same terms. A match that had ended when it
	// was loaded is not told of again.
	Opened func(match string, s game.Seat, ask int32)
	Ended  func(match string, r *Result)
	// Filter sees every text of an agent (notes, what is said) before it is
	// recorded, and what the rules say of an illegal action, which may quote it. It must be quick. nil: text stays as it is.
	Filter func(string) string
}

// Ruler is an optional interface of a [Host]: it rules when Setup.MaxSteps is
// reached. view is the public view of the position. An error means a draw.
type Ruler interface {
	Rule(ctx context.Context, view any) (Ruling, error)
}
