package lease_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/transport/lease"
)

// childVariable makes the test program a helper that holds the lease of a file.
const childVariable = "LEASE_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if err := child(context.Background(), os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// ttl is how long a process of the tests may be silent, where that matters.
const ttl = 300 * time.Millisecond

// child takes the lease, says so, and how it lost it.
func child(ctx context.Context, path string) error {
	f, err := lease.OpenFile(ctx, path, lease.FileOptions{NoSync: true})
	if err != nil {
		return err
	}
	o := lease.Options{Store: f, Bound: time.Hour}
	if os.Getenv(childVariable) == "ttl" {
		o.TTL = ttl
	}
	l, err := lease.New(ctx, o)
	if err != nil {
		return err
	}
	held, err := l.Acquire(ctx, lease.Claim{ID: "child", Account: "child"})
	if err != nil {
		return err
	}
	fmt.Println("held", held.Token())
	<-held.Context().Done()
	fmt.Println("lost", errors.Is(context.Cause(held.Context()), lease.ErrLost))
	return nil
}

// start starts a child; its output comes line by line.
func start(t *testing.T, kind, path string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe, path)
	cmd.Env = append(os.Environ(), childVariable+"="+kind)
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

// newLease makes a lease that is closed after the test.
func newLease(t *testing.T, o lease.Options) *lease.Lease {
	t.Helper()
	l, err := lease.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(context.Background()) })
	return l
}

func acquire(t *testing.T, l *lease.Lease, c lease.Claim) *lease.Held {
	t.Helper()
	held, err := l.Acquire(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return held
}
