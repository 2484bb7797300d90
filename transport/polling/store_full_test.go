//go:build linux

package polling

import (
	"errors"
	"fmt"
	"maps"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/internal/need"
)

// TestStoreFull fills the file up to a limit of the operating system: what does not fit is taken back whole, and with room
// again the store goes on.
func TestStoreFull(t *testing.T) {
	if !need.OwnProcess(t) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	s := openStore(t, path, nil)
	want := map[string]Entry{}
	put := func(request string) error {
		e := entryOf("ann", request)
		err := s.Put(t.Context(), e)
		if err == nil {
			want[e.Match] = e
		}
		return err
	}
	// As many digits that more of the line that does not fit gets into the file than the short one will cover.
	const limit = 1 << 20
	length := func(digits int) int {
		e := entryOf("ann", strings.Repeat("0", digits))
		line, err := (&change{Put: &e}).append(nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(line)
	}
	digits := 200
	for (limit-len(journalHead))%length(digits) <= length(len("short")) {
		digits--
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	n := 0
	var full error
	for ; full == nil; n++ {
		full = put(fmt.Sprintf("%0*d", digits, n))
	}
	again := put(fmt.Sprintf("%0*d", digits, n))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(full, syscall.EFBIG) || !errors.Is(again, syscall.EFBIG) || len(want) < 1000 {
		t.Fatal(full, again, len(want))
	}
	if diff := cmp.Diff(maps.Clone(want), loaded(t, s)); diff != "" {
		t.Error(diff)
	}
	if err := put("short"); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, loaded(t, openStore(t, path, nil))); diff != "" {
		t.Error(diff)
	}
}
