package replay

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/referee"
)

// chain judges the lines of a record one after the other by what needs no rules.
type chain struct {
	head  [32]byte // of the last event
	tree  merkle
	start referee.Time // of the start event
	read  writing
}

// errUnchained: the line is good in itself, and was not chained to the one before it.
var errUnchained = fmt.Errorf("%w: it was not chained to the line before it", ErrChain)

// Count is how many events have been read.
func (c *chain) Count() int64 { return c.tree.n }

// Head is the leaf hash of the last event read; zero before the first.
func (c *chain) Head() [32]byte { return c.head }

// Root is the Merkle root over the events read.
func (c *chain) Root() [32]byte { return c.tree.root() }

// take judges the bytes of a line that comes next, and fills in the rest of it.
// The error is a [*LineError].
func (c *chain) take(l *Line) error {
	wrong := func(err error) error { return &LineError{Line: l.Num, Err: err} }
	switch {
	case c.read == sealed:
		return wrong(errAfterSeal)
	case referee.IsSeal(l.Bytes):
		return c.seal(l)
	case c.read == ended:
		return wrong(errAfterEnd)
	}
	e, prev, err := referee.ParseLine(l.Bytes, c.start)
	switch {
	case err != nil:
		return wrong(err)
	case (e.Kind == referee.KindStart) != (c.read == begins):
		return wrong(errStart)
	}
	l.Event, l.Hash = e, referee.LeafHash(l.Bytes)
	if prev != c.head {
		return wrong(errUnchained)
	}
	c.head, c.read = l.Hash, plays
	c.tree.add(l.Hash)
	switch e.Kind {
	case referee.KindStart:
		c.start = e.Time
	case referee.KindEnd:
		c.read = ended
	}
	return nil
}

// seal judges the seal.
func (c *chain) seal(l *Line) error {
	wrong := func(err error) error { return &LineError{Line: l.Num, Err: err} }
	if c.read != ended {
		return wrong(errEarlySeal)
	}
	s, err := ParseSeal(l.Bytes)
	if err != nil {
		return wrong(err)
	}
	count, head, root := s.Count == c.tree.n, s.Head == c.head, s.Root == c.tree.root()
	switch {
	case count && !head && !root: // two hashes against one line
		return &LineError{Line: l.Num - 1, Err: fmt.Errorf("%w: it is not the line that was sealed", ErrChain)}
	case !count:
		return wrong(badSeal("it counts %d events, there are %d", s.Count, c.tree.n))
	case !head:
		return wrong(badSeal("its head is not the hash of the last event"))
	case !root:
		return wrong(badSeal("its root is not that of the events"))
	}
	l.Seal, c.read = s, sealed
	return nil
}

var (
	errStart     = errors.New("the start event is the first and no other")
	errAfterEnd  = errors.New("nothing but a seal follows the end event")
	errAfterSeal = errors.New("nothing follows the seal")
	errEarlySeal = errors.New("a seal follows the end event")
)
