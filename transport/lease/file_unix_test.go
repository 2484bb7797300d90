//go:build unix

package lease_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matchreferee/arena/transport/lease"
)

// openFile opens a store that is closed after the test.
func openFile(t *testing.T, path string) *lease.File {
	t.Helper()
	f, err := lease.OpenFile(t.Context(), path, lease.FileOptions{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// soon is a context that ends a test which hangs.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestKilled: what a process held that was killed is free at once, and its place is kept for its ID.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.json")
	cmd, out := start(t, "hold", path)
	if !out.Scan() || out.Text() != "held 1" {
		t.Fatal(out.Text())
	}
	// So long a TTL that only the death can be why.
	l := newLease(t, lease.Options{Store: openFile(t, path), TTL: time.Hour, Bound: time.Hour})
	waits := make(chan *lease.Held, 2)
	wait := func(c lease.Claim) {
		go func() {
			held, err := l.Acquire(soon(t), c)
			if err != nil {
				t.Error(c.ID, err)
			}
			waits <- held
		}()
		for {
			s, err := l.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(s.Waiting, c) {
				return
			}
			<-time.After(time.Millisecond)
		}
	}
	wait(lease.Claim{ID: "first", Account: "ann"})
	if len(waits) > 0 {
		t.Fatal("two hold it")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	first := <-waits
	if first == nil || first.Token() != 2 {
		t.Fatal(first)
	}
	wait(lease.Claim{ID: "second", Account: "ann"})
	wait(lease.Claim{ID: "child", Account: "ann"}) // the last to come, but its ticket is the first
	if s, err := l.Status(t.Context()); err != nil || len(s.Waiting) != 2 || s.Waiting[0].ID != "child" {
		t.Errorf("%+v %v", s, err)
	}
	first.Release()
	(<-waits).Release()
	(<-waits).Release()
	if err := l.Close(soon(t)); err != nil {
		t.Error(err)
	}
	live, err := filepath.Glob(path + ".*.live")
	if err != nil || len(live) != 1 {
		t.Errorf("%v %v: the killed one's should be gone", live, err)
	}
}

// TestStopped: a process that hangs loses its hold after the TTL, and hears so when it goes on.
func TestStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as a TTL")
	}
	path := filepath.Join(t.TempDir(), "lease.json")
	cmd, out := start(t, "ttl", path)
	if !out.Scan() || out.Text() != "held 1" {
		t.Fatal(out.Text())
	}
	l := newLease(t, lease.Options{Store: openFile(t, path), TTL: ttl})
	// A process that is stopped in the middle of an Update keeps the lock; the lock is tried for, so that it is not.
	var err error
	lockedStop := func() error {
		return openFile(t, path).Update(soon(t), func([]byte) ([]byte, error) {
			return nil, cmd.Process.Signal(syscall.SIGSTOP)
		})
	}
	if err = lockedStop(); err != nil {
		t.Fatal(err)
	}
	held, err := l.Acquire(soon(t), lease.Claim{})
	if err != nil {
		t.Fatal(err)
	}
	if held.Token() != 2 {
		t.Error(held.Token())
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if !out.Scan() || out.Text() != "lost true" {
		t.Errorf("%q", out.Text())
	}
	held.Release()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestFileOne: of many in several users of one file, one at a time computes, and tokens go on after a restart.
func TestFileOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.json")
	n := 60
	if testing.Short() {
		n = 12
	}
	var mu sync.Mutex
	var now, token int64
	round := func() {
		files := []*lease.File{openFile(t, path), openFile(t, path), openFile(t, path)}
		var leases []*lease.Lease // two of them in one process
		for i := range 4 {
			leases = append(leases, newLease(t, lease.Options{Store: files[i%3], Poll: 5 * time.Millisecond, Queue: n, PerAccount: n}))
		}
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				held, err := leases[i%4].Acquire(soon(t), lease.Claim{Account: fmt.Sprint(i % 2)})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				now++
				if now != 1 || held.Token() <= token {
					t.Errorf("%d hold it, token %d after %d", now, held.Token(), token)
				}
				token = held.Token()
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				now--
				mu.Unlock()
				held.Release()
			})
		}
		wg.Wait()
		for _, l := range leases {
			if err := l.Close(soon(t)); err != nil {
				t.Error(err)
			}
		}
		for _, f := range files {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	round()
	round()
	if token != int64(2*n) {
		t.Error(token)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 2 {
		t.Error(left, err)
	}
}

// TestFileBuries: what dead processes have left beside the file goes with the next opening, and nothing else does.
func TestFileBuries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.json")
	openFile(t, path)
	for _, name := range []string{path + ".0123456789abcdef.live", path + ".notes", path + ".b.0123456789abcdef.live", filepath.Join(filepath.Dir(path), "other.json.0123456789abcdef.live")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	count := func(pattern string, want int) {
		t.Helper()
		if files, err := filepath.Glob(pattern); err != nil || len(files) != want {
			t.Errorf("%s: %v %v", pattern, files, err)
		}
	}
	openFile(t, path)
	count(path+".*.live", 3)
	count(path+".b.*.live", 1) // another store's
	count(path+".notes", 1)
	count(filepath.Dir(path)+"/other.json.*.live", 1)
	count(path+".0123456789abcdef.live", 0)
}

func TestFileBad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.json")
	f := openFile(t, path)
	for _, bad := range []string{"", "{", "null x", `{"v":2,"token":0,"ticket":0}`, `{"v":1,"token":0,"ticket":0,"x":1}`, `{"v":1,"token":0,"ticket":0}{}`} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := lease.New(t.Context(), lease.Options{Store: f})
		if !errors.Is(err, lease.ErrState) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", bad, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != bad {
			t.Errorf("%q became %q (%v)", bad, b, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l := newLease(t, lease.Options{Store: f})
	acquire(t, l, lease.Claim{}).Release()
	if err := l.Close(soon(t)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Error(info, err)
	}
	if _, err := lease.OpenFile(t.Context(), filepath.Join(path, "x"), lease.FileOptions{}); err == nil {
		t.Error("opened in no directory")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := lease.New(t.Context(), lease.Options{Store: f}); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

// TestFileLocked: who waits for the lock of a process that hangs stops with its context.
func TestFileLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lease.json")
	f, g := openFile(t, path), openFile(t, path)
	inside, goOn := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- f.Update(t.Context(), func([]byte) ([]byte, error) {
			close(inside)
			<-goOn
			return nil, nil
		})
	}()
	<-inside
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for _, file := range []*lease.File{f, g} {
		if err := file.Update(ctx, func([]byte) ([]byte, error) { return nil, nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestFileFailing: an Update whose function fails changes nothing.
func TestFileFailing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kept")
	f, err := lease.OpenFile(t.Context(), path, lease.FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(b []byte, fail error) (kept string, err error) {
		err = f.Update(t.Context(), func(k []byte) ([]byte, error) {
			kept = fmt.Sprintf("%q %t", k, k == nil)
			return b, fail
		})
		return kept, err
	}
	for _, c := range []struct {
		b    []byte
		fail error
		want string
	}{
		{[]byte("one"), nil, `"" true`},
		{[]byte("two"), errDisk, `"one" false`},
		{nil, nil, `"one" false`},
		{[]byte("three"), nil, `"one" false`},
		{nil, nil, `"three" false`},
	} {
		if kept, err := put(c.b, c.fail); kept != c.want || !errors.Is(err, c.fail) {
			t.Errorf("%q: %s %v", c.b, kept, err)
		}
	}
}
