package translog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/matchreferee/arena/internal/flock"
)

// Dir keeps a log in the files of a folder, which may be served as it is: nothing
// in it is secret.
type Dir struct {
	root *os.Root
	lock *os.File // nil: for reading alone
}

// NewDir opens a folder for writing, makes it where there is none, and waits
// until no other process writes to it or the context ends. Where the system has no file
// locks the error wraps [errors.ErrUnsupported].
func NewDir(ctx context.Context, path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("translog: %w", err)
	}
	d, err := ReadDir(path)
	if err != nil {
		return nil, err
	}
	d.lock, err = d.root.OpenFile("lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err == nil {
		err = flock.Lock(ctx, d.lock)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("translog: %w", err), d.Close())
	}
	return d, nil
}

// ReadDir opens a folder for reading, whoever writes to it meanwhile.
func ReadDir(path string) (*Dir, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("translog: %w", err)
	}
	return &Dir{root: root}, nil
}

// Close lets go of the folder.
func (d *Dir) Close() error {
	var err error
	if d.lock != nil {
		err = d.lock.Close()
	}
	return errors.Join(err, d.root.Close())
}

// Read implements [Storage]. A file that is longer than any of a log is an error:
// the folder may be somebody else's.
func (d *Dir) Read(_ context.Context, path string) ([]byte, error) {
	f, err := d.root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, fmt.Errorf("translog: %w", err)
	}
	defer f.Close()
	b, err := readAll(f)
	if err != nil {
		return nil, fmt.Errorf("translog: %s: %w", path, err)
	}
	return b, nil
}

// Write implements [Storage]: a file beside the old one, brought to the disk and
// then renamed, with the names of new folders above it.
func (d *Dir) Write(_ context.Context, path string, data []byte) error {
	if d.lock == nil {
		return fmt.Errorf("translog: %s: %w: opened for reading", path, fs.ErrPermission)
	}
	name := filepath.FromSlash(path)
	fresh, err := d.makeDirs(filepath.Dir(name))
	if err == nil {
		err = d.replace(name, data)
	}
	for _, dir := range append(fresh, filepath.Dir(name)) {
		if err == nil {
			err = d.sync(dir)
		}
	}
	if err != nil {
		return fmt.Errorf("translog: %w", err)
	}
	return nil
}

// makeDirs makes what is missing of a folder, and gives the folders whose list of
// names has changed by that.
func (d *Dir) makeDirs(dir string) (changed []string, err error) {
	if dir == "." {
		return nil, nil
	}
	if _, err := d.root.Stat(dir); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if changed, err = d.makeDirs(parent); err != nil {
		return nil, err
	}
	return append(changed, parent), d.root.Mkdir(dir, 0o755)
}

func (d *Dir) replace(name string, data []byte) error {
	next := name + ".new"
	f, err := d.root.OpenFile(next, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return d.root.Rename(next, name)
}

// sync brings the names in a folder to the disk, where the system can.
func (d *Dir) sync(dir string) error {
	f, err := d.root.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
