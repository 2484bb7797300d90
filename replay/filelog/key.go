package filelog

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

	"github.com/matchreferee/arena/internal/flock"
)

// keySize is how many bytes a key has.
const keySize = 32

// ErrKey is wrapped where a key file is not usable as it is.
var ErrKey = errors.New("filelog: not a usable key file")

// Key gives the host key in a file, from which [referee.Secrets] derives the
// secrets of matches: 32 bytes, written as 64 hexadecimal digits and a newline. A
// file that is not there, or is empty, gets a new random key and mode 0600, and is
// on stable storage when Key returns; processes that do so at once get the same
// key. Refused with [ErrKey] is a file that others than its owner may read, that
// belongs to another user than the one this process acts for, that is reached
// by a symbolic link, or that holds something else.
func Key(path string) ([]byte, error) { return key(path, true) }

// ExistingKey is [Key] of a file that must hold a key already, as to go on with
// matches that were begun with it: it makes and changes nothing. Where the file
// is not there the error wraps [fs.ErrNotExist] beside ErrKey.
func ExistingKey(path string) ([]byte, error) { return key(path, false) }

func key(path string, create bool) ([]byte, error) {
	f, err := openKey(path, create)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := flock.Lock(context.Background(), f); err != nil {
		return nil, fmt.Errorf("filelog: locking %s: %w", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular() || mode.Perm()&0o077 != 0:
		return nil, fmt.Errorf("%w: %s has mode %v; only its owner may read it (0600)", ErrKey, path, mode)
	case !owned(info):
		return nil, fmt.Errorf("%w: %s belongs to another user", ErrKey, path)
	case info.Size() == 0 && create:
		return newKey(f, path)
	}
	var text [2*keySize + 2]byte
	n, err := io.ReadFull(f, text[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	key, err := hex.DecodeString(string(text[:min(n, 2*keySize)]))
	if err != nil || len(key) != keySize || n > 2*keySize+1 || n == 2*keySize+1 && text[n-1] != '\n' {
		return nil, fmt.Errorf("%w: %s does not hold %d hexadecimal digits", ErrKey, path, 2*keySize)
	}
	return key, nil
}

// openKey opens a key file, but through no symbolic link.
func openKey(path string, create bool) (*os.File, error) {
	var f *os.File
	err := os.ErrPermission
	if create {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|careful, 0o600)
	}
	if errors.Is(err, os.ErrPermission) {
		f, err = os.OpenFile(path, os.O_RDONLY|careful, 0) // a key that was put there read-only
	}
	if err == nil {
		return f, nil
	}
	info, statErr := os.Lstat(path)
	switch {
	case statErr == nil && info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%w: %s is a symbolic link", ErrKey, path)
	case !create && errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s is not there, and what was begun with it cannot go on without it: %w", ErrKey, path, err)
	}
	return nil, fmt.Errorf("filelog: %w", err)
}

// newKey fills an empty, locked key file.
func newKey(f *os.File, path string) ([]byte, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	text := append(hex.AppendEncode(nil, key), '\n')
	_, err := f.WriteAt(text, 0)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return nil, fmt.Errorf("filelog: writing a key: %w", errors.Join(err, f.Truncate(0)))
	}
	return key, nil
}
