package filelog_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
)

// TestReplaced: who puts another file, or another last line of the same length, in the place of a record ends the referee's use of it.
func TestReplaced(t *testing.T) {
	const was, other = first + "\na\n", first + "\nb\n"
	for name, replace := range map[string]func(t *testing.T, path string){
		"by a rename": func(t *testing.T, path string) {
			if err := os.WriteFile(path+".new", []byte(other), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
		"by a copy of itself": func(t *testing.T, path string) {
			if err := os.WriteFile(path+".new", []byte(was), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		},
		"in place": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"in place, and longer": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(other+"c\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.jsonl")
			l := open(t, path, filelog.Options{})
			if err := l.Append(t.Context(), 0, lines(first, "a")); err != nil {
				t.Fatal(err)
			}
			replace(t, path)
			there, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := l.Append(t.Context(), 2, lines("c")); !errors.Is(err, referee.ErrFenced) {
				t.Errorf("appended: %v", err)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != string(there) {
				t.Errorf("the file was changed: %q, %v", b, err)
			}
		})
	}
}

// TestReplacedRead: positions in one file are no positions in another.
func TestReplacedRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	l := open(t, path, filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte(first+"\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line, err := range l.Read(t.Context(), 0) {
		if n++; n > 1 || !errors.Is(err, referee.ErrFenced) {
			t.Errorf("read %q, %v", line, err)
		}
	}
	if n == 0 {
		t.Error("read to the end of nothing")
	}
	if d := cmp.Diff([]string{first, "b"}, contents(t, open(t, path, filelog.Options{}).Read(t.Context(), 0))); d != "" {
		t.Error(d)
	}
}

// TestRemoved: a record that was taken away is not begun anew in its middle.
func TestRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	l := open(t, path, filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 2, lines("b")); !errors.Is(err, referee.ErrFenced) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("appended: %v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}
