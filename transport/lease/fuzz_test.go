package lease_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/transport/lease"
)

// corpus is where the states of the fuzz test are.
const corpus = "testdata/states"

// FuzzState reads states that a store might hold: refused, or of use.
func FuzzState(f *testing.F) {
	files, err := filepath.Glob(corpus + "/*.json")
	if err != nil || len(files) < 5 {
		f.Fatalf("%d states in %s (%v)", len(files), corpus, err)
	}
	good := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if use(f, b) {
			good++
		}
		f.Add(b)
	}
	if good < 3 || good == len(files) {
		f.Fatalf("%d of %d states are good", good, len(files))
	}
	f.Fuzz(func(t *testing.T, b []byte) { use(t, b) })
}

// use reports whether a state is accepted; then the lease works with it.
func use(t testing.TB, b []byte) bool {
	store := new(lease.Memory)
	if err := store.Update(t.Context(), func([]byte) ([]byte, error) { return append([]byte{}, b...), nil }); err != nil {
		t.Fatal(err)
	}
	l, err := lease.New(t.Context(), lease.Options{Store: store})
	if err != nil {
		if !errors.Is(err, lease.ErrState) {
			t.Fatal(err)
		}
		return false
	}
	before, err := l.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error, 1)
	go func() {
		held, err := l.Acquire(ctx, lease.Claim{ID: "mine", Class: lease.Host})
		if err == nil {
			held.Release()
		}
		got <- err
	}()
	if len(before.Holding)+len(before.Waiting) > 0 {
		cancel() // it may never be its turn
	}
	if err := <-got; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, lease.ErrFull) {
		t.Fatal(err)
	}
	cancel()
	if err := l.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Status(t.Context()); err != nil {
		t.Fatalf("it wrote what it cannot read: %v", err)
	}
	return true
}
