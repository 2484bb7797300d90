package translog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/matchreferee/arena/referee"
)

// MaxBatch is the most entries of one [Log.Add].
const MaxBatch = 1 << 12

// Add appends entries and gives the number of each, once a checkpoint that covers
// them is signed and stored. An entry that is logged already keeps its number, so
// that adding again after an error does no harm; another entry of a match that is
// logged is refused, with all the others, by an error that wraps [ErrDuplicate].
// Other errors are the storage's or the signers': adding again is what to do, or
// what is wrong with an entry, which wraps [ErrEntry].
func (l *Log) Add(ctx context.Context, entries ...Entry) ([]int64, error) {
	if len(entries) > MaxBatch {
		return nil, fmt.Errorf("translog: %d entries at once, %d allowed", len(entries), MaxBatch)
	}
	if err := l.hold(ctx); err != nil {
		return nil, err
	}
	defer func() { l.turn <- struct{}{} }()
	if err := l.settle(ctx); err != nil {
		return nil, err
	}
	numbers := make([]int64, len(entries))
	var fresh [][]byte
	known := map[string]int{}
	for i := range entries {
		e := &entries[i]
		line := e.Append(nil)
		if _, err := ParseEntry(line); err != nil {
			return nil, fmt.Errorf("match %.140q: %w", e.Match, err)
		}
		old := *e
		at, twice := known[e.Match]
		n, logged := l.index[knownAs(e.Match)]
		switch {
		case twice:
			n, old = numbers[at], entries[at]
		case logged:
			var err error
			if old, err = l.entry(ctx, l.now, n); err != nil {
				return nil, err
			}
		default:
			n = l.now.Size + int64(len(fresh))
			fresh = append(fresh, line)
			known[e.Match] = i
		}
		if old != *e {
			return nil, fmt.Errorf("%w: %.140q", ErrDuplicate, e.Match)
		}
		numbers[i] = n
	}
	if len(fresh) == 0 {
		return numbers, nil
	}
	if err := l.grow(ctx, fresh, entries, numbers); err != nil {
		return nil, err
	}
	return numbers, nil
}

// grow writes entries and tiles, and last of all the checkpoint that counts them in.
func (l *Log) grow(ctx context.Context, fresh [][]byte, entries []Entry, numbers []int64) error {
	old := l.now
	size := old.Size + int64(len(fresh))
	g := &growing{old: old.hashes(ctx, l.opts.Storage.Read), from: tlog.StoredHashIndex(0, old.Size)}
	for i, line := range fresh {
		hashes, err := tlog.StoredHashesForRecordHash(old.Size+int64(i), tlog.Hash(referee.LeafHash(line)), g)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		g.new = append(g.new, hashes...)
	}
	root, err := tlog.TreeHash(size, g)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := l.writeBundles(ctx, fresh, size); err != nil {
		return err
	}
	for _, t := range tlog.NewTiles(height, old.Size, size) {
		b, err := tlog.ReadTileData(t, g)
		if err == nil {
			err = l.opts.Storage.Write(ctx, tilePath(t), b)
		}
		if err != nil {
			return err
		}
	}
	now, err := l.sign(ctx, size, root)
	if err != nil {
		return errors.Join(err, l.settle(context.WithoutCancel(ctx)))
	}
	for i := range entries {
		l.index[knownAs(entries[i].Match)] = numbers[i]
	}
	l.now = now
	return nil
}

// writeBundles writes the bundles that new lines come into.
func (l *Log) writeBundles(ctx context.Context, fresh [][]byte, size int64) error {
	from := size - int64(len(fresh))
	for n := from; n < size; {
		var data []byte
		if begun := n % width; begun > 0 {
			before, err := readBundle(ctx, l.opts.Storage.Read, bundle(n-1, n))
			if err != nil {
				if errors.Is(err, fs.ErrNotExist) {
					err = fmt.Errorf("%w: %w", ErrDamaged, err)
				}
				return err
			}
			for _, e := range before {
				data = appendToBundle(data, e)
			}
		}
		t := bundle(n, size)
		for end := t.N*width + int64(t.W); n < end; n++ {
			data = appendToBundle(data, fresh[n-from])
		}
		if err := l.opts.Storage.Write(ctx, tilePath(t), data); err != nil {
			return err
		}
	}
	return nil
}
