package filelog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/matchreferee/arena/referee"
)

// suffix ends the name of every record.
const suffix = ".jsonl"

// Store is a directory of records: ID.jsonl for the match ID, where a colon of
// the id is written %, which no id has. It is safe for concurrent use, and
// several processes may share a directory.
//
// On a file system that ignores case, ids that differ in nothing else meet in one
// file; the second match is then refused when its log is loaded.
type Store struct {
	dir string
	o   Options
}

var _ referee.Store = (*Store)(nil)

// NewStore gives the store in a directory, which it makes with mode 0700 if it is
// not there.
func NewStore(dir string, o Options) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	return &Store{dir: dir, o: o}, nil
}

// Path gives the path of a match's record, whether or not it exists. The error
// says that id is no match id (see [referee.ValidID]).
func (s *Store) Path(id string) (string, error) {
	if !referee.ValidID(id) {
		return "", fmt.Errorf("filelog: %q is no match id", id)
	}
	return filepath.Join(s.dir, strings.ReplaceAll(id, ":", "%")+suffix), nil
}

// Open gives the log of a match. Opening makes no file; the first append does.
func (s *Store) Open(ctx context.Context, id string) (referee.Log, error) {
	path, err := s.Path(id)
	if err != nil {
		return nil, err
	}
	return OpenFile(ctx, path, s.o)
}

// Unfinished gives the matches whose record has begun and has no end event, in
// the order of their file names, and reads only the end of each file. What cannot
// be read is given as an error with its id, and the others still come.
func (s *Store) Unfinished(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		entries, err := os.ReadDir(s.dir)
		if err != nil {
			yield("", fmt.Errorf("filelog: %w", err))
			return
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), suffix)
			id := strings.ReplaceAll(name, "%", ":")
			if !ok || !e.Type().IsRegular() || !referee.ValidID(id) {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			last, err := lastLine(filepath.Join(s.dir, e.Name()))
			if errors.Is(err, fs.ErrNotExist) || err == nil && (last == nil || referee.IsEnd(last)) {
				continue
			}
			if !yield(id, err) {
				return
			}
		}
	}
}

// lastLine gives the last whole line of a file without its newline; nil where
// there is none. It reads no more than two lines can have.
func lastLine(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("filelog: %w", err)
	}
	const most = 2*referee.MaxLine + 2 // a whole line, and a torn one
	var tail []byte
	for step := int64(4 << 10); ; step *= 2 {
		n := min(step, size, most)
		tail = make([]byte, n)
		if _, err := f.ReadAt(tail, size-n); err != nil && err != io.EOF {
			return nil, fmt.Errorf("filelog: %w", err)
		}
		end := bytes.LastIndexByte(tail, '\n')
		if end >= 0 {
			if from := bytes.LastIndexByte(tail[:end], '\n'); from >= 0 || n == size {
				return tail[from+1 : end], nil
			}
		}
		switch {
		case n == size:
			return nil, nil
		case n == most:
			return nil, fmt.Errorf("%w: %s has a line of more than %d bytes", ErrNotRecord, path, referee.MaxLine)
		}
	}
}
