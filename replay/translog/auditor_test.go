package translog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

func auditorOf(t testing.TB, m *Memory) *Auditor {
	t.Helper()
	_, key := signerOf(t, origin, 1)
	return NewAuditor(origin, note.VerifierList(key), m.Read)
}

// TestAuditor follows a log that grows, and holds what it was promised against it.
func TestAuditor(t *testing.T) {
	m := new(Memory)
	l := opened(t, m)
	a := auditorOf(t, m)
	next := int64(0)
	on := func(n int64, e Entry) error {
		if n != next || e != entry(int(n)) {
			t.Errorf("number %d: %+v", n, e)
		}
		next++
		return nil
	}
	for _, size := range []int{0, 1, 5, 256, 258, 700} {
		add(t, l, entries(int(a.Seen().Size), size)...)
		if err := a.Follow(t.Context(), on); err != nil || a.Seen().Size != int64(size) || next != int64(size) {
			t.Fatalf("%d entries: %v, %d told", size, err, next)
		}
		if size > 1 { // after a restart
			state := a.State()
			_, key := signerOf(t, origin, 1)
			b, err := LoadAuditor(state, origin, note.VerifierList(key), m.Read)
			if err != nil || !bytes.Equal(b.State(), state) {
				t.Fatal(err)
			}
			a = b
		}
	}
	if n, err := a.Check(entry(257)); err != nil || n != 257 {
		t.Errorf("%d %v", n, err)
	}
	if _, err := a.Check(entry(700)); !errors.Is(err, ErrDropped) || !strings.Contains(err.Error(), `"m:700"`) {
		t.Errorf("a match that was dropped: %v", err)
	}
	if _, err := a.Check(entry(257, 'x')); !errors.Is(err, ErrRewritten) || !strings.Contains(err.Error(), `"m:257"`) {
		t.Errorf("a match that was rewritten: %v", err)
	}
	stop := errors.New("stop")
	add(t, l, entries(700, 710)...)
	if err := a.Follow(t.Context(), func(n int64, _ Entry) error {
		if n == 705 {
			return stop
		}
		return nil
	}); !errors.Is(err, stop) || a.Seen().Size != 700 {
		t.Errorf("%v, %d seen", err, a.Seen().Size)
	}
	if err := a.Follow(t.Context(), nil); err != nil || a.Seen().Size != 710 {
		t.Errorf("%v, %d seen", err, a.Seen().Size)
	}
}

// TestAuditorCatches shows an auditor who has followed a log another one in its place.
func TestAuditorCatches(t *testing.T) {
	const size = 300
	all := entries(0, size)
	rewritten := entries(0, size)
	rewritten[42] = entry(42, 'x')
	dropped := append(entries(0, 42), entries(43, size+40)...)
	swapped := entries(0, size)
	swapped[7], swapped[8] = swapped[8], swapped[7]
	build := func(es ...Entry) *Memory {
		m := new(Memory)
		l := opened(t, m)
		for len(es) > 0 {
			n := min(100, len(es))
			add(t, l, es[:n]...)
			es = es[n:]
		}
		return m
	}
	seen := func() *Auditor {
		a := auditorOf(t, build(all...))
		if err := a.Follow(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return a
	}
	signedBy := func(m *Memory, b byte) *Memory { // the same checkpoint by another key
		s, _ := signerOf(t, origin, b)
		text, _, _ := strings.Cut(string(m.files["checkpoint"]), "\n\n")
		signed, err := note.Sign(&note.Note{Text: text + "\n"}, s)
		if err != nil {
			t.Fatal(err)
		}
		m.files["checkpoint"] = signed
		return m
	}
	change := func(m *Memory, path string, f func([]byte) []byte) *Memory {
		if m.files[path] == nil {
			t.Fatal(path)
		}
		m.files[path] = f(m.files[path])
		return m
	}
	flip := func(b []byte) []byte { b[len(b)-1] ^= 1; return b }
	more := append(entries(0, size), entries(size, size+20)...)
	for _, c := range []struct {
		name string
		log  *Memory
		want error
		says string
	}{
		{"the same", build(all...), nil, ""},
		{"more", build(more...), nil, ""},
		{"one match dropped", build(dropped...), ErrForked, "first 300"},
		{"one match dropped, as many as before", build(dropped[:size]...), ErrForked, "another root"},
		{"one match rewritten", build(append(rewritten, entries(size, size+20)...)...), ErrForked, "first 300"},
		{"two matches swapped", build(append(swapped, entry(900))...), ErrForked, "first 300"},
		{"shorter", build(all[:299]...), ErrShrunk, "from 300 entries to 299"},
		{"empty", build(), ErrShrunk, "to 0"},
		{"another key", signedBy(build(more...), 2), ErrCheckpoint, ""},
		{"a tile with another bit", change(build(more...), "tile/0/001.p/64", flip), ErrDamaged, ""},
		{"a tile that is cut", change(build(more...), "tile/0/001.p/64", func(b []byte) []byte { return b[:32] }), ErrDamaged, ""},
		{"a bundle with another bit", change(build(more...), "tile/entries/001.p/64", flip), ErrDamaged, ""},
		{"a bundle that is cut", change(build(more...), "tile/entries/001.p/64", func(b []byte) []byte { return b[:len(b)-1] }), ErrDamaged, ""},
		{"no bundle", change(build(more...), "tile/entries/001.p/64", func([]byte) []byte { return nil }), ErrDamaged, ""},
	} {
		a := seen()
		before := a.Seen()
		a.fetch = c.log.Read
		err := a.Follow(t.Context(), nil)
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err != nil && a.Seen() != before {
			t.Errorf("%s: the auditor took it over", c.name)
		}
		// What it can show to others are two checkpoints that the log signed.
		var found *Conflict
		blames := errors.Is(c.want, ErrShrunk) || errors.Is(c.want, ErrForked)
		if errors.As(err, &found) != blames {
			t.Errorf("%s: a conflict: %v", c.name, found)
		}
		if blames {
			for _, x := range []*Checkpoint{found.Before, found.After} {
				if _, err := OpenCheckpoint(x.Note, origin, a.keys); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
			if found.Before != before || !bytes.Equal(found.After.Note, c.log.files["checkpoint"]) {
				t.Errorf("%s: %+v", c.name, found)
			}
		}
	}
	// A log that takes two records of one match is caught by who reads it from the beginning.
	m := build(all...)
	l := opened(t, m)
	delete(l.index, knownAs(entry(42).Match)) // which it should know
	add(t, l, entry(42, 'x'))
	var found *Conflict
	if err := auditorOf(t, m).Follow(t.Context(), nil); !errors.Is(err, ErrRewritten) || !strings.Contains(err.Error(), "number 42 and number 300") || !errors.As(err, &found) || found.After.Size != 301 {
		t.Errorf("two records of one match: %v", err)
	}
	// So it is by who had seen the first of them before.
	a := seen()
	a.fetch = m.Read
	if err := a.Follow(t.Context(), nil); !errors.Is(err, ErrRewritten) || a.Seen().Size != size {
		t.Errorf("a second record of a match: %v", err)
	}
}

// TestAuditorTidied: who serves a log may delete partial tiles once they are part of
// wider ones, and an old checkpoint can still be followed.
func TestAuditorTidied(t *testing.T) {
	m := new(Memory)
	l := opened(t, m)
	add(t, l, entries(0, 300)...)
	old := bytes.Clone(m.files["checkpoint"])
	add(t, l, entries(300, 600)...)
	for _, path := range []string{"tile/0/001.p/44", "tile/entries/001.p/44"} {
		if m.files[path] == nil || m.files[strings.TrimSuffix(path, ".p/44")] == nil {
			t.Fatal(path)
		}
		delete(m.files, path)
	}
	m.files["checkpoint"] = old
	if err := auditorOf(t, m).Follow(t.Context(), nil); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"tile/0/001", "tile/entries/001"} {
		whole := m.files[path]
		for _, n := range []int{0, 32, 44*32 - 1, 44 * 32, len(whole) - 1} {
			m.files[path] = whole[:n]
			err := auditorOf(t, m).Follow(t.Context(), nil)
			if enough := path == "tile/0/001" && n >= 44*32; enough != (err == nil) || err != nil && !errors.Is(err, ErrDamaged) {
				t.Errorf("%d bytes of %s: %v", n, path, err)
			}
		}
		m.files[path] = whole
	}
}

// TestAuditorEveryBit flips each bit of a checkpoint and of a tile: each is found.
func TestAuditorEveryBit(t *testing.T) {
	m := new(Memory)
	add(t, opened(t, m), entries(0, 5)...)
	a := auditorOf(t, m)
	step := 1
	if testing.Short() {
		step = 29 // odd, so that each bit of a byte comes up
	}
	for _, path := range []string{"checkpoint", "tile/0/000.p/5", "tile/entries/000.p/5"} {
		for bit := 0; bit < 8*len(m.files[path]); bit += step {
			m.files[path][bit/8] ^= 1 << (bit % 8)
			if err := NewAuditor(origin, a.keys, a.fetch).Follow(t.Context(), nil); err == nil {
				t.Fatalf("%s: bit %d", path, bit)
			}
			m.files[path][bit/8] ^= 1 << (bit % 8)
		}
	}
	if err := auditorOf(t, m).Follow(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func TestLoadAuditorRefuses(t *testing.T) {
	m := new(Memory)
	add(t, opened(t, m), entries(0, 3)...)
	a := auditorOf(t, m)
	if err := a.Follow(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	state := a.State()
	for n := range state {
		if _, err := LoadAuditor(state[:n], origin, a.keys, a.fetch); !errors.Is(err, ErrState) && !errors.Is(err, ErrCheckpoint) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	if _, err := LoadAuditor(append(state, 0), origin, a.keys, a.fetch); !errors.Is(err, ErrState) {
		t.Errorf("%v", err)
	}
	last := len(state) - 56 // what is remembered of one match
	for name, f := range map[string]func(b []byte) []byte{
		"twice the same match":  func(b []byte) []byte { return append(b[:last], b[last-56:last]...) },
		"a number beyond all":   func(b []byte) []byte { b[last+16+7] = 3; return b },
		"a number that is none": func(b []byte) []byte { b[last+16] = 0x80; return b },
		"one match less":        func(b []byte) []byte { return b[:last] },
		"another format":        func(b []byte) []byte { b[len(stateMagic)-2]++; return b },
		"a note of 4 GB":        func(b []byte) []byte { return append(b[:len(stateMagic)], 0xff, 0xff, 0xff, 0xff, 0) },
	} {
		if _, err := LoadAuditor(f(bytes.Clone(state)), origin, a.keys, a.fetch); !errors.Is(err, ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LoadAuditor(state, "another", a.keys, a.fetch); !errors.Is(err, ErrCheckpoint) {
		t.Errorf("%v", err)
	}
	fresh := auditorOf(t, m)
	if b, err := LoadAuditor(fresh.State(), origin, a.keys, a.fetch); err != nil || b.Seen().Size != 0 {
		t.Errorf("who has seen nothing: %v", err)
	}
}

// TestHTTP follows a log over a server of files, which anything could be.
func TestHTTP(t *testing.T) {
	m := new(Memory)
	add(t, opened(t, m), entries(0, 300)...)
	serve := func(w http.ResponseWriter, r *http.Request) {
		b, err := m.Read(r.Context(), strings.TrimPrefix(r.URL.Path, "/log/"))
		if errors.Is(err, fs.ErrNotExist) {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(b)
	}
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	a := auditorOf(t, m)
	a.fetch = HTTP(server.Client(), server.URL+"/log/")
	if err := a.Follow(t.Context(), nil); err != nil || a.Seen().Size != 300 {
		t.Fatal(err)
	}
	if _, err := a.fetch(t.Context(), "tile/9/000"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	huge := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/500" {
			w.WriteHeader(500)
			return
		}
		for range 100 {
			fmt.Fprint(w, strings.Repeat("x", maxFile/50))
		}
	}))
	defer huge.Close()
	for path, want := range map[string]string{"checkpoint": "too long", "500": "status 500"} {
		if _, err := HTTP(huge.Client(), huge.URL)(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := HTTP(nil, server.URL)(gone, "checkpoint"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := HTTP(nil, ":")(t.Context(), "checkpoint"); err == nil {
		t.Error("no URL")
	}
	http.DefaultClient.CloseIdleConnections()
}
