package polling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/matchreferee/arena/internal/flock"
)

// FileStore is a [Store] in a file, for one process at a time. Each change is a
// line at the end of the file; where many lines say nothing any more, the file
// is written anew. What Put and Remove have returned from is on stable storage.
// Changes that come at once are written at once.
type FileStore struct {
	path string
	o    FileStoreOptions
	lock *os.File
	turn chan struct{} // held by who writes; a channel, so that waiting for it can end

	mu      sync.Mutex
	entries map[string]Entry
	pending []*write
	broken  error // why nothing can be written any more; nil: it can

	// These are the turn's.
	file  *os.File
	size  int64
	lines int
}

// write is a change on its way to the file.
type write struct {
	change change
	line   []byte
	done   chan struct{}
	err    error // after done
}

// FileStoreOptions are the settings of a FileStore. The zero value is safe.
type FileStoreOptions struct {
	// NoSync leaves it to the operating system when lines reach the disk.
	NoSync bool
	// Torn is told of a last line without newline that was dropped, and how many bytes
	// there were. nil: a warning to [slog.Default].
	Torn func(path string, bytes int64)
}

// slack is how many lines that say nothing any more are left to stand, beside as
// many as say something.
const slack = 1000

// OpenFileStore opens the store in a file, which need not exist, in a directory
// that does; it gets mode 0600. While another process has it open, by the lock of
// the file path.lock (flock), it waits, until the context ends. The error wraps
// [ErrJournal] where the file holds something else or was damaged.
func OpenFileStore(ctx context.Context, path string, o FileStoreOptions) (*FileStore, error) {
	lock, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("polling: %w", err)
	}
	s := &FileStore{path: path, o: o, lock: lock, turn: make(chan struct{}, 1)}
	if err := flock.Lock(ctx, lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("polling: locking %s: %w", lock.Name(), err)
	}
	if err := s.open(); err != nil {
		if s.file != nil {
			s.file.Close()
		}
		lock.Close()
		return nil, fmt.Errorf("polling: %s: %w", path, err)
	}
	return s, nil
}

// open reads the file and makes it ready to be written to.
func (s *FileStore) open() (err error) {
	if s.file, err = os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	j, err := readJournal(s.file)
	if err != nil {
		return err
	}
	s.entries, s.lines, s.size = j.entries, j.lines, j.size
	if j.torn > 0 {
		if err := s.file.Truncate(s.size); err != nil {
			return err
		}
		if s.o.Torn != nil {
			s.o.Torn(s.path, j.torn)
		} else {
			slog.Default().Warn("polling: dropped the torn last line of a journal", "path", s.path, "bytes", j.torn)
		}
	}
	if s.size == 0 || s.wasteful() {
		return s.compact()
	}
	return nil
}

// Load gives the entries in the order of their matches' ids.
func (s *FileStore) Load(context.Context) iter.Seq2[Entry, error] {
	s.mu.Lock()
	entries := maps.Clone(s.entries)
	s.mu.Unlock()
	return func(yield func(Entry, error) bool) {
		for _, e := range sorted(entries) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Put refuses an entry with bad fields.
func (s *FileStore) Put(ctx context.Context, e Entry) error {
	if err := e.validate(); err != nil {
		return err
	}
	e.Created, e.Expires = moment(e.Created), moment(e.Expires)
	if !e.Ended.IsZero() {
		e.Ended = moment(e.Ended)
	}
	return s.write(ctx, change{Put: &e})
}

// Remove forgets entries: all, or after an error maybe some.
func (s *FileStore) Remove(ctx context.Context, matches ...string) error {
	for len(matches) > 0 {
		n := min(len(matches), removeMost)
		if err := s.write(ctx, change{Remove: matches[:n]}); err != nil {
			return err
		}
		matches = matches[n:]
	}
	return nil
}

// write has a change written by whoever's turn it is.
func (s *FileStore) write(ctx context.Context, c change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &write{change: c, done: make(chan struct{})}
	var err error
	if w.line, err = c.append(nil); err != nil {
		return err
	}
	if len(w.line) > maxLine {
		return fmt.Errorf("polling: a change of %d bytes", len(w.line))
	}
	s.mu.Lock()
	if s.broken != nil {
		defer s.mu.Unlock()
		return s.broken
	}
	s.pending = append(s.pending, w)
	s.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
		s.flush()
		<-s.turn
	case <-w.done:
	case <-ctx.Done():
		return ctx.Err() // whether it is written nobody knows
	}
	<-w.done
	return w.err
}

// flush writes what is pending; by the turn.
func (s *FileStore) flush() {
	s.mu.Lock()
	batch, err := s.pending, s.broken
	s.pending = nil
	s.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	if err == nil {
		err = s.extend(batch)
	}
	s.mu.Lock()
	for _, w := range batch {
		if w.err = err; err == nil {
			w.change.apply(s.entries)
		}
	}
	s.mu.Unlock()
	if err == nil && s.wasteful() {
		s.compact() // if not now, then with the next change: what is there is whole
	}
	for _, w := range batch {
		close(w.done)
	}
}

// extend appends lines to the file, all or none of them.
func (s *FileStore) extend(batch []*write) error {
	var b []byte
	for _, w := range batch {
		b = append(b, w.line...)
	}
	_, err := s.file.WriteAt(b, s.size)
	if err == nil && !s.o.NoSync {
		err = s.file.Sync()
	}
	if err != nil {
		err = fmt.Errorf("polling: %w", err)
		if undone := s.file.Truncate(s.size); undone != nil {
			s.spoil(errors.Join(err, undone))
		}
		return err
	}
	s.size += int64(len(b))
	s.lines += len(batch)
	return nil
}

// spoil lets nothing be written from now on.
func (s *FileStore) spoil(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = why
}

func (s *FileStore) wasteful() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines > 2*len(s.entries)+slack
}

// compact puts the shortest journal in place of the file; by the turn. After an
// error the file is what it was.
func (s *FileStore) compact() error {
	s.mu.Lock()
	b, err := wholeJournal(s.entries)
	n := len(s.entries)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	next := s.path + ".next"
	file, err := os.OpenFile(next, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	if err == nil && !s.o.NoSync {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(next, s.path)
	}
	if err != nil {
		return errors.Join(err, file.Close(), os.Remove(next))
	}
	s.file.Close()
	s.file, s.size, s.lines = file, int64(len(b)), n
	if s.o.NoSync {
		return nil
	}
	if err := syncDir(filepath.Dir(s.path)); err != nil {
		s.spoil(err) // nobody knows which of the two files a crash would leave
		return err
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Close writes what is pending and lets another process open the store. Closing
// again does nothing.
func (s *FileStore) Close() error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	s.flush()
	s.mu.Lock()
	was := s.broken
	s.broken = fmt.Errorf("polling: %s: %w", s.path, fs.ErrClosed)
	s.mu.Unlock()
	if errors.Is(was, fs.ErrClosed) {
		return nil
	}
	return errors.Join(s.file.Close(), s.lock.Close())
}
