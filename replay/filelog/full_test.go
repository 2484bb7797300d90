//go:build linux

package filelog_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
)

// TestFull fills a file up to a limit of the operating system, in batches of three
// lines: the one that does not fit is taken back whole, and with room again the
// log goes on.
func TestFull(t *testing.T) {
	if !need.OwnProcess(t) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "full.jsonl")
	l := open(t, path, filelog.Options{})
	batch := lines(first, strings.Repeat("x", 100_000), strings.Repeat("y", 100_000))
	n := int64(0)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	var full error
	for full == nil {
		if full = l.Append(t.Context(), n, batch); full == nil {
			n += 3
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(full, syscall.EFBIG) || errors.Is(full, referee.ErrFenced) {
		t.Fatal(full)
	}
	b, err := os.ReadFile(path)
	if err != nil || int64(bytes.Count(b, []byte("\n"))) != n || !bytes.HasSuffix(b, []byte("y\n")) || n != 15 {
		t.Fatalf("%d lines acknowledged, and in the file of %d bytes (%v)", n, len(b), err)
	}
	if err := l.Append(t.Context(), n, batch); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, l.Read(t.Context(), 0)); int64(len(got)) != n+3 {
		t.Fatal(len(got))
	}
}

// TestLockWait: whoever waits for a lock that another process may hold stops
// waiting with its context.
func TestLockWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked.jsonl")
	l := open(t, path, filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first)); err != nil {
		t.Fatal(err)
	}
	other := open(t, path, filelog.Options{})
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	// However slow the machine, the lock is not to be had.
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	done := make(chan error, 2)
	for range cap(done) { // one waits for the file, the other for the first
		go func() { done <- l.Append(ctx, 1, lines("1")) }()
	}
	for range cap(done) {
		if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	if _, err := filelog.OpenFile(ctx, path, filelog.Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if got := contents(t, other.Read(t.Context(), 0)); len(got) != 1 {
		t.Error("a reader waits for no lock", got)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 1, lines("1")); err != nil {
		t.Error(err)
	}
	if err := other.Append(t.Context(), 2, lines("2")); err != nil || other.Path() != path {
		t.Error(other.Path(), err)
	}
}
