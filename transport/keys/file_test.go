package keys

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/transport"
)

// someKeys is a file of three keys, one of them revoked.
func someKeys(t testing.TB) []byte {
	t.Helper()
	r, err := New(new(Memory), Options{Now: newClock().Now, Rand: seeded(1)})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []Request{benchmark("acme", "solver"), play("ann"), {Account: "viewer <&> \"é\"", Scopes: []string{"watch"}, Lifetime: time.Second}} {
		if _, _, err := r.Issue(context.Background(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Revoke(context.Background(), must(r.List(context.Background(), "ann"))[0].ID); err != nil {
		t.Fatal(err)
	}
	return must(encode(must(r.store.All(context.Background()))))
}

// TestGoldenFile: the format stays as it is.
func TestGoldenFile(t *testing.T) {
	got, path := someKeys(t), filepath.Join("testdata", "keys.jsonl")
	if os.Getenv("GAMETEST_UPDATE") == "1" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestEveryCut cuts the file after each byte: that is an error, and no shorter list of keys.
func TestEveryCut(t *testing.T) {
	text := someKeys(t)
	path := filepath.Join(t.TempDir(), "keys")
	for n := range text {
		if err := os.WriteFile(path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(path)
		if f != nil || !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), path) {
			t.Fatalf("cut at %d: %v, %v", n, f, err)
		}
		if n > bytes.IndexByte(text, '\n') && !strings.Contains(err.Error(), "it was cut") {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, text[:n]) {
			t.Fatalf("cut at %d: the file changed: %v", n, err)
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if list := must(openFile(t, path).All(t.Context())); len(list) != 3 {
		t.Errorf("%+v", list)
	}
}

// TestEveryByte changes each byte of the file.
func TestEveryByte(t *testing.T) {
	text := someKeys(t)
	for i := range text {
		for _, flip := range []byte{1, 0x20, 0x80} {
			bad := bytes.Clone(text)
			bad[i] ^= flip
			if list, err := decode(bad); err == nil {
				t.Errorf("byte %d changed to %q: %+v", i, bad[i], list)
			}
		}
	}
	for _, more := range []string{"\n", " ", "{}\n"} {
		if _, err := decode(append(bytes.Clone(text), more...)); err == nil {
			t.Errorf("%q at the end", more)
		}
	}
}

// TestDamagedLater: a file that is damaged while it is in use lets nobody in, and comes back when it is mended.
func TestDamagedLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	r := ring(t, openFile(t, path), Options{})
	key, info := issue(t, r, play("ann"))
	text := must(os.ReadFile(path))
	check := func(what string) {
		t.Helper()
		if g, err := r.Authenticate(t.Context(), key); !errors.Is(err, ErrFile) || errors.Is(err, transport.ErrKey) || g != nil {
			t.Errorf("%s: %+v, %v", what, g, err)
		}
		if _, _, err := r.Issue(t.Context(), play("bob")); !errors.Is(err, ErrFile) {
			t.Errorf("%s: issued: %v", what, err)
		}
	}
	if err := os.WriteFile(path, text[:len(text)-3], 0o600); err != nil {
		t.Fatal(err)
	}
	check("cut")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	check("gone")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if g, err := r.Authenticate(t.Context(), key); err != nil || g.Key != info.ID {
		t.Error(g, err)
	}
}

// TestReplaced: a file in the place of another is seen, even one of the same size and time.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "keys"), filepath.Join(dir, "other")
	c := newClock()
	r := ring(t, openFile(t, path), Options{Now: c.Now, Rand: seeded(1)})
	before, _ := issue(t, r, play("ann"))
	after, _ := issue(t, ring(t, openFile(t, other), Options{Now: c.Now, Rand: seeded(2)}), play("bob"))
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(other, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if now := must(os.Stat(other)); now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) {
		t.Fatalf("%v, %v", now, info)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	refused(t, r, before, "of the file that was replaced")
	if _, err := r.Authenticate(t.Context(), after); err != nil {
		t.Error(err)
	}
}

// TestModes: others cannot read a file, and one that others can write is refused.
func TestModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	issue(t, ring(t, openFile(t, path), Options{}), play("ann"))
	for _, name := range []string{path, path + ".lock"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "owner") {
		t.Error(err)
	}
	if _, err := OpenFile(t.TempDir()); !errors.Is(err, ErrFile) {
		t.Error(err)
	}
}

// TestLeftover: what a killed process left beside the file does not matter.
func TestLeftover(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	r := ring(t, openFile(t, path), Options{})
	first, _ := issue(t, r, play("ann"))
	if err := os.WriteFile(path+".new", bytes.Repeat([]byte("x"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	second, _ := issue(t, r, play("bob"))
	other := ring(t, openFile(t, path), Options{})
	for _, key := range []string{first, second} {
		if _, err := other.Authenticate(t.Context(), key); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestFailedChange: what f refuses changes nothing, and its error comes as it is.
func TestFailedChange(t *testing.T) {
	stores(t, func(t *testing.T, s Store, again func() Store) {
		key, _ := issue(t, ring(t, s, Options{}), play("ann"))
		no := errors.New("no")
		err := s.Change(t.Context(), func(all []Entry) ([]Entry, error) {
			all[0].Scopes[0], all[0].Revoked = "watch", start
			return all[:0], no
		})
		if err != no {
			t.Error(err)
		}
		for _, s := range []Store{s, again()} {
			if g, err := ring(t, s, Options{}).Authenticate(t.Context(), key); err != nil || !g.May("play") {
				t.Error(g, err)
			}
		}
	})
}

// TestWaiting: who waits for another's change can give up.
func TestWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	f, other := openFile(t, path), openFile(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	err := f.Change(t.Context(), func(all []Entry) ([]Entry, error) {
		cancel()
		for _, s := range []*File{f, other} {
			if err := s.Change(ctx, func(all []Entry) ([]Entry, error) { return all, nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("it did not wait: %v", err)
			}
		}
		return all, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKilled kills processes that issue and revoke keys, two at a time: what they had said is there, and the file is whole.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	f := openFile(t, path)
	r := ring(t, f, Options{})
	rounds, each := 4, 6
	if testing.Short() {
		rounds = 1
	}
	issued, revoked := map[string]string{}, map[string]bool{}
	for round := range rounds {
		other, others := child(t, path)
		cmd, out := child(t, path)
		lines := 0
		note := func(line string) {
			var what, id, key string
			if n, err := fmt.Sscan(line, &what, &id, &key); n != 3 {
				return // cut by the kill
			} else if err != nil {
				t.Fatal(err)
			}
			issued[id] = key
			revoked[id] = revoked[id] || what == "revoked"
		}
		for out.Scan() {
			note(out.Text())
			if lines++; lines == each+round {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				if err := other.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for others.Scan() {
			note(others.Text())
		}
		if cmd.Wait() == nil || other.Wait() == nil || lines < each {
			t.Fatalf("not killed, after %d lines", lines)
		}
	}
	for id, key := range issued {
		g, err := r.Authenticate(t.Context(), key)
		switch {
		case revoked[id] && (g != nil || !errors.Is(err, transport.ErrKey)):
			t.Errorf("%s was revoked: %v", id, err)
		case !revoked[id] && err != nil:
			// The last revocation of each killed process may have happened without a word.
			list := must(r.List(t.Context(), ""))
			for _, info := range list {
				if info.ID == id && info.Revoked.IsZero() {
					t.Errorf("%s: %v", id, err)
				}
			}
		}
	}
	silent := 0
	for _, info := range must(r.List(t.Context(), "")) {
		if _, said := issued[info.ID]; !said || !info.Revoked.IsZero() != revoked[info.ID] {
			silent++
		}
	}
	if silent > 2*rounds || len(issued) < each*rounds/2 {
		t.Errorf("%d changes that nobody told, %d keys", silent, len(issued))
	}
	issue(t, r, play("late")) // the lock is free
}

// headed puts the first line that fits before lines.
func headed(lines []byte) []byte {
	sum := sha256.Sum256(lines)
	return append(fmt.Appendf(nil, `{"format":"arena-keys/1","keys":%d,"sha256":"%x"}`+"\n", bytes.Count(lines, []byte("\n")), sum), lines...)
}

// TestForged: lines under a hash that fits are still those that encode writes, each key once.
func TestForged(t *testing.T) {
	_, rest, _ := bytes.Cut(someKeys(t), []byte("\n"))
	one := string(rest[:bytes.IndexByte(rest, '\n')+1])
	if list, err := decode(headed([]byte(one))); err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	for what, lines := range map[string]string{
		"twice": one + one, "no newline": strings.TrimSuffix(one, "\n"), "a blank line": one + "\n", "a blank": " " + one, "no JSON": "{\n",
		"another member": strings.Replace(one, `{"hash"`, `{"x":1,"hash"`, 1), "a long hash": strings.Replace(one, `"hash":"`, `"hash":"00`, 1),
		"no hexadecimal": strings.Replace(one, one[9:11], "zz", 1), "a line less": "",
	} {
		text := headed([]byte(lines))
		if lines == "" {
			text = bytes.Replace(text, []byte(`"keys":0`), []byte(`"keys":1`), 1)
		}
		if list, err := decode(text); err == nil {
			t.Errorf("%s: %+v", what, list)
		}
	}
}

func FuzzDecode(f *testing.F) {
	text := someKeys(f)
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	for _, seed := range [][]byte{text, first, rest, {}, []byte("{}\n"), must(encode(nil)), append([]byte{0xEF, 0xBB, 0xBF}, text...)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, text := range [][]byte{text, headed(text)} {
			list, err := decode(text)
			if err != nil {
				continue
			}
			if again, err := encode(list); err != nil || !bytes.Equal(again, text) {
				t.Errorf("%q was read, and is written as %q (%v)", text, again, err)
			}
		}
	})
}
