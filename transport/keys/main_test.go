package keys

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"go.uber.org/goleak"
)

// childVariable makes the test program a helper that issues and revokes keys in a file.
const childVariable = "KEYS_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Fprintln(os.Stderr, childIssue(context.Background(), path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// childIssue issues keys for ever, revokes every third, and says what was done once it is.
func childIssue(ctx context.Context, path string) error {
	f, err := OpenFile(path)
	if err != nil {
		return err
	}
	r, err := New(f, Options{PerAccount: 1 << 20, Total: 1 << 20})
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		secret, info, err := r.Issue(ctx, play("ann"))
		if err != nil {
			return err
		}
		fmt.Println("issued", info.ID, secret.Reveal())
		if n%3 == 2 {
			if err := r.Revoke(ctx, info.ID); err != nil {
				return err
			}
			fmt.Println("revoked", info.ID, secret.Reveal())
		}
	}
}

func child(t *testing.T, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(os.Environ(), childVariable+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// clock is a time that tests set.
type clock struct{ now time.Time }

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newClock() *clock                   { return &clock{start} }
func (c *clock) Now() time.Time          { return c.now }
func (c *clock) forward(d time.Duration) { c.now = c.now.Add(d) }
func seeded(n byte) *rand.ChaCha8        { return rand.NewChaCha8([32]byte{n}) }
func play(slug string) Request {
	return Request{Agent: referee.Agent{Slug: slug}, Scopes: []string{transport.ScopePlay}}
}
func benchmark(account, slug string) Request {
	return Request{Agent: referee.Agent{Slug: slug, Name: "My solver"}, Account: account, Scopes: []string{transport.ScopeBenchmark, transport.ScopeWatch, transport.ScopeBenchmark}}
}

func ring(t *testing.T, s Store, o Options) *Ring {
	t.Helper()
	r, err := New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func issue(t *testing.T, r *Ring, q Request) (string, Info) {
	t.Helper()
	secret, info, err := r.Issue(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return secret.Reveal(), info
}

func openFile(t *testing.T, path string) *File {
	t.Helper()
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// stores runs a test on each kind of store; again gives what the same keys are in for somebody who opens them anew.
func stores(t *testing.T, test func(t *testing.T, s Store, again func() Store)) {
	t.Run("memory", func(t *testing.T) {
		m := new(Memory)
		test(t, m, func() Store { return m })
	})
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "keys")
		test(t, openFile(t, path), func() Store { return openFile(t, path) })
	})
}
