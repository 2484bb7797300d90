package main

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
)

// files is the store of the records: the first in the file that was named, the
// others beside it, each with its key in FILE.key.
type files struct {
	first string
	ids   map[string]string // match to path
}

func (f *files) path(n int) string {
	if n == 0 {
		return f.first
	}
	ext := filepath.Ext(f.first)
	return fmt.Sprintf("%s-%03d%s", strings.TrimSuffix(f.first, ext), n+1, ext)
}

// prepare makes the key of so many new records, none of which may be there.
func (f *files) prepare(games int) ([]byte, error) {
	if info, err := os.Stat(filepath.Dir(f.first)); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: there is no such folder", filepath.Dir(f.first))
	}
	for n := range games {
		if _, err := os.Lstat(f.path(n)); err == nil {
			return nil, fmt.Errorf("%s is there already; go on with it by -resume, or name another -record", f.path(n))
		}
	}
	key, err := filelog.Key(f.first + ".key")
	if err != nil {
		return nil, err
	}
	written, err := os.ReadFile(f.first + ".key")
	if err != nil {
		return nil, err
	}
	for n := 1; n < games; n++ {
		if err := os.WriteFile(f.path(n)+".key", written, 0o600); err != nil {
			return nil, err
		}
	}
	return key, nil
}

func (f *files) Open(ctx context.Context, id string) (referee.Log, error) {
	path, ok := f.ids[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", referee.ErrNoLog, id)
	}
	return filelog.OpenFile(ctx, path, filelog.Options{})
}

func (f *files) Unfinished(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for id, path := range f.ids {
			data, err := os.ReadFile(path)
			lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
			if (err != nil || !referee.IsEnd(lines[len(lines)-1])) && !yield(id, err) {
				return
			}
		}
	}
}
