package filelog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay/filelog"
)

// first begins as a record does; what follows is not judged by a log.
const first = `{"k":"start","v":1}`

func lines(s ...string) [][]byte {
	var out [][]byte
	for _, l := range s {
		out = append(out, []byte(l))
	}
	return out
}

func open(t testing.TB, path string, o filelog.Options) *filelog.Log {
	t.Helper()
	l, err := filelog.OpenFile(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func contents(t testing.TB, seq iter.Seq2[[]byte, error]) []string {
	t.Helper()
	out := []string{}
	for line, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(line))
	}
	return out
}

// TestModel does random things to several logs of one file, and to one in
// memory, which must stay the same.
func TestModel(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n, ".jsonl"))
		model := new(referee.Memory)
		torn := int64(0)
		o := filelog.Options{NoSync: true, Torn: func(p string, bytes int64) { torn += bytes }}
		logs := []*filelog.Log{open(t, path, o), open(t, path, o)}
		length, left := int64(0), int64(0)
		for range rapid.IntRange(1, 40).Draw(r, "steps") {
			l := logs[rapid.IntRange(0, len(logs)-1).Draw(r, "log")]
			switch rapid.IntRange(0, 6).Draw(r, "what") {
			case 0, 1, 2:
				var batch [][]byte
				for range rapid.IntRange(0, 40).Draw(r, "batch") {
					batch = append(batch, []byte(first+strings.Repeat("x", rapid.SampledFrom([]int{0, 1, 90, 5000}).Draw(r, "length"))))
				}
				at := length
				if rapid.IntRange(0, 3).Draw(r, "wrong") == 0 {
					at += int64(rapid.IntRange(-2, 2).Draw(r, "by"))
				}
				got, want := l.Append(t.Context(), at, batch), model.Append(t.Context(), at, batch)
				if errors.Is(got, referee.ErrFenced) != errors.Is(want, referee.ErrFenced) || (got == nil) != (want == nil) {
					r.Fatalf("append at %d of %d: %v, want %v", at, length, got, want)
				}
				if got == nil {
					length += int64(len(batch))
				}
			case 3:
				logs = append(logs, open(t, path, o))
			case 4: // a writer dies in the middle of a line
				if length > 0 {
					f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
					if err != nil {
						t.Fatal(err)
					}
					k, err := f.WriteString(strings.Repeat("y", rapid.IntRange(1, 9000).Draw(r, "torn")))
					if err != nil || f.Close() != nil {
						t.Fatal(err)
					}
					left += int64(k)
				}
			default:
				from := int64(rapid.IntRange(-1, int(length)+2).Draw(r, "from"))
				if d := cmp.Diff(contents(t, model.Read(t.Context(), from)), contents(t, l.Read(t.Context(), from))); d != "" {
					r.Fatalf("read from %d of %d:\n%s", from, length, d)
				}
			}
		}
		last := open(t, path, o)
		if b, err := os.ReadFile(path); err != nil && length > 0 || !bytes.Equal(b, model.Bytes()) {
			r.Fatalf("the file has %d bytes, want %d (%v)", len(b), len(model.Bytes()), err)
		}
		if torn != left {
			r.Fatalf("%d torn bytes reported, there were %d", torn, left)
		}
		if d := cmp.Diff(contents(t, model.Read(t.Context(), 0)), contents(t, last.Read(t.Context(), 0))); d != "" {
			r.Fatal(d)
		}
	})
}

// TestAppendRace has logs of one file compete for each position: one gets it.
func TestAppendRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "race.jsonl")
	const racers, positions = 8, 30
	won := make([]int, racers)
	var wg sync.WaitGroup
	for i := range racers {
		l := open(t, path, filelog.Options{NoSync: true})
		wg.Go(func() {
			for at := int64(0); at < positions; at++ {
				switch err := l.Append(t.Context(), at, lines(first+fmt.Sprint(i))); {
				case err == nil:
					won[i]++
				case !errors.Is(err, referee.ErrFenced):
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, n := range won {
		sum += n
	}
	if got := contents(t, open(t, path, filelog.Options{}).Read(t.Context(), 0)); len(got) != positions || sum != positions {
		t.Fatalf("%d lines, %d appends that succeeded, want %d", len(got), sum, positions)
	}
}

func TestFence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fence.jsonl")
	a := open(t, path, filelog.Options{})
	if err := a.Append(t.Context(), 0, lines(first, "1")); err != nil {
		t.Fatal(err)
	}
	b := open(t, path, filelog.Options{})
	if err := b.Append(t.Context(), 2, lines("resume")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{2, 0, 4, -1} {
		if err := a.Append(t.Context(), at, lines("2")); !errors.Is(err, referee.ErrFenced) {
			t.Errorf("at %d: %v", at, err)
		}
	}
	if err := a.Append(t.Context(), 3, nil); err != nil {
		t.Error(err) // nothing, at the right place
	}
	if d := cmp.Diff([]string{first, "1", "resume"}, contents(t, a.Read(t.Context(), 0))); d != "" {
		t.Error(d)
	}
}

func TestAppendRefusesLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	l := open(t, path, filelog.Options{})
	for name, bad := range map[string]string{"empty": "", "newline": "a\nb", "too long": strings.Repeat("x", referee.MaxLine+1)} {
		if err := l.Append(t.Context(), 0, lines(first, bad)); err == nil || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a refused batch left something: %v", err)
	}
	if err := l.Append(t.Context(), 0, lines(first, strings.Repeat("x", referee.MaxLine))); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, l.Read(t.Context(), 1)); len(got) != 1 || len(got[0]) != referee.MaxLine {
		t.Fatal(len(got))
	}
}

// TestNotARecord refuses files that hold something else, and leaves them alone.
func TestNotARecord(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"letter":   "Dear Ann,\nthis has no newline at its end",
		"one line": "x",
		"zeros":    "\x00\x00\x00",
		"json":     `{"k":"move"}` + "\n",
		"newline":  "\n",
		"almost":   `{"k":"starT"`,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := filelog.OpenFile(t.Context(), path, filelog.Options{}); l != nil || !errors.Is(err, filelog.ErrNotRecord) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%s was changed: %q, %v", name, b, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "letter", "x"), os.DevNull} {
		if l, err := filelog.OpenFile(t.Context(), path, filelog.Options{}); l != nil || err == nil {
			t.Errorf("%s: opened", path)
		}
	}
	l := open(t, filepath.Join(dir, "missing", "x.jsonl"), filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a directory that is not there: %v", err)
	}
	if got := contents(t, l.Read(t.Context(), 0)); len(got) != 0 {
		t.Error(got)
	}
}

// TestShrunk: a file that somebody cut, or took away, is looked at anew.
func TestShrunk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shrunk.jsonl")
	l := open(t, path, filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first, "1", "2")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(first)+3)); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 3, lines("3")); !errors.Is(err, referee.ErrFenced) {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 2, lines("2b")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 3, lines("3")); !errors.Is(err, referee.ErrFenced) {
		t.Fatal(err)
	}
	if err := l.Append(t.Context(), 0, lines(first)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{first}, contents(t, l.Read(t.Context(), 0))); d != "" {
		t.Fatal(d)
	}
}

func TestReadStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read.jsonl")
	l := open(t, path, filelog.Options{})
	if err := l.Append(t.Context(), 0, lines(first, "1", "2", "3")); err != nil {
		t.Fatal(err)
	}
	for line, err := range l.Read(t.Context(), 2) {
		if err != nil || string(line) != "2" {
			t.Fatalf("%s %v", line, err)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range l.Read(ctx, 0) {
		if n++; n == 2 {
			cancel()
		}
		if n <= 2 && err != nil || n == 3 && !errors.Is(err, context.Canceled) || n > 3 {
			t.Fatalf("line %d: %v", n, err)
		}
	}
	if n != 3 {
		t.Fatal(n)
	}
	for _, err := range l.Read(ctx, 0) {
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(first+"\n"+strings.Repeat("x", referee.MaxLine+1)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range l.Read(t.Context(), 0) {
		last = err
	}
	if !errors.Is(last, filelog.ErrNotRecord) {
		t.Fatal(last)
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "ctx.jsonl")
	if _, err := filelog.OpenFile(ctx, path, filelog.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	l := open(t, path, filelog.Options{})
	if err := l.Append(ctx, 0, lines(first)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("something was written")
	}
}

func BenchmarkAppend(b *testing.B) {
	l := open(b, filepath.Join(b.TempDir(), "bench.jsonl"), filelog.Options{NoSync: true})
	batch := lines(first + strings.Repeat("x", 80))
	b.ReportAllocs()
	n := int64(0)
	for b.Loop() {
		if err := l.Append(b.Context(), n, batch); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}
