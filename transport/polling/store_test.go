package polling

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// entryOf is an entry with nothing left out but how the match ended.
func entryOf(account, request string) Entry {
	return Entry{
		Match: account + "-" + request, Account: account, Agent: "solver", Opponent: "casual", Game: "grid", Control: "production", Seat: 1,
		Request: request, Payload: "f00d", Created: noon, Expires: noon.Add(time.Hour),
	}
}

// openStore opens a store that is closed after the test; a torn line must be expected.
func openStore(t testing.TB, path string, torn func(int64)) *FileStore {
	t.Helper()
	s, err := OpenFileStore(t.Context(), path, FileStoreOptions{NoSync: true, Torn: func(p string, n int64) {
		if torn == nil || p != path {
			t.Errorf("%s: %d bytes were torn", p, n)
			return
		}
		torn(n)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// loaded gives what a store holds, by match.
func loaded(t testing.TB, s Store) map[string]Entry {
	t.Helper()
	out := map[string]Entry{}
	for e, err := range s.Load(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := out[e.Match]; twice {
			t.Fatalf("%s twice", e.Match)
		}
		out[e.Match] = e
	}
	return out
}

// TestStores holds both stores, the one in a file opened anew now and then, against a map.
func TestStores(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		memory, file := new(MemoryStore), openStore(t, path, nil)
		defer func() { file.Close() }()
		want := map[string]Entry{}
		rt.Repeat(map[string]func(*rapid.T){
			"put": func(rt *rapid.T) {
				e := entryOf(rapid.SampledFrom([]string{"ann", "bob \"x\"", "c\u2028\n"}).Draw(rt, "account"), rapid.StringMatching("[a-c]").Draw(rt, "request"))
				e.Seat = rapid.IntRange(0, 3).Draw(rt, "seat")
				e.Heavy = rapid.Bool().Draw(rt, "heavy")
				if e.State = State(rapid.IntRange(0, 2).Draw(rt, "state")); e.State == Over {
					e.Ended, e.Outcome = noon.Add(time.Millisecond), "completed"
				}
				want[e.Match] = e
				for _, s := range []Store{memory, file} {
					if err := s.Put(t.Context(), e); err != nil {
						rt.Fatal(err)
					}
				}
			},
			"remove": func(rt *rapid.T) {
				ids := append(slices.Sorted(maps.Keys(want)), "nobody")
				ids = ids[rapid.IntRange(0, len(ids)-1).Draw(rt, "from"):]
				for _, s := range []Store{memory, file} {
					if err := s.Remove(t.Context(), ids...); err != nil {
						rt.Fatal(err)
					}
				}
				for _, id := range ids {
					delete(want, id)
				}
			},
			"reopen": func(rt *rapid.T) {
				if err := file.Close(); err != nil {
					rt.Fatal(err)
				}
				file = openStore(t, path, nil)
			},
			"": func(rt *rapid.T) {
				for _, s := range []Store{memory, file} {
					if diff := cmp.Diff(want, loaded(t, s)); diff != "" {
						rt.Fatalf("%T: %s", s, diff)
					}
				}
			},
		})
	})
}

func TestStoresRefuse(t *testing.T) {
	file := openStore(t, filepath.Join(t.TempDir(), "matches.jsonl"), nil)
	bad := Entry{Match: strings.Repeat("x", 300), Account: "\xff", Seat: -1, State: 7, Ended: time.Date(12000, 1, 1, 0, 0, 0, 0, time.UTC)}
	for _, s := range []Store{new(MemoryStore), file} {
		err := s.Put(t.Context(), bad)
		if err == nil {
			t.Fatalf("%T takes anything", s)
		}
		var fields []string
		for line := range strings.Lines(err.Error()) {
			field, _, _ := strings.Cut(strings.TrimPrefix(line, "polling: entry: "), ":")
			fields = append(fields, field)
		}
		want := []string{"match", "account", "opponent", "request", "seat", "state", "created", "expires", "ended"}
		if !slices.Equal(fields, want) {
			t.Errorf("%T: %q", s, fields)
		}
		if len(loaded(t, s)) > 0 {
			t.Errorf("%T keeps what it refused", s)
		}
	}
}

// written is a journal with all kinds of lines, and what it holds after each.
func written(t *testing.T) (b []byte, after []map[string]Entry) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	s := openStore(t, path, nil)
	after = append(after, map[string]Entry{})
	note := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		after = append(after, loaded(t, s))
	}
	for i := range 3 {
		e := entryOf("ann", fmt.Sprint(i))
		note(s.Put(t.Context(), e))
		e.State = Begun
		note(s.Put(t.Context(), e))
		e.State, e.Ended, e.Outcome = Over, noon.Add(time.Minute), "expired"
		note(s.Put(t.Context(), e))
	}
	note(s.Remove(t.Context(), "ann-1", "ann-0"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b, after
}

// TestStoreCut stops the journal after each byte, as a crash does: what was whole is there, and it goes on.
func TestStoreCut(t *testing.T) {
	b, after := written(t)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	step := 1
	if testing.Short() {
		step = 7
	}
	for n := 0; n <= len(b); n += step {
		if err := os.WriteFile(path, b[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := bytes.LastIndexByte(b[:n], '\n') + 1
		torn := int64(0)
		s := openStore(t, path, func(n int64) { torn += n })
		want := after[max(0, bytes.Count(b[:n], []byte("\n"))-1)]
		if diff := cmp.Diff(want, loaded(t, s)); diff != "" || torn != int64(n-whole) {
			t.Fatalf("cut at %d: %d bytes torn: %s", n, torn, diff)
		}
		if n%5 > 0 {
			s.Close()
			continue
		}
		e := entryOf("bob", "1")
		if err := errors.Join(s.Put(t.Context(), e), s.Close()); err != nil {
			t.Fatal(err)
		}
		s = openStore(t, path, nil)
		want = maps.Clone(want)
		want[e.Match] = e
		if diff := cmp.Diff(want, loaded(t, s)); diff != "" {
			t.Fatalf("cut at %d, gone on: %s", n, diff)
		}
		s.Close()
	}
}

// TestStoreFlipped changes each byte of the journal but its last newline: refused, by the line, and left as it is.
func TestStoreFlipped(t *testing.T) {
	b, _ := written(t)
	path := filepath.Join(t.TempDir(), "flipped.jsonl")
	step := 1
	if testing.Short() {
		step = 7
	}
	for n := 0; n < len(b)-1; n += step {
		bad := bytes.Clone(b)
		bad[n] ^= 1
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := OpenFileStore(t.Context(), path, FileStoreOptions{})
		if err == nil {
			s.Close()
		}
		line := fmt.Sprintf("line %d: ", 1+bytes.Count(b[:n], []byte("\n")))
		if !errors.Is(err, ErrJournal) || !strings.Contains(err.Error(), line) || !strings.Contains(err.Error(), path) {
			t.Fatalf("byte %d of %s %v", n, line, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, bad) {
			t.Fatalf("byte %d: it was changed (%v)", n, err)
		}
	}
}

// TestStoreCompacts: a file does not grow with what is over and gone.
func TestStoreCompacts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	s := openStore(t, path, nil)
	for i := range 2*slack + 500 {
		e := entryOf("ann", fmt.Sprint(i%3))
		e.Seat = i
		if err := s.Put(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	want := loaded(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if lines := bytes.Count(b, []byte("\n")); err != nil || lines > slack+10 || lines < 4 {
		t.Errorf("%d lines (%v)", lines, err)
	}
	s = openStore(t, path, nil)
	if diff := cmp.Diff(want, loaded(t, s)); diff != "" || len(want) != 3 || want["ann-0"].Seat < 2*slack {
		t.Errorf("%s", diff)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 2 {
		t.Errorf("%v %v", left, err)
	}
}

// TestStoreCompactsAtOpening: so is one that an earlier process has left so long.
func TestStoreCompactsAtOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	e := entryOf("ann", "1")
	line, err := (&change{Put: &e}).append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append([]byte(journalHead), bytes.Repeat(line, slack+3)...), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path, nil)
	if b, err := os.ReadFile(path); err != nil || string(b) != journalHead+string(line) {
		t.Errorf("%d bytes (%v)", len(b), err)
	}
	other := entryOf("bob", "1")
	if err := errors.Join(s.Put(t.Context(), other), s.Close()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]Entry{e.Match: e, other.Match: other}, loaded(t, openStore(t, path, nil))); diff != "" {
		t.Error(diff)
	}
}

// TestStoreAtOnce: changes that come at once are all there.
func TestStoreAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	s, err := OpenFileStore(t.Context(), path, FileStoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			if err := s.Put(t.Context(), entryOf("ann", fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Put(t.Context(), entryOf("ann", "x")); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if n := len(loaded(t, openStore(t, path, nil))); n != 200 {
		t.Error(n)
	}
}

// TestStoreLocked: the second one waits until the first one has closed it.
func TestStoreLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matches.jsonl")
	first := openStore(t, path, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if s, err := OpenFileStore(ctx, path, FileStoreOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(s, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := openStore(t, path, nil)
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Error(info, err)
	}
	if err := second.Remove(t.Context(), make([]string, 3*removeMost)...); err != nil {
		t.Error(err)
	}
}

// FuzzJournal reads journals: refused, or read the same again when they are written anew.
func FuzzJournal(f *testing.F) {
	whole, err := wholeJournal(map[string]Entry{"ann-1": entryOf("ann", "1"), "bob-2": entryOf("bob", "2")})
	if err != nil {
		f.Fatal(err)
	}
	gone, err := (&change{Remove: []string{"ann-1"}}).append(bytes.Clone(whole))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []struct {
		b       []byte
		entries int // -1: refused
	}{
		{nil, 0}, {[]byte(journalHead[:9]), 0}, {[]byte(journalHead), 0}, {whole, 2}, {gone, 1}, {whole[:len(whole)-1], 1},
		{[]byte("{}\n"), -1}, {whole[len(journalHead):], -1}, {append(bytes.Clone(whole), '\n'), -1},
	} {
		j, err := readJournal(bytes.NewReader(seed.b))
		if seed.entries < 0 && !errors.Is(err, ErrJournal) || seed.entries >= 0 && (err != nil || len(j.entries) != seed.entries) {
			f.Fatalf("%q: %v %v", seed.b, j, err)
		}
		f.Add(seed.b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := readJournal(bytes.NewReader(b))
		if err != nil {
			if !errors.Is(err, ErrJournal) {
				t.Fatal(err)
			}
			return
		}
		if j.size+j.torn != int64(len(b)) {
			t.Fatalf("%d bytes whole, %d torn, of %d", j.size, j.torn, len(b))
		}
		again, err := wholeJournal(j.entries)
		if err != nil {
			t.Fatal(err)
		}
		k, err := readJournal(bytes.NewReader(again))
		if err != nil || k.torn > 0 {
			t.Fatal(err)
		}
		if diff := cmp.Diff(j.entries, k.entries); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestChanges: a line whose sum is right and whose words are not is refused.
func TestChanges(t *testing.T) {
	e := entryOf("ann", "1")
	good, err := (&change{Put: &e}).append(nil)
	if err != nil {
		t.Fatal(err)
	}
	put := string(good[sumLength : len(good)-1])
	for body, ok := range map[string]bool{
		put: true,
		strings.Replace(put, `"casual"`, `""`, 1):               false,
		strings.Replace(put, `"reserved"`, `"paused"`, 1):       false,
		strings.Replace(put, `"match"`, `"prize":1,"match"`, 1): false,
		strings.TrimSuffix(put, "}"):                            false,
		put + "}":                                               false,
		put + "{}":                                              false,
		strings.TrimSuffix(put, "}") + `,"remove":["x"]}`:       false,
		`"remove":["x"]}`:                                       true,
		`"remove":[]}`:                                          false,
		`"put":null}`:                                           false,
		"":                                                      false,
	} {
		c, err := parseChange(summed([]byte(body)))
		if (err == nil) != ok {
			t.Errorf("%s: %+v %v", body, c, err)
		}
	}
}

// FuzzChange reads single lines of a journal, whose sums the fuzzer need not guess.
func FuzzChange(f *testing.F) {
	e := entryOf("ann", "1")
	for _, c := range []change{{Put: &e}, {Remove: []string{"ann-1", ""}}} {
		b, err := c.append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[sumLength : len(b)-1])
	}
	f.Add([]byte(`"remove":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		line := summed(body)
		c, err := parseChange(line)
		if err != nil {
			return
		}
		again, err := c.append(nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseChange(bytes.TrimSuffix(again, []byte("\n")))
		if err != nil {
			t.Fatalf("%q: %v", again, err)
		}
		if diff := cmp.Diff(c, d); diff != "" {
			t.Fatal(diff)
		}
	})
}
