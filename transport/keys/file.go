package keys

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/matchreferee/arena/internal/flock"
)

// ErrFile is wrapped where a file is not usable as one of keys. It stays as it is.
var ErrFile = errors.New("keys: not a usable file of keys")

// maxFile is the most bytes that are read of a file.
const maxFile = 64 << 20

// File is a store in a file, which it never changes in place: a change is written
// to a file beside it (name.new), brought to stable storage and renamed, so whoever
// looks, and whatever is killed, sees the keys as they were before or as they are after.
// Changes of all processes of a machine wait for one another by the lock of a second file
// (name.lock); to look takes no lock, and sees at once what another process changed. The file has the
// hash of its contents in its first line, so that one that is cut or damaged is
// [ErrFile] and no shorter list of keys. It is readable by its owner alone.
type File struct {
	path string
	lock chan struct{} // of changes and readings; a channel, so that waiting for it can end
	seen atomic.Pointer[seen]
}

var _ Store = (*File)(nil)

// seen is a file as it was when it was read.
type seen struct {
	*table
	file *os.File    // held open, so that no other file can have its number; nil: there was no file
	info os.FileInfo // nil: there was no file
}

// OpenFile gives the store in a file, which is made by the first change if it is not
// there. Closing the store ends its use of the file. Refused with ErrFile is
// a file that holds something else than keys, or that others than its owner may
// write.
func OpenFile(path string) (*File, error) {
	f := &File{path: path, lock: make(chan struct{}, 1)}
	f.seen.Store(&seen{table: newTable(nil)})
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// Close lets go of the file. A store that was closed is still good, and opens it again.
func (f *File) Close() error {
	f.lock <- struct{}{}
	defer func() { <-f.lock }()
	f.replace(&seen{table: newTable(nil)})
	return nil
}

func (f *File) replace(s *seen) {
	if old := f.seen.Swap(s); old.file != nil {
		old.file.Close()
	}
}

// Find gives the entry with a hash; see [Store]. The error is ErrNoKey, wraps ErrFile
// where the file is not usable or is gone, or is the system's.
func (f *File) Find(ctx context.Context, hash [32]byte) (Entry, error) {
	t, err := f.look(ctx)
	if err != nil {
		return Entry{}, err
	}
	return t.find(hash)
}

// All gives all entries, in the order in which they were added. Errors as for Find, but ErrNoKey.
func (f *File) All(ctx context.Context) ([]Entry, error) {
	t, err := f.look(ctx)
	if err != nil {
		return nil, err
	}
	return t.all(), nil
}

// look gives the present entries.
func (f *File) look(ctx context.Context) (*table, error) {
	s := f.seen.Load()
	if same, err := s.same(f.path); err != nil || same {
		return s.table, err
	}
	select {
	case f.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-f.lock }()
	if err := f.read(); err != nil {
		return nil, err
	}
	return f.seen.Load().table, nil
}

// same reports whether the file is as it was seen. That there is none where one was
// seen is an error.
func (s *seen) same(path string) (bool, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.info == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%w: %s is gone", ErrFile, path)
	case err != nil:
		return false, fmt.Errorf("keys: %w", err)
	}
	return s.info != nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime()), nil
}

// read reads the file if it is not as it was seen. The lock is held, or nobody else
// has the store yet.
func (f *File) read() error {
	if same, err := f.seen.Load().same(f.path); err != nil || same {
		return err
	}
	file, err := os.Open(f.path)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	s, err := load(file)
	if err != nil {
		file.Close()
		return err
	}
	f.replace(s)
	return nil
}

// load reads an open file of keys.
func load(file *os.File) (*seen, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	if !info.Mode().IsRegular() || !private(info) {
		return nil, fmt.Errorf("%w: %s has mode %v; only its owner may write it", ErrFile, file.Name(), info.Mode())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	list, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrFile, file.Name(), err)
	}
	return &seen{newTable(list), file, info}, nil
}

// Change puts what a function makes of the entries in their place; see [Store]. It
// waits for other processes that change the file, until the context ends. Errors are
// the function's own, the context's, or as for All.
func (f *File) Change(ctx context.Context, change func([]Entry) ([]Entry, error)) error {
	select {
	case f.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-f.lock }()
	lock, err := os.OpenFile(f.path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	defer lock.Close()
	if err := flock.Lock(ctx, lock); err != nil {
		return fmt.Errorf("keys: locking %s: %w", lock.Name(), err)
	}
	if err := f.read(); err != nil {
		return err
	}
	list, err := change(f.seen.Load().all())
	if err != nil {
		return err
	}
	s, err := f.write(clones(list))
	if err != nil {
		return fmt.Errorf("keys: writing %s: %w", f.path, err)
	}
	f.replace(s)
	return nil
}

// write puts a list in the place of the file.
func (f *File) write(list []Entry) (*seen, error) {
	text, err := encode(list)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(f.path+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(file.Name(), f.path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(f.path))
	}
	var info os.FileInfo
	if err == nil {
		info, err = file.Stat()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &seen{newTable(list), file, info}, nil
}

// syncDir brings a directory's names to stable storage.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
