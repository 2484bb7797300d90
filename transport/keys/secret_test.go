package keys

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// seat fails unless an agent can have a seat in a match.
func seat(t *testing.T, a referee.Agent) {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := referee.New(referee.Setup{ID: "m", Table: table, Seats: []referee.SeatInfo{{Agent: a}, {}}}); err != nil {
		t.Error(err)
	}
}

// counting fails a test that looks a key up.
type counting struct {
	Store
	finds int
}

func (c *counting) Find(ctx context.Context, hash [32]byte) (Entry, error) {
	c.finds++
	return c.Store.Find(ctx, hash)
}

// TestTypos: no change of a single character, no cut and no addition gets as far as the store.
func TestTypos(t *testing.T) {
	s := &counting{Store: new(Memory)}
	r := ring(t, s, Options{Prefix: "lcb_", Rand: seeded(2)})
	key, _ := issue(t, r, play("ann"))
	for i := range len(key) {
		for _, c := range []byte("0z9_-A\x00\xff") {
			typo := key[:i] + string(rune(c)) + key[i+1:]
			if key[i] == c {
				continue
			}
			refused(t, r, typo, typo)
		}
		refused(t, r, key[:i], "cut")
		if i > 0 && key[i-1] != key[i] {
			refused(t, r, key[:i-1]+key[i:i+1]+key[i-1:i]+key[i+1:], "swapped")
		}
	}
	for _, bad := range []string{"", "lcb_", key + "0", " " + key, key + "\n", strings.ToUpper(key), "ak_" + key[4:], strings.Repeat("x", transport.MaxKey)} {
		refused(t, r, bad, bad)
	}
	if s.finds != 0 {
		t.Errorf("%d look-ups", s.finds)
	}
	// Of the right form, and nobody's.
	stranger, err := newSecret(seeded(3), "lcb_")
	if err != nil {
		t.Fatal(err)
	}
	refused(t, r, stranger.Reveal(), "a stranger's")
	accepted(t, r, key, &transport.Grant{Agent: referee.Agent{Slug: "ann"}, Account: "ann", Key: must(r.List(t.Context(), ""))[0].ID, Scopes: []string{"play"}})
	if s.finds != 2 {
		t.Errorf("%d look-ups", s.finds)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestNothingTells looks for keys, and the random part of them, in all that could be printed, and in all files.
func TestNothingTells(t *testing.T) {
	dir := t.TempDir()
	r := ring(t, openFile(t, filepath.Join(dir, "keys")), Options{Prefix: "lcb_", PerAccount: 1})
	secret, info, err := r.Issue(t.Context(), play("ann"))
	if err != nil {
		t.Fatal(err)
	}
	key := secret.Reveal()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	text := slog.New(slog.NewTextHandler(&out, nil))
	for _, l := range []*slog.Logger{log, text} {
		l.Info("issued", "key", secret, "info", info, "ring", r, "nested", []any{secret})
	}
	fmt.Fprintf(&out, "%v %+v %#v %s %q %x %d %p %v %#v", secret, secret, secret, secret, secret, secret, secret, &secret, []Secret{secret}, struct{ S Secret }{secret})
	fmt.Fprintf(&out, "%+v %#v %+v %#v", info, info, r, r.store)
	out.Write(must(json.Marshal(map[string]any{"secret": secret, "info": info, "list": must(r.List(t.Context(), ""))})))
	typo := key[:len(key)-1] + "0"
	if typo == key {
		typo = key[:len(key)-1] + "1"
	}
	for _, k := range []string{typo, key + "x", key[4:]} {
		_, err := r.Authenticate(t.Context(), k)
		fmt.Fprintf(&out, "%v %+v", err, err)
	}
	_, _, err = r.Issue(t.Context(), play("ann"))
	fmt.Fprint(&out, err, r.Revoke(t.Context(), key), r.Revoke(t.Context(), info.ID))
	_, err = r.Authenticate(t.Context(), key)
	fmt.Fprint(&out, err)
	files := must(os.ReadDir(dir))
	for _, f := range files {
		out.Write(must(os.ReadFile(filepath.Join(dir, f.Name()))))
	}
	if len(files) != 2 || !strings.Contains(out.String(), redacted) || !strings.Contains(out.String(), info.ID) {
		t.Errorf("%d files, %s", len(files), out.String())
	}
	for at := 4; at+12 <= len(key); at++ {
		if part := key[at : at+12]; strings.Contains(out.String(), part) || strings.Contains(out.String(), fmt.Sprintf("%x", part)) {
			t.Fatalf("%q is told in\n%s", part, out.String())
		}
	}
}

// TestRandom: what cannot be drawn is not issued, and what repeats itself neither.
func TestRandom(t *testing.T) {
	broken := errors.New("no entropy")
	r := ring(t, new(Memory), Options{Rand: iotest.ErrReader(broken)})
	if secret, _, err := r.Issue(t.Context(), play("ann")); !errors.Is(err, broken) || secret != (Secret{}) {
		t.Error(secret, err)
	}
	r = ring(t, new(Memory), Options{Rand: zeros{}})
	issue(t, r, play("ann"))
	if secret, _, err := r.Issue(t.Context(), play("bob")); err == nil || secret != (Secret{}) {
		t.Error(secret, err)
	}
	if list := must(r.List(t.Context(), "")); len(list) != 1 {
		t.Errorf("%+v", list)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestDraws: each character of each place comes up, and keys of one ring differ.
func TestDraws(t *testing.T) {
	seen := map[string]bool{}
	var counts [body][32]int
	random := io.Reader(seeded(9))
	for range 2000 {
		s, err := newSecret(random, "k_")
		if err != nil || seen[s.text] || parse(s.text, "k_") != nil {
			t.Fatal(s.text, err)
		}
		seen[s.text] = true
		for i := range body {
			counts[i][strings.IndexByte(alphabet, s.text[2+i])]++
		}
	}
	for i := range counts {
		for c, n := range counts[i] {
			if n < 20 || n > 130 { // 62.5 expected, with a deviation of 7.8
				t.Errorf("place %d has %c %d times", i, alphabet[c], n)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	good := must(newSecret(seeded(1), "ak_")).text
	for _, seed := range []string{good, good[:len(good)-1], "ak_", "", "lcb_" + good[3:], good + "0", strings.Repeat("0", 51)} {
		f.Add(seed)
	}
	r, err := New(new(Memory), Options{Rand: seeded(1)})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if err := parse(key, "ak_"); err == nil && (len(key) != 51 || checksum(key[:43]) != key[43:]) {
			t.Errorf("%q is a key", key)
		} else if err != nil && key == good {
			t.Error(err)
		}
		if _, err := r.Authenticate(t.Context(), key); !errors.Is(err, transport.ErrKey) || len(key) > 8 && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	})
}
