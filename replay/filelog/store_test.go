package filelog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
)

func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	store, err := filelog.NewStore(dir, filelog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	end := `{"k":"end","t":1}` + "\n"
	long := strings.Repeat("x", 9000) + "\n"
	for name, text := range map[string]string{
		"a1.jsonl":        first + "\n",
		"a2.jsonl":        first + "\n" + end,
		"a3.jsonl":        first + "\n" + end + `{"k":"seal"}` + "\n",
		"a4.jsonl":        first + "\n" + end + `{"k":"sea`,
		"a5.jsonl":        first + "\n" + `{"k":"end","t":`,
		"a6.jsonl":        first,
		"a7.jsonl":        "",
		"a8.jsonl":        first + "\n" + long,
		"a9.jsonl":        first + "\n" + long + end + long[:5000],
		"b1.jsonl":        first + "\n" + strings.Repeat("x", 2*referee.MaxLine+9),
		"c%2%x.jsonl":     first + "\n",
		"d1.json":         first + "\n",
		"d2.jsonl.bak":    first + "\n",
		".hidden.jsonl":   first + "\n",
		"not an id.jsonl": first + "\n",
		".jsonl":          first + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "e1.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	var got []string
	for id, err := range store.Unfinished(t.Context()) {
		if err != nil {
			if !errors.Is(err, filelog.ErrNotRecord) {
				t.Error(err)
			}
			id += " in error"
		}
		got = append(got, id)
	}
	if d := cmp.Diff([]string{"a1", "a5", "a8", "b1 in error", "c:2:x"}, got); d != "" {
		t.Error(d)
	}
	for id := range store.Unfinished(t.Context()) {
		if id != "a1" {
			t.Error(id)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for id, err := range store.Unfinished(ctx) {
		if n++; id != "" || !errors.Is(err, context.Canceled) {
			t.Error(id, err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for id, err := range store.Unfinished(t.Context()) {
		if n++; id != "" || !errors.Is(err, os.ErrNotExist) {
			t.Error(id, err)
		}
	}
	if n != 2 {
		t.Error(n)
	}
}

func TestStoreIDs(t *testing.T) {
	dir := t.TempDir()
	store, err := filelog.NewStore(dir, filelog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "../x", "a/b", `a\b`, "a%b", ".a", "a b", "ä", strings.Repeat("x", 129)} {
		if l, err := store.Open(t.Context(), id); l != nil || err == nil {
			t.Errorf("%q: opened", id)
		}
		if p, err := store.Path(id); p != "" || err == nil {
			t.Errorf("%q: %s", id, p)
		}
	}
	for _, id := range []string{"a", "A_b-c.d", "cup:1:2", strings.Repeat(":", 128)} {
		l, err := store.Open(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
			t.Fatalf("opening made %v (%v)", names, err)
		}
		if err := l.Append(t.Context(), 0, lines(first)); err != nil {
			t.Fatal(err)
		}
		path, err := store.Path(id)
		if err != nil || filepath.Dir(path) != dir || strings.Contains(filepath.Base(path), ":") {
			t.Fatal(path, err)
		}
		for got, err := range store.Unfinished(t.Context()) {
			if got != id || err != nil {
				t.Errorf("%q, want %q (%v)", got, id, err)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := filelog.NewStore(filepath.Join(os.DevNull, "x"), filelog.Options{}); err == nil {
		t.Error("a store under a device")
	}
}
