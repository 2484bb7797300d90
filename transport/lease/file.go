package lease

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/matchreferee/arena/internal/flock"
)

// File is a [Store] in a file, for the processes of one host. Beside the file are
// its lock (.lock) and one file for each process that has it open (.live), which
// that process keeps locked: so the others know at once when it dies. Both kinds
// may be deleted when no process has the store open. Locks are those of flock,
// and so need a file system that honours it.
type File struct {
	path string
	o    FileOptions
	id   string
	live *os.File
	lock chan struct{} // a channel, so that waiting for it can end

	mu     sync.Mutex
	closed bool
}

// FileOptions are the settings of a File. The zero value is safe.
type FileOptions struct {
	// NoSync leaves it to the operating system when the file reaches the disk. After
	// a crash of the machine it may then be empty or old, and tokens may come again.
	NoSync bool
}

const (
	lockSuffix = ".lock"
	liveSuffix = ".live"
)

// OpenFile opens the store in a file, which need not exist, in a directory that
// does. All files have mode 0600. It waits for the lock until the context ends.
func OpenFile(ctx context.Context, path string, o FileOptions) (*File, error) {
	var b [8]byte
	rand.Read(b[:]) // which never fails
	f := &File{path: path, o: o, id: hex.EncodeToString(b[:]), lock: make(chan struct{}, 1)}
	err := f.locked(ctx, func() error {
		f.bury()
		live, err := os.OpenFile(f.livePath(f.id), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := flock.Lock(ctx, live); err != nil {
			return errors.Join(err, os.Remove(live.Name()), live.Close())
		}
		f.live = live
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("lease: %w", err)
	}
	return f, nil
}

// Close says that this process is done with the store: its holds end, if it has
// any. Close the leases before. Closing again does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(os.Remove(f.live.Name()), f.live.Close())
}

// Update locks, reads and replaces the file. What is in it after a crash is what
// was in it before or after an Update.
func (f *File) Update(ctx context.Context, do func([]byte) ([]byte, error)) error {
	return f.locked(ctx, func() error {
		if f.isClosed() {
			return fmt.Errorf("lease: %s: %w", f.path, os.ErrClosed)
		}
		kept, err := f.read()
		if err != nil {
			return err
		}
		b, err := do(kept)
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		if b == nil {
			return nil
		}
		return f.write(b)
	})
}

func (f *File) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// locked runs a function with the lock of all processes held.
func (f *File) locked(ctx context.Context, do func() error) error {
	select {
	case f.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-f.lock }()
	lock, err := os.OpenFile(f.path+lockSuffix, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // which unlocks
	if err := flock.Lock(ctx, lock); err != nil {
		return fmt.Errorf("locking %s: %w", lock.Name(), err)
	}
	return do()
}

// read gives what the file holds, nil where there is none.
func (f *File) read() ([]byte, error) {
	in, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, maxState+1)) // never nil: an empty file is there
}

// write puts another file in place of the one that is there.
func (f *File) write(b []byte) error {
	next := f.path + ".next"
	out, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(b)
	if err == nil && !f.o.NoSync {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(next, f.path)
	}
	if err != nil || f.o.NoSync {
		return err
	}
	dir, err := os.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Owner names this opening of the file.
func (f *File) Owner() string { return f.id }

// Alive reports whether the process lives that has opened the file under a name,
// and has not closed it.
func (f *File) Alive(owner string) bool {
	if owner == f.id {
		return !f.isClosed()
	}
	return isOwner(owner) && lives(f.livePath(owner))
}

// isOwner reports whether a name is one that OpenFile gives.
func isOwner(name string) bool {
	b, err := hex.DecodeString(name)
	return err == nil && len(b) == 8
}

func (f *File) livePath(owner string) string { return f.path + "." + owner + liveSuffix }

// bury removes what dead processes have left.
func (f *File) bury() {
	base := filepath.Base(f.path)
	entries, _ := os.ReadDir(filepath.Dir(f.path)) // what cannot be read stays
	for _, e := range entries {
		owner, ok := strings.CutPrefix(e.Name(), base+".")
		if owner, live := strings.CutSuffix(owner, liveSuffix); ok && live && isOwner(owner) {
			lives(f.livePath(owner))
		}
	}
}

// lives reports whether somebody holds the lock of a process, and removes its
// file if not. Nobody locks a file anew that was made under the lock of the store.
func lives(path string) bool {
	live, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // whoever cannot tell waits
	}
	defer live.Close()
	now, cancel := context.WithCancel(context.Background())
	cancel() // the lock is tried once
	if flock.Lock(now, live) != nil {
		return true
	}
	os.Remove(path)
	return false
}
