package translog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

// TestLogAgainstNaive adds batches of any size, closing and opening the log in
// between, and compares root, numbers and every proof with the definitions.
func TestLogAgainstNaive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		storage := new(Memory)
		l := opened(t, storage)
		var all []Entry
		var seen []*Checkpoint
		for range rapid.IntRange(1, 8).Draw(rt, "batches") {
			n := rapid.SampledFrom([]int{0, 1, 2, 3, 7, 100, 255, 256, 257}).Draw(rt, "batch")
			batch := entries(len(all), len(all)+n)
			for i, number := range add(t, l, batch...) {
				if number != int64(len(all)+i) {
					rt.Fatalf("entry %d got number %d", len(all)+i, number)
				}
			}
			all = append(all, batch...)
			if rapid.Bool().Draw(rt, "reopen") {
				l = opened(t, storage)
			}
			c := newest(t, l)
			if c.Size != int64(len(all)) || c.Root != naiveRoot(all) {
				rt.Fatalf("%d entries, root %x", c.Size, c.Root)
			}
			seen = append(seen, c)
		}
		now := seen[len(seen)-1]
		for _, old := range seen {
			if old.Size == 0 {
				continue
			}
			p, c, err := l.Consistency(t.Context(), old.Size)
			if err != nil || c.Size != now.Size {
				rt.Fatal(err)
			}
			if err := CheckConsistency(p, old, c); err != nil {
				rt.Fatal(err)
			}
			forged := *old
			forged.Root[3] ^= 1
			if err := CheckConsistency(p, &forged, c); !errors.Is(err, ErrProof) {
				rt.Fatal(err)
			}
		}
		if len(all) == 0 {
			return
		}
		for _, i := range []int{0, len(all) - 1, rapid.IntRange(0, len(all)-1).Draw(rt, "entry")} {
			n, e, err := l.Find(t.Context(), all[i].Match)
			if err != nil || n != int64(i) || e != all[i] {
				rt.Fatal(n, e, err)
			}
			p, c, err := l.Inclusion(t.Context(), n)
			if err != nil {
				rt.Fatal(err)
			}
			if err := CheckInclusion(p, c, n, &e); err != nil {
				rt.Fatal(err)
			}
			for _, wrong := range []error{
				CheckInclusion(p, c, n+1, &e), CheckInclusion(p, c, -1, &e), CheckInclusion(append(p, [32]byte{}), c, n, &e),
				CheckInclusion(p, c, n, &Entry{Match: e.Match, Events: e.Events + 1, Head: e.Head, Root: e.Root}),
			} {
				if !errors.Is(wrong, ErrProof) {
					rt.Fatalf("entry %d: %v", i, wrong)
				}
			}
		}
	})
}

func TestAdd(t *testing.T) {
	l := opened(t, new(Memory))
	add(t, l, entries(0, 5)...)
	c := newest(t, l)
	if got := add(t, l, entry(3), entry(5), entry(5), entry(0)); !slices.Equal(got, []int64{3, 5, 5, 0}) {
		t.Errorf("%v", got)
	}
	if got := add(t, l, entries(0, 6)...); !slices.Equal(got, []int64{0, 1, 2, 3, 4, 5}) || newest(t, l).Size != 6 {
		t.Errorf("again: %v", got)
	}
	for name, bad := range map[string][]Entry{
		"another record":         {entry(9), entry(3, 'x')},
		"two records in a batch": {entry(9), entry(9, 'x')},
		"no id":                  {entry(9), {Match: "a b", Events: 1}},
		"too many":               entries(1000, 1000+MaxBatch+1),
	} {
		if _, err := l.Add(t.Context(), bad...); err == nil || strings.Contains(name, "record") != errors.Is(err, ErrDuplicate) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now := newest(t, l); now.Size != 6 || c.Size != 5 {
		t.Errorf("a batch that was refused left %d entries", now.Size)
	}
	for _, id := range []string{"m:9", "", "../checkpoint", "a/b", strings.Repeat("x", 200)} {
		if _, _, err := l.Find(t.Context(), id); !errors.Is(err, ErrNotLogged) {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, n := range []int64{-1, 6} {
		if _, _, err := l.Inclusion(t.Context(), n); !errors.Is(err, ErrNotLogged) {
			t.Errorf("number %d: %v", n, err)
		}
	}
	for _, n := range []int64{0, 7} {
		if _, _, err := l.Consistency(t.Context(), n); !errors.Is(err, ErrNotLogged) {
			t.Errorf("size %d: %v", n, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	<-l.turn // somebody else is writing
	cancel()
	if _, err := l.Add(gone, entry(7)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	l.turn <- struct{}{}
}

// TestBreaks lets the storage break at each of its writes, before it or after: the
// log is then what it was or what it was to become, and adding again completes it.
func TestBreaks(t *testing.T) {
	batches := []int{1, 3, 252, 1, 2, 300}
	whole := 0
	for _, n := range batches {
		whole += n
	}
	want := naiveRoot(entries(0, whole))
	for _, done := range []bool{false, true} {
		broke := 0
		for at := 2; ; at++ {
			storage := &breaking{done: done}
			l := opened(t, storage)
			storage.left = at
			failed := false
			n := 0
			for _, size := range batches {
				batch := entries(n, n+size)
				_, err := l.Add(t.Context(), batch...)
				if err != nil {
					if !errors.Is(err, errBroken) {
						t.Fatal(err)
					}
					failed = true
					broke++
					if at%2 == 0 { // another process goes on
						l = opened(t, storage)
					}
					if c := newest(t, l); c.Size != int64(n) && c.Size != int64(n+size) || c.Root != naiveRoot(entries(0, int(c.Size))) {
						t.Fatalf("write %d: %d entries after %d and %d", at, c.Size, n, size)
					}
					add(t, l, batch...)
				}
				n += size
			}
			if c := newest(t, l); c.Size != int64(whole) || c.Root != want {
				t.Fatalf("write %d: %d entries, root %x", at, c.Size, c.Root)
			}
			if !failed {
				break
			}
		}
		if broke < 5 {
			t.Errorf("it broke %d times", broke)
		}
	}
}

// TestBreaksBlind lets the storage break at the checkpoint, and at reads after it:
// whichever checkpoint is there, no other of its size is ever signed.
func TestBreaksBlind(t *testing.T) {
	for _, done := range []bool{false, true} {
		for blind := range 8 {
			storage := &breaking{done: done}
			l := opened(t, storage)
			add(t, l, entries(0, 5)...)
			storage.left, storage.blind = 3, blind // bundle, tile, checkpoint
			if _, err := l.Add(t.Context(), entries(5, 9)...); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			a := auditorOf(t, &storage.Memory) // for whom the disk is good
			if err := a.Follow(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			want := int64(5)
			if done {
				want = 9
			}
			if a.Seen().Size != want {
				t.Fatalf("%d entries are stored", a.Seen().Size)
			}
			storage.left = 0
			other := []Entry{entry(100), entry(101), entry(102), entry(103), entry(6)}
			for try := 0; ; try++ {
				_, err := l.Add(t.Context(), other...)
				if err == nil {
					break
				}
				if !errors.Is(err, errBroken) || try > blind {
					t.Fatalf("done %v, %d reads break, again %d: %v", done, blind, try, err)
				}
			}
			if err := a.Follow(t.Context(), nil); err != nil {
				t.Fatalf("done %v, %d reads break: %v", done, blind, err)
			}
			if n, e, err := l.Find(t.Context(), "m:6"); err != nil || e != entry(6) || done && n != 6 {
				t.Fatal(n, e, err)
			}
		}
	}
}

// TestSignersWithoutKey: who could not open what would be signed signs nothing.
func TestSignersWithoutKey(t *testing.T) {
	signer, key := signerOf(t, origin, 1)
	other, stranger := signerOf(t, origin, 2)
	many := []note.Signer{signer}
	for i := range 20 {
		s, _ := signerOf(t, fmt.Sprintf("witness-%d.example/%s", i, strings.Repeat("w", maxNote/20)), byte(i))
		many = append(many, s)
	}
	for name, o := range map[string]Options{
		"another key":     {Signers: []note.Signer{signer}, Key: stranger},
		"another signer":  {Signers: []note.Signer{other}, Key: key},
		"too many to fit": {Signers: many, Key: key},
	} {
		m := new(Memory)
		o.Origin, o.Storage = origin, m
		if _, err := Open(t.Context(), o); !errors.Is(err, ErrCheckpoint) || len(m.files) > 0 {
			t.Errorf("%s: %v, %d files", name, err, len(m.files))
		}
	}
	m := new(Memory)
	if _, err := Open(t.Context(), Options{Origin: origin, Signers: []note.Signer{other, signer}, Key: key, Storage: m}); err != nil {
		t.Error(err)
	}
	opened(t, m)
	for _, bad := range []string{"", "a b", "a+b", "a\nb", "a\xffb", "a\ufffdb", "a\u202eb", "a\u200bb", strings.Repeat("x", 129)} {
		if _, err := Open(t.Context(), Options{Origin: bad, Signers: []note.Signer{signer}, Key: key, Storage: m}); err == nil || !strings.Contains(err.Error(), "Origin") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestDamaged: a log does not open on files that are not what was signed.
func TestDamaged(t *testing.T) {
	signer, key := signerOf(t, origin, 1)
	_, stranger := signerOf(t, origin, 2)
	good := new(Memory)
	add(t, opened(t, good), entries(0, 300)...)
	o := Options{Origin: origin, Signers: []note.Signer{signer}, Key: key}
	for name, f := range map[string]func(*Memory, *Options){
		"checkpoint changed": func(m *Memory, _ *Options) { m.files["checkpoint"][len(origin)+2] ^= 1 },
		"checkpoint cut":     func(m *Memory, _ *Options) { m.files["checkpoint"] = m.files["checkpoint"][:40] },
		"another key":        func(_ *Memory, o *Options) { o.Key = stranger },
		"another log":        func(_ *Memory, o *Options) { o.Origin = "arena.example/others" },
		"tile changed":       func(m *Memory, _ *Options) { m.files["tile/1/000.p/1"][5] ^= 1 },
		"tile gone":          func(m *Memory, _ *Options) { delete(m.files, "tile/0/001.p/44") },
		"tile cut":           func(m *Memory, _ *Options) { m.files["tile/0/001.p/44"] = m.files["tile/0/001.p/44"][:32] },
	} {
		m, x := copied(good), o
		x.Storage = m
		f(m, &x)
		if _, err := Open(t.Context(), x); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamagedTwice: a log does not open on two records of one match, though they are signed.
func TestDamagedTwice(t *testing.T) {
	for _, twin := range []int{100, 101} { // in the same bundle as the first, and in the next
		m := new(Memory)
		l := opened(t, m)
		add(t, l, entries(0, 200)...)
		if twin == 101 {
			add(t, l, entries(200, 300)...)
		}
		delete(l.index, knownAs(entry(twin).Match))
		add(t, l, entry(twin, 'x'))
		signer, key := signerOf(t, origin, 1)
		_, err := Open(t.Context(), Options{Origin: origin, Signers: []note.Signer{signer}, Key: key, Storage: m})
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), fmt.Sprintf("m:%d", twin)) {
			t.Errorf("%v", err)
		}
	}
}

// TestRolledBack: a log whose storage forgot what was signed does not go on from there.
func TestRolledBack(t *testing.T) {
	for _, to := range []int{3, 5} { // fewer entries, and as many of others
		storage := &breaking{}
		l := opened(t, storage)
		add(t, l, entries(0, 5)...)
		other := new(Memory)
		add(t, opened(t, other), append(entries(0, 2), entries(50, 50+to-2)...)...)
		storage.left, storage.blind = 3, 1
		if _, err := l.Add(t.Context(), entry(5)); !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
		storage.files = other.files
		for range 2 {
			if _, err := l.Add(t.Context(), entry(6)); !errors.Is(err, ErrDamaged) {
				t.Errorf("back to %d entries: %v", to, err)
			}
		}
		if c := newest(t, l); c.Size != 5 || !bytes.Equal(storage.files["checkpoint"], other.files["checkpoint"]) {
			t.Errorf("it went on: %d entries", c.Size)
		}
	}
}

// TestOpenCheckpoint: what is no checkpoint of the log is refused, signed or not.
func TestOpenCheckpoint(t *testing.T) {
	signer, key := signerOf(t, origin, 1)
	const root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	for text, ok := range map[string]bool{
		origin + "\n0\n" + root + "\n":                                       true,
		origin + "\n5\n" + root + "\n":                                       true,
		origin + "\n5\n" + root + "\nan extension\nand another\n":            true, // C2SP tlog-checkpoint allows them
		origin + "\n281474976710656\n" + root + "\n":                         true,
		origin + "\n281474976710657\n" + root + "\n":                         false,
		origin + "\n05\n" + root + "\n":                                      false,
		origin + "\n+5\n" + root + "\n":                                      false,
		origin + "\n-0\n" + root + "\n":                                      false,
		origin + "\n-5\n" + root + "\n":                                      false,
		origin + "\n\n" + root + "\n":                                        false,
		origin + "\n18446744073709551621\n" + root + "\n":                    false,
		origin + "\n5\n" + root[:42] + "V=\n":                                false, // other bits that mean nothing
		origin + "\n5\n" + root[:43] + "\n":                                  false,
		origin + "\n5\n" + root[:40] + "\n":                                  false,
		origin + "\n5\nAAAA" + root + "\n":                                   false,
		origin + "\n5\n":                                                     false,
		origin + "/more\n5\n" + root + "\n":                                  false,
		origin + " \n5\n" + root + "\n":                                      false,
		origin + "\n5\n" + root + "\n" + strings.Repeat("x", maxNote) + "\n": false,
	} {
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			t.Fatal(err)
		}
		c, err := OpenCheckpoint(signed, origin, note.VerifierList(key))
		if ok != (err == nil) || !ok && !errors.Is(err, ErrCheckpoint) || ok && !bytes.Equal(c.Note, signed) {
			t.Errorf("%.80q: %v", text, err)
		}
	}
	for _, b := range []string{"", "\n", "\n\n", origin, origin + "\n0\n" + root + "\n\n— " + origin + " AAAA\n"} {
		if _, err := OpenCheckpoint([]byte(b), origin, note.VerifierList(key)); !errors.Is(err, ErrCheckpoint) {
			t.Errorf("%q: %v", b, err)
		}
	}
}

func copied(m *Memory) *Memory {
	c := &Memory{files: map[string][]byte{}}
	for k, v := range m.files {
		c.files[k] = bytes.Clone(v)
	}
	return c
}

func TestOptions(t *testing.T) {
	_, err := Open(t.Context(), Options{Origin: "a b", Signers: []note.Signer{nil}})
	for _, field := range []string{"Origin", "Signers", "Key", "Storage"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("nothing about %s: %v", field, err)
		}
	}
	if _, err := NoteSigner("a b", keyOf(1)); err == nil {
		t.Error("a name with a space")
	}
	if _, err := NoteSigner("a", nil); err == nil {
		t.Error("no key")
	}
	if _, err := NoteVerifier("a", nil); err == nil {
		t.Error("no public key")
	}
}

// TestLayout reads a log as any client of C2SP tlog-tiles does: by its paths, with
// nothing of ours but the hash of a leaf.
func TestLayout(t *testing.T) {
	m := new(Memory)
	l := opened(t, m)
	const size = 256*3 + 7
	add(t, l, entries(0, 5)...)
	add(t, l, entries(5, size)...)
	for path, bytes := range map[string]int{
		"tile/0/000": 256 * 32, "tile/0/002": 256 * 32, "tile/0/003.p/7": 7 * 32, "tile/1/000.p/3": 3 * 32, "tile/0/000.p/5": 5 * 32,
	} {
		if got := len(m.files[path]); got != bytes {
			t.Errorf("%s: %d bytes, not %d", path, got, bytes)
		}
	}
	n := 0
	for _, path := range []string{"tile/entries/000", "tile/entries/001", "tile/entries/002", "tile/entries/003.p/7"} {
		b := m.files[path]
		for len(b) > 0 {
			length := int(b[0])<<8 | int(b[1])
			want := entry(n)
			if string(b[2:2+length]) != string(want.Append(nil)) {
				t.Fatalf("%s, entry %d: %s", path, n, b[2:2+length])
			}
			leaf := referee.LeafHash(b[2 : 2+length])
			tile := m.files[fmt.Sprintf("tile/0/%03d", n/256)]
			if n/256 == 3 {
				tile = m.files["tile/0/003.p/7"]
			}
			if !bytes.Equal(tile[n%256*32:][:32], leaf[:]) {
				t.Fatalf("entry %d: another hash", n)
			}
			b = b[2+length:]
			n++
		}
	}
	if n != size {
		t.Errorf("%d entries", n)
	}
	lines := strings.Split(string(m.files["checkpoint"]), "\n")
	if lines[0] != origin || lines[1] != "775" || lines[3] != "" || !strings.HasPrefix(lines[4], "— "+origin+" ") {
		t.Errorf("%q", lines)
	}
	for path, want := range map[string]tlog.Tile{
		"tile/0/x001/x234/067":     {H: 8, L: 0, N: 1234067, W: 256},
		"tile/2/x001/234.p/8":      {H: 8, L: 2, N: 1234, W: 8},
		"tile/entries/x003/000":    {H: 8, L: -1, N: 3000, W: 256},
		"tile/entries/000.p/255":   {H: 8, L: -1, N: 0, W: 255},
		"tile/10/999":              {H: 8, L: 10, N: 999, W: 256},
		"tile/0/x999/x999/999.p/1": {H: 8, L: 0, N: 999999999, W: 1},
	} {
		got, ok := parseTilePath(path)
		if !ok || got != want || tilePath(want) != path {
			t.Errorf("%s: %+v %v %s", path, got, ok, tilePath(want))
		}
	}
	for _, bad := range []string{"", "tile", "tile/0", "tile/0/1", "tile/0/0001", "tile/-1/000", "tile/0/x000/001", "tile/0/000.p/256", "tile/0/000.p/0", "tile/0/000.p", "tile/0/000/", "tile/x/000",
		"/tile/0/000", "tile/0/../000", "tile/0/+00", "tile/00/000", "tile/0/000.p/07", "checkpoint", "tile/0/x999/x999/x999/x999/x999/x999/999", strings.Repeat("tile/", 99)} {
		if got, ok := parseTilePath(bad); ok {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

// TestWithin: which tiles a log has, numbers beyond all reason among those that it has not.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		tile tlog.Tile
		size int64
		want bool
	}{
		{tlog.Tile{W: 7}, 7, true}, {tlog.Tile{W: 7}, 6, false}, {tlog.Tile{L: -1, N: 1, W: 256}, 512, true}, {tlog.Tile{L: 1, W: 1}, 256, true}, {tlog.Tile{L: 1, W: 1}, 255, false},
		{tlog.Tile{N: 1 << 56, W: 1}, 1, false}, {tlog.Tile{N: 999_999_999_999_999_999, W: 256}, maxSize, false}, {tlog.Tile{L: 1 << 30, W: 1}, maxSize, false},
	} {
		if got := within(c.tile, c.size); got != c.want {
			t.Errorf("%+v of %d: %v", c.tile, c.size, got)
		}
	}
}

// FuzzParseEntry: what is read gives the same bytes.
func FuzzParseEntry(f *testing.F) {
	seeds := 0
	for n := range 4 {
		e := entry(n)
		f.Add(e.Append(nil))
		seeds++
	}
	f.Add([]byte(`{}`))
	if seeds == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := ParseEntry(b)
		if err != nil {
			if !errors.Is(err, ErrEntry) {
				t.Fatal(err)
			}
			return
		}
		if again := e.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("%s\n%s", b, again)
		}
	})
}

// FuzzOpenCheckpoint signs any text, and looks at what is made of it.
func FuzzOpenCheckpoint(f *testing.F) {
	signer, key := signerOf(f, origin, 1)
	seeds := []string{origin + "\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n", origin + "\n12\nAAAA\n", "x\n1\n", origin + "\n-1\n"}
	for _, s := range seeds {
		f.Add(s)
	}
	if len(seeds) == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, text string) {
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			return
		}
		c, err := OpenCheckpoint(signed, origin, note.VerifierList(key))
		if err != nil {
			if !errors.Is(err, ErrCheckpoint) {
				t.Fatal(err)
			}
			return
		}
		if !strings.HasPrefix(text, c.text()) {
			t.Fatalf("%q is read as %q", text, c.text())
		}
	})
}
