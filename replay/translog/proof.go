package translog

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/matchreferee/arena/referee"
)

// ErrProof is wrapped where a proof does not show what it is shown for.
var ErrProof = errors.New("translog: the proof does not fit")

// Inclusion proves to who has the newest checkpoint that an entry is in the log:
// the hashes beside the way from the entry of that number to the root (RFC 6962,
// section 2.1.1).
func (l *Log) Inclusion(ctx context.Context, number int64) ([][32]byte, *Checkpoint, error) {
	c, err := l.Checkpoint(ctx)
	if err != nil {
		return nil, nil, err
	}
	if number < 0 || number >= c.Size {
		return nil, nil, fmt.Errorf("%w: number %d of %d", ErrNotLogged, number, c.Size)
	}
	p, err := tlog.ProveRecord(c.Size, number, c.hashes(ctx, l.opts.Storage.Read))
	if err != nil {
		return nil, nil, err
	}
	return plain(p), c, nil
}

// CheckInclusion reports whether an entry has that number in the log of a
// checkpoint. Errors wrap [ErrProof].
func CheckInclusion(proof [][32]byte, c *Checkpoint, number int64, e *Entry) error {
	if number < 0 || number >= c.Size {
		return fmt.Errorf("%w: number %d of %d", ErrProof, number, c.Size)
	}
	if err := tlog.CheckRecord(tlog.RecordProof(hashed(proof)), c.Size, tlog.Hash(c.Root), number, tlog.Hash(referee.LeafHash(e.Append(nil)))); err != nil {
		return fmt.Errorf("%w: match %.140q is not number %d of %d", ErrProof, e.Match, number, c.Size)
	}
	return nil
}

// Consistency proves that the first size entries of the newest checkpoint are all
// that the log had when it was of that size: RFC 6962, section 2.1.2.
func (l *Log) Consistency(ctx context.Context, size int64) ([][32]byte, *Checkpoint, error) {
	c, err := l.Checkpoint(ctx)
	if err != nil {
		return nil, nil, err
	}
	if size < 1 || size > c.Size {
		return nil, nil, fmt.Errorf("%w: a log of %d entries, it has %d", ErrNotLogged, size, c.Size)
	}
	p, err := tlog.ProveTree(c.Size, size, c.hashes(ctx, l.opts.Storage.Read))
	if err != nil {
		return nil, nil, err
	}
	return plain(p), c, nil
}

// CheckConsistency reports whether a log of one checkpoint grew into that of
// another. Errors wrap [ErrProof].
func CheckConsistency(proof [][32]byte, from, to *Checkpoint) error {
	if from.Size == 0 {
		return nil // everything grew from nothing
	}
	if from.Size > to.Size {
		return fmt.Errorf("%w: from %d entries to %d", ErrProof, from.Size, to.Size)
	}
	if err := tlog.CheckTree(tlog.TreeProof(hashed(proof)), to.Size, tlog.Hash(to.Root), from.Size, tlog.Hash(from.Root)); err != nil {
		return fmt.Errorf("%w: %d entries are not the first of these %d", ErrProof, from.Size, to.Size)
	}
	return nil
}

func plain(p []tlog.Hash) [][32]byte {
	out := make([][32]byte, len(p))
	for i, h := range p {
		out[i] = h
	}
	return out
}

func hashed(p [][32]byte) []tlog.Hash {
	out := make([]tlog.Hash, len(p))
	for i, h := range p {
		out[i] = h
	}
	return out
}
