package referee

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// ErrFenced says that somebody else has written to the log: another referee
// has taken the match over. The match must be dropped here.
var ErrFenced = errors.New("referee: the log was written by somebody else")

// ErrNoLog says that a store holds no log of that name where one was needed.
var ErrNoLog = errors.New("referee: there is no such log")

// Log is the record of one match: lines without their newline, at positions
// from 0. Implementations are safe for concurrent use.
type Log interface {
	// Append adds all lines or none. Where the log has more or fewer lines than at,
	// it adds none and the error wraps ErrFenced. The memory of lines stays the
	// caller's. After any other error nobody knows whether they were written:
	// who gets one forgets the match as it has it, and goes on from the log.
	Append(ctx context.Context, at int64, lines [][]byte) error
	// Read gives the lines from a position on, in order. A yielded line is
	// valid until the next one.
	Read(ctx context.Context, from int64) iter.Seq2[[]byte, error]
}

// Store finds the log of each match by its id.
type Store interface {
	// Open gives the log of a match, an empty one if there was none.
	Open(ctx context.Context, id string) (Log, error)
	// Unfinished gives the matches whose record has begun and has no end event.
	Unfinished(ctx context.Context) iter.Seq2[string, error]
}

// Discard is a Log that keeps nothing but the number of its lines.
type Discard struct {
	mu sync.Mutex
	n  int64
}

// Append counts the lines.
func (d *Discard) Append(_ context.Context, at int64, lines [][]byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if at != d.n {
		return fmt.Errorf("%w: at %d, has %d", ErrFenced, at, d.n)
	}
	d.n += int64(len(lines))
	return nil
}

// Read gives nothing.
func (d *Discard) Read(context.Context, int64) iter.Seq2[[]byte, error] {
	return func(func([]byte, error) bool) {}
}

// DiscardStore is a Store whose logs keep nothing.
type DiscardStore struct{}

// Open gives a new [Discard].
func (DiscardStore) Open(context.Context, string) (Log, error) { return new(Discard), nil }

// Unfinished gives nothing.
func (DiscardStore) Unfinished(context.Context) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}

// Memory is a Log in memory; its zero value is empty and ready.
type Memory struct {
	mu    sync.Mutex
	lines [][]byte
}

// Append copies the lines.
func (m *Memory) Append(ctx context.Context, at int64, lines [][]byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if at != int64(len(m.lines)) {
		return fmt.Errorf("%w: at %d, has %d", ErrFenced, at, len(m.lines))
	}
	for _, l := range lines {
		m.lines = append(m.lines, bytes.Clone(l))
	}
	return nil
}

// Read gives the lines that are there when it begins.
func (m *Memory) Read(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		m.mu.Lock()
		lines := m.lines[min(max(from, 0), int64(len(m.lines))):]
		m.mu.Unlock()
		for _, l := range lines {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}

// Bytes gives the whole record, each line with its newline; the caller owns it.
func (m *Memory) Bytes() []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b []byte
	for _, l := range m.lines {
		b = append(append(b, l...), '\n')
	}
	return b
}

// MemoryStore is a Store in memory; its zero value is empty and ready.
type MemoryStore struct {
	mu   sync.Mutex
	logs map[string]*Memory
}

// Open gives the log of a match.
func (s *MemoryStore) Open(_ context.Context, id string) (Log, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("referee: %q is no match id", id)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs == nil {
		s.logs = map[string]*Memory{}
	}
	l := s.logs[id]
	if l == nil {
		l = new(Memory)
		s.logs[id] = l
	}
	return l, nil
}

// Unfinished gives the ids in order.
func (s *MemoryStore) Unfinished(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		s.mu.Lock()
		var ids []string
		for id, l := range s.logs {
			if l.unfinished() {
				ids = append(ids, id)
			}
		}
		s.mu.Unlock()
		slices.Sort(ids)
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
	}
}

func (m *Memory) unfinished() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.lines) > 0 && !IsEnd(m.lines[len(m.lines)-1])
}

// IsEnd reports whether a record whose last line this is has ended: the line is
// an end event or a seal.
func IsEnd(last []byte) bool {
	return bytes.HasPrefix(last, []byte(`{"k":"end"`)) || IsSeal(last)
}

// IsSeal reports whether a line is a seal, which is no event.
func IsSeal(line []byte) bool { return bytes.HasPrefix(line, []byte(`{"k":"seal"`)) }
