//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelog_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matchreferee/arena/replay/filelog"
)

// TestKeyOwner: a key that another user put there, or may take away again, is nobody's secret.
func TestKeyOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("giving files away needs the superuser")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"key": strings.Repeat("0a", 32) + "\n", "empty": ""} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, 65534, 65534); err != nil {
			t.Skip(err)
		}
		for _, get := range []func(string) ([]byte, error){filelog.Key, filelog.ExistingKey} {
			if key, err := get(path); key != nil || !errors.Is(err, filelog.ErrKey) || !strings.Contains(err.Error(), "another user") {
				t.Errorf("%s: %x, %v", name, key, err)
			}
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%s was changed: %q, %v", name, b, err)
		}
	}
}

// TestKeyPipe: a pipe in the place of a key is refused, and not waited for.
func TestKeyPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, get := range []func(string) ([]byte, error){filelog.Key, filelog.ExistingKey} {
		if key, err := get(path); key != nil || !errors.Is(err, filelog.ErrKey) {
			t.Errorf("%x, %v", key, err)
		}
	}
}
