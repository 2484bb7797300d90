package filelog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/matchreferee/arena/internal/flock"
	"github.com/matchreferee/arena/referee"
)

// ErrNotRecord says that a file holds something else than a record. It is left
// as it is.
var ErrNotRecord = errors.New("filelog: not the record of a match")

// Options are the settings of a log or store. The zero value is safe: every append
// is on stable storage when it returns.
type Options struct {
	// NoSync leaves it to the operating system when lines reach the disk.
	NoSync bool
	// Torn is told of a last line without newline that was dropped, by the path of
	// the file and how many bytes there were. It may be called from several
	// goroutines, and must call nothing of the log. nil: a warning to [slog.Default].
	Torn func(path string, bytes int64)
}

func (o *Options) torn(path string, n int64) {
	if o.Torn != nil {
		o.Torn(path, n)
		return
	}
	slog.Default().Warn("filelog: dropped the torn last line of a record", "path", path, "bytes", n)
}

// Log is the record of one match in a file. It is safe for concurrent use, also
// beside other logs of the same file. It has nothing to close.
type Log struct {
	path string
	o    Options
	lock chan struct{} // a channel, so that waiting for it can end
	known
}

var _ referee.Log = (*Log)(nil)

// known is what a log knows of its file's whole lines.
type known struct {
	lines int64
	size  int64       // where they end, in bytes
	last  int64       // where the last of them begins
	hash  [32]byte    // of the last one
	file  os.FileInfo // the file that they are in
	marks []int64     // where each stride-th of them begins
}

// stride is how many lines apart the marks are.
const stride = 64

// OpenFile gives the log of a file, which need not exist: the first append makes it,
// with mode 0600, in a directory that does exist. If the last line has no newline, it is cut off.
func OpenFile(ctx context.Context, path string, o Options) (*Log, error) {
	l := &Log{path: path, o: o, lock: make(chan struct{}, 1)}
	err := l.locked(ctx, false, l.refresh)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return l, nil
}

// Path gives the path of the file, as it was given.
func (l *Log) Path() string { return l.path }

// Append adds all lines or none; see [referee.Log]. Lines hold no newline and at
// most [referee.MaxLine] bytes.
func (l *Log) Append(ctx context.Context, at int64, lines [][]byte) error {
	var b []byte
	for _, line := range lines {
		if len(line) == 0 || len(line) > referee.MaxLine || bytes.IndexByte(line, '\n') >= 0 {
			return fmt.Errorf("filelog: %s: no line of a record: %.40q (%d bytes)", l.path, line, len(line))
		}
		b = append(append(b, line...), '\n')
	}
	err := l.locked(ctx, at == 0, func(f *os.File) error {
		if err := l.refresh(f); err != nil {
			return err
		}
		if at != l.lines {
			return fmt.Errorf("%w: %s: at %d, has %d", referee.ErrFenced, l.path, at, l.lines)
		}
		if len(b) == 0 {
			return nil
		}
		if err := l.write(f, b); err != nil {
			return fmt.Errorf("filelog: appending: %w", err)
		}
		l.scan(b, 0)
		return l.remember(f)
	})
	if at != 0 && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: at %d: %w", referee.ErrFenced, at, err)
	}
	return err
}

// write puts b at the end of the whole lines, or takes it back.
func (l *Log) write(f *os.File, b []byte) error {
	_, err := f.WriteAt(b, l.size)
	if err == nil && !l.o.NoSync {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(l.size))
	}
	if l.size == 0 && !l.o.NoSync {
		return syncDir(filepath.Dir(l.path))
	}
	return nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// locked runs a function with the file open and locked.
func (l *Log) locked(ctx context.Context, create bool, do func(*os.File) error) error {
	if err := l.take(ctx); err != nil {
		return err
	}
	defer func() { <-l.lock }()
	flag := os.O_RDWR
	if create && l.lines == 0 {
		flag |= os.O_CREATE
	}
	f, err := os.OpenFile(l.path, flag, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			l.known = known{}
		}
		return fmt.Errorf("filelog: %w", err)
	}
	defer f.Close() // which unlocks; what matters was synced
	if err := flock.Lock(ctx, f); err != nil {
		return fmt.Errorf("filelog: locking %s: %w", l.path, err)
	}
	return do(f)
}

func (l *Log) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refresh reads what others have added since, and drops a torn line. It is
// called with the file locked, so nobody is writing. A file that is not the one
// of before, or does not hold the last known line where it was, is looked at
// anew the next time; this time it is an error.
func (l *Log) refresh(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("filelog: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is no regular file", ErrNotRecord, l.path)
	}
	if l.lines > 0 {
		same, err := l.same(f, info)
		if err != nil {
			return err
		}
		if !same {
			l.known = known{}
			return fmt.Errorf("%w: %s is not the file that it was", referee.ErrFenced, l.path)
		}
	}
	if info.Size() == l.size {
		return nil
	}
	if l.size == 0 {
		if err := l.begins(f); err != nil {
			return err
		}
	}
	buf := make([]byte, min(info.Size()-l.size, 64<<10))
	rest := int64(0)
	in := io.NewSectionReader(f, l.size, info.Size()-l.size)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			rest = l.scan(buf[:n], rest)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("filelog: %w", err)
		}
	}
	if err := l.remember(f); err != nil || rest == 0 {
		return err
	}
	if err := f.Truncate(l.size); err != nil {
		return fmt.Errorf("filelog: dropping a torn line: %w", err)
	}
	l.o.torn(l.path, rest)
	return nil
}

// same reports whether this is the file of before with the last known line in
// its place.
func (l *Log) same(f *os.File, info os.FileInfo) (bool, error) {
	if !os.SameFile(info, l.file) || info.Size() < l.size {
		return false, nil
	}
	hash, err := l.hashLast(f)
	return hash == l.hash, err
}

// remember notes by what the file is known again.
func (l *Log) remember(f *os.File) (err error) {
	if l.lines == 0 {
		return nil
	}
	if l.file, err = f.Stat(); err != nil {
		return fmt.Errorf("filelog: %w", err)
	}
	l.hash, err = l.hashLast(f)
	return err
}

// hashLast gives the SHA-256 hash of what stands where the last known line does.
func (l *Log) hashLast(f *os.File) (hash [32]byte, err error) {
	h := sha256.New()
	in := io.NewSectionReader(f, l.last, l.size-l.last)
	if _, err := io.CopyBuffer(h, in, make([]byte, min(in.Size(), 32<<10))); err != nil {
		return hash, fmt.Errorf("filelog: %w", err)
	}
	h.Sum(hash[:0])
	return hash, nil
}

// begins refuses a file that is not a record, or the beginning of one.
func (l *Log) begins(f *os.File) error {
	const first = `{"k":"start"`
	var b [len(first)]byte
	n, err := f.ReadAt(b[:], 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("filelog: %w", err)
	}
	if string(b[:n]) != first[:n] {
		return fmt.Errorf("%w: %s", ErrNotRecord, l.path)
	}
	return nil
}

// scan counts the lines that end in b, where rest bytes of a line came before b,
// and gives how many bytes of a line are at its end.
func (l *Log) scan(b []byte, rest int64) int64 {
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			return rest + int64(len(b))
		}
		if l.lines%stride == 0 {
			l.marks = append(l.marks, l.size)
		}
		l.lines++
		l.last = l.size
		l.size += rest + int64(i) + 1
		b, rest = b[i+1:], 0
	}
}
