package translog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDir keeps a log in files, which a second process may read and not write.
func TestDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	d, err := NewDir(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	add(t, opened(t, d), entries(0, 5)...)
	add(t, opened(t, d), entries(5, 300)...)
	reading, err := ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	a := auditorOf(t, nil)
	a.fetch = reading.Read
	if err := a.Follow(t.Context(), nil); err != nil || a.Seen().Size != 300 {
		t.Fatalf("%v, %d seen", err, a.Seen().Size)
	}
	if err := reading.Write(t.Context(), "checkpoint", nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("written by a reader: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewDir(gone, path); !errors.Is(err, context.Canceled) {
		t.Errorf("two writers: %v", err)
	}
	for _, outside := range []string{"../secret", "/etc/passwd", "a/../../b"} {
		if _, err := d.Read(t.Context(), outside); err == nil {
			t.Errorf("%s was read", outside)
		}
		if err := d.Write(t.Context(), outside, nil); err == nil {
			t.Errorf("%s was written", outside)
		}
	}
	if err := errors.Join(d.Close(), reading.Close()); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(path, "*", "*", "*.new"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	// What a crash left half written is no part of the log.
	if err := os.WriteFile(filepath.Join(path, "checkpoint.new"), []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err = NewDir(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if c := newest(t, opened(t, d)); c.Size != 300 {
		t.Errorf("%d entries", c.Size)
	}
	if err := os.WriteFile(filepath.Join(path, "huge"), make([]byte, maxFile+1), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := d.Read(t.Context(), "huge"); err == nil || len(b) > maxFile || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a file that is too long: %d bytes, %v", len(b), err)
	}
	if _, err := d.Read(t.Context(), "tile/9/000"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := ReadDir(filepath.Join(path, "checkpoint")); err == nil {
		t.Error("a file is no folder")
	}
}
