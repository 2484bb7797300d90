package arena

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/matchreferee/arena/referee"
)

// keptLog is the log of a match in the background. It remembers what this arena has
// recorded, so that nothing is gone on with that somebody else has written to since.
// One at a time uses it.
type keptLog struct {
	referee.Log
	known bool     // it was read once
	at    int64    // lines that are there for certain
	last  []byte   // the last one of them
	maybe [][]byte // those of an append that failed
}

// Append adds lines.
func (k *keptLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	err := k.Log.Append(ctx, at, lines)
	if k.maybe = nil; err != nil {
		for _, line := range lines {
			k.maybe = append(k.maybe, bytes.Clone(line))
		}
		return err
	}
	k.at, k.last = at+int64(len(lines)), append(k.last[:0], lines[len(lines)-1]...)
	return nil
}

// Read gives the lines from a position on. All of them are looked at: the error
// wraps [referee.ErrFenced] where the log is not as it was left.
func (k *keptLog) Read(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		n, at := int64(0), k.at
		for line, err := range k.Log.Read(ctx, 0) {
			if err == nil && k.known && !k.left(n, at, line) {
				err = fmt.Errorf("%w: line %d is of others", referee.ErrFenced, n+1)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if n++; n > k.at {
				k.at, k.last = n, append(k.last[:0], line...)
			}
			if n > from && !yield(line, nil) {
				return
			}
		}
		if k.known && n < at {
			yield(nil, fmt.Errorf("%w: %d of its %d lines are gone", referee.ErrFenced, at-n, at))
			return
		}
		k.known = true
	}
}

// left reports whether line n may be there: at lines were, and those of an append
// that failed may be.
func (k *keptLog) left(n, at int64, line []byte) bool {
	switch {
	case n < at-1: // the chain holds them
		return true
	case n == at-1:
		return bytes.Equal(line, k.last)
	}
	return n-at < int64(len(k.maybe)) && bytes.Equal(line, k.maybe[n-at])
}
