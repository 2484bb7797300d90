package referee

import (
	"context"
	"fmt"
)

// recorder turns events into the chained lines of a log.
type recorder struct {
	log    Log
	id     string
	seal   func(string, [][32]byte) ([]byte, error)
	at     int64
	start  Time
	prev   [32]byte
	leaves [][32]byte // kept where there is a seal
	sealed bool
	failed bool // nobody knows what the log has: what the match has come to since counts for nothing
	buf    []byte
	ends   []int
	lines  [][]byte
}

// init readies the recorder for the log of a match, with the memory it has.
func (r *recorder) init(id string, log Log, seal func(string, [][32]byte) ([]byte, error)) {
	*r = recorder{id: id, log: log, seal: seal, leaves: r.leaves[:0], buf: r.buf[:0], ends: r.ends[:0], lines: r.lines[:0]}
	if log != nil && r.buf == nil {
		r.buf, r.ends, r.lines = make([]byte, 0, 1024), make([]int, 0, 3), make([][]byte, 0, 3)
	}
}

// append records a batch.
func (r *recorder) append(ctx context.Context, events []Event) error {
	if r.log == nil || len(events) == 0 {
		return nil
	}
	r.buf, r.ends, r.lines = r.buf[:0], r.ends[:0], r.lines[:0]
	for i := range events {
		e := &events[i]
		if e.Kind == KindStart {
			r.start = e.Time
		}
		from := len(r.buf)
		r.buf = append(r.buf, 0) // the prefix of a leaf, so that the hash needs no copy
		r.buf = AppendLine(r.buf, e, r.start, &r.prev)
		if len(r.buf)-from-1 > MaxLine {
			return fmt.Errorf("referee: a line of %d bytes", len(r.buf)-from-1)
		}
		r.prev = leafHash(r.buf[from:])
		if r.seal != nil {
			r.leaves = append(r.leaves, r.prev)
		}
		r.ends = append(r.ends, len(r.buf))
	}
	from := 0
	for _, end := range r.ends {
		r.lines = append(r.lines, r.buf[from+1:end])
		from = end
	}
	if err := r.log.Append(ctx, r.at, r.lines); err != nil {
		r.failed = true
		return fmt.Errorf("referee: recording: %w", err)
	}
	r.at += int64(len(events))
	return nil
}

// load reads the chain of a log that has count events.
func (r *recorder) load(ctx context.Context, count int64) error {
	if r.log == nil {
		return nil
	}
	for line, err := range r.log.Read(ctx, 0) {
		if err != nil {
			return fmt.Errorf("referee: reading the log: %w", err)
		}
		if r.at == count {
			if IsSeal(line) {
				r.sealed = true
				continue
			}
			return fmt.Errorf("%w: it has more than %d lines", ErrFenced, count)
		}
		if r.at == 0 {
			e, _, err := ParseLine(line, 0)
			if err != nil {
				return err
			}
			r.start = e.Time
		}
		r.prev = LeafHash(line)
		if r.seal != nil {
			r.leaves = append(r.leaves, r.prev)
		}
		r.at++
	}
	if r.at != count {
		return fmt.Errorf("%w: it has %d lines, not %d", ErrFenced, r.at, count)
	}
	return nil
}

// finish adds the seal.
func (r *recorder) finish(ctx context.Context) error {
	if r.log == nil || r.seal == nil || r.sealed {
		return nil
	}
	line, err := r.seal(r.id, r.leaves)
	if err != nil {
		return fmt.Errorf("referee: sealing: %w", err)
	}
	if err := r.log.Append(ctx, r.at, [][]byte{line}); err != nil {
		return fmt.Errorf("referee: recording the seal: %w", err)
	}
	r.sealed = true
	return nil
}
