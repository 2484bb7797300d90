package filelog_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/matchreferee/arena/replay/filelog"
)

func TestKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.jsonl.key")
	key, err := filelog.Key(path)
	if err != nil || len(key) != 32 || bytes.Equal(key, make([]byte, 32)) {
		t.Fatal(key, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 || info.Size() != 65 {
		t.Fatal(info, err)
	}
	if again, err := filelog.Key(path); err != nil || !bytes.Equal(again, key) {
		t.Fatal(again, err)
	}
	other, err := filelog.Key(path + "2")
	if err != nil || bytes.Equal(other, key) {
		t.Fatal(err)
	}
}

func TestKeyAtOnce(t *testing.T) {
	dir := t.TempDir()
	for round := range 50 {
		path := filepath.Join(dir, strconv.Itoa(round))
		keys := make([][]byte, 8)
		ready := make(chan struct{})
		var wg sync.WaitGroup
		for i := range keys {
			wg.Go(func() {
				<-ready
				var err error
				if keys[i], err = filelog.Key(path); err != nil {
					t.Error(err)
				}
			})
		}
		close(ready)
		wg.Wait()
		for _, k := range keys {
			if len(k) != 32 || !bytes.Equal(k, keys[0]) {
				t.Fatal(keys)
			}
		}
	}
}

func TestKeyFiles(t *testing.T) {
	dir := t.TempDir()
	digits := strings.Repeat("0a", 32)
	for _, c := range []struct {
		name, text string
		mode       os.FileMode
		good       bool
	}{
		{"plain", digits + "\n", 0o600, true},
		{"no newline", digits, 0o600, true},
		{"upper case", strings.ToUpper(digits) + "\n", 0o600, true},
		{"read-only", digits + "\n", 0o400, true},
		{"empty", "", 0o600, true}, // as a crash leaves it
		{"short", digits[1:], 0o600, false},
		{"half", digits[:20] + "\n", 0o600, false},
		{"long", digits + "0", 0o600, false},
		{"two lines", digits + "\n\n", 0o600, false},
		{"not hex", "xy" + digits[2:] + "\n", 0o600, false},
		{"group", digits + "\n", 0o640, false},
		{"others", digits + "\n", 0o604, false},
		{"empty for all", "", 0o666, false},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		key, err := filelog.Key(path)
		switch {
		case c.good && (err != nil || len(key) != 32 || c.text != "" && key[31] != 0x0a):
			t.Errorf("%s: %x, %v", c.name, key, err)
		case !c.good && (!errors.Is(err, filelog.ErrKey) || key != nil):
			t.Errorf("%s: %x, %v", c.name, key, err)
		}
		if err != nil && strings.Contains(err.Error(), "0a0a") {
			t.Errorf("%s: the error tells the key: %v", c.name, err)
		}
		if b, err := os.ReadFile(path); err != nil || c.text != "" && string(b) != c.text || c.name == "empty for all" && len(b) > 0 {
			t.Errorf("%s was changed: %q, %v", c.name, b, err)
		}
	}
	if _, err := filelog.Key(dir); err == nil {
		t.Error("a directory is no key")
	}
	if _, err := filelog.Key(filepath.Join(dir, "missing", "key")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestExistingKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	key, err := filelog.ExistingKey(path)
	if key != nil || !errors.Is(err, filelog.ErrKey) || !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("missing: %x, %v", key, err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("it was made:", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := filelog.ExistingKey(path); key != nil || !errors.Is(err, filelog.ErrKey) {
		t.Errorf("empty: %x, %v", key, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Error("it was filled:", info, err)
	}
	made, err := filelog.Key(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if key, err := filelog.ExistingKey(path); err != nil || !bytes.Equal(key, made) {
		t.Errorf("made before: %x, %v", key, err)
	}
}

// TestKeyLinks: neither an existing key nor a new one is reached by a symbolic link.
func TestKeyLinks(t *testing.T) {
	dir := t.TempDir()
	target, empty := filepath.Join(dir, "target"), filepath.Join(dir, "empty")
	if _, err := filelog.Key(target); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{target, empty, filepath.Join(dir, "missing")} {
		link := to + ".link"
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		for name, get := range map[string]func(string) ([]byte, error){"Key": filelog.Key, "ExistingKey": filelog.ExistingKey} {
			if key, err := get(link); key != nil || !errors.Is(err, filelog.ErrKey) || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("%s of a link to %s: %x, %v", name, filepath.Base(to), key, err)
			}
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a key was made where a link points:", err)
	}
	if info, err := os.Stat(empty); err != nil || info.Size() != 0 {
		t.Error("an empty file was filled through a link")
	}
}
