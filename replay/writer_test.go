package replay_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// records gives one of each kind by name.
func records(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"connect-four": played(t, setup(t, connectfour.New(), "c4"), true),
		"kuhn":         played(t, setup(t, game.New(kuhn{}), "k"), true),
		"oracle":       played(t, setup(t, game.New(oracle{}), "o"), false),
		"eventful":     eventful(t, "e").record(true),
		"unsealed":     eventful(t, "u").record(false),
	}
}

// read gives the events of a record, which must be good as far as it goes.
func read(t testing.TB, record []byte) (events []referee.Event, sealed bool) {
	t.Helper()
	for line, err := range replay.NewReader(bytes.NewReader(record)).All() {
		if err != nil {
			t.Fatal(err)
		}
		if line.Seal != nil {
			sealed = true
		} else {
			events = append(events, line.Event)
		}
	}
	return events, sealed
}

func TestParseThenWrite(t *testing.T) {
	for name, record := range records(t) {
		events, sealed := read(t, record)
		if again := write(t, events, sealed); !bytes.Equal(again, record) {
			t.Errorf("%s: %s", name, cmp.Diff(string(record), string(again)))
		}
	}
}

// TestReaderSlowly gets one byte at a time, and lines longer than any buffer.
func TestReaderSlowly(t *testing.T) {
	x := begin(t, setup(t, connectfour.New(), "long"))
	for i, n := range []int{1, 4000, 8100, 8192, 40, 4096, 7} {
		x.answer(100, game.Seat(i%2), referee.Answer{Action: game.Action([]string{"3", "2"}[i%2]), Note: strings.Repeat("ü", min(n, 4096))}, referee.OK)
	}
	record := x.record(true)
	whole := verify(t, record)
	slow, err := replay.Verify(iotest.OneByteReader(bytes.NewReader(record)), rules)
	if err != nil || whole.Status != replay.Valid {
		t.Fatal(whole, err)
	}
	if d := cmp.Diff(whole, slow); d != "" {
		t.Fatal(d)
	}
}

func TestReaderLineTooLong(t *testing.T) {
	first, _, _ := bytes.Cut(played(t, setup(t, connectfour.New(), "c4"), false), []byte("\n"))
	for _, c := range []struct {
		name string
		n    int
		end  string
		want error
	}{
		{"most", referee.MaxLine, "\n", referee.ErrLine}, // the parser sees it
		{"one more", referee.MaxLine + 1, "\n", replay.ErrTooLong},
		{"torn", referee.MaxLine, "", replay.ErrTorn},
		{"torn and one more", referee.MaxLine + 1, "", replay.ErrTooLong},
		{"far more", 3 * referee.MaxLine, "\n", replay.ErrTooLong},
	} {
		in := io.MultiReader(bytes.NewReader(first), strings.NewReader("\n"), strings.NewReader(strings.Repeat("x", c.n)+c.end))
		r := replay.NewReader(in)
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		_, err := r.Next()
		var fault *replay.LineError
		if !errors.Is(err, c.want) || !errors.As(err, &fault) || fault.Line != 2 {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%s: then %v", c.name, again)
		}
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is gone")
	record := played(t, setup(t, connectfour.New(), "c4"), true)
	in := func() io.Reader { return io.MultiReader(bytes.NewReader(record[:1500]), iotest.ErrReader(broken)) }
	var fault *replay.LineError
	if rep, err := replay.Verify(in(), rules); rep != nil || !errors.Is(err, broken) || errors.As(err, &fault) {
		t.Fatalf("%v, %v", rep, err)
	}
	var last error
	n := 0
	for _, err := range replay.NewReader(in()).All() {
		n++
		last = err
	}
	if !errors.Is(last, broken) || n < 2 {
		t.Fatalf("%d lines, then %v", n, last)
	}
}

func TestWriterOrder(t *testing.T) {
	events := eventful(t, "w").events
	first, move, end := &events[0], &events[1], &events[len(events)-1]
	for _, c := range []struct {
		name string
		good []*referee.Event
		bad  *referee.Event // nil: a seal
		want string
	}{
		{"no start", nil, move, "start event"},
		{"two starts", []*referee.Event{first, move}, first, "start event"},
		{"after the end", []*referee.Event{first, end}, move, "nothing but a seal"},
		{"nothing sealed", nil, nil, "follows the end"},
		{"sealed early", []*referee.Event{first, move}, nil, "follows the end"},
		{"too long", []*referee.Event{first}, &referee.Event{Kind: referee.KindMove, Action: game.Action(strings.Repeat("1", referee.MaxLine))}, "bytes"},
	} {
		var b bytes.Buffer
		w := replay.NewWriter(&b)
		for _, e := range c.good {
			if err := w.Append(e); err != nil {
				t.Fatal(c.name, err)
			}
		}
		n, head, root := b.Len(), w.Head(), w.Root()
		var err error
		if c.bad == nil {
			err = w.Seal()
		} else {
			err = w.Append(c.bad)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if b.Len() != n || w.Count() != int64(len(c.good)) || w.Head() != head || w.Root() != root {
			t.Errorf("%s: left a trace", c.name)
		}
		if len(c.good) > 0 && c.bad != nil && c.name != "after the end" {
			if err := w.Append(end); err != nil { // a refusal is not the end
				t.Errorf("%s: then %v", c.name, err)
			}
		}
	}
}

func TestWriterSealOnce(t *testing.T) {
	events := eventful(t, "w").events
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	for i := range events {
		if err := w.Append(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("no key")
	if err := w.Seal(&signer{err: broken}); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if err := w.Seal(&signer{json: `{"by":"me"}`}); err != nil {
		t.Fatal(err)
	}
	if w.Seal() == nil || w.Append(&events[1]) == nil {
		t.Fatal("something follows the seal")
	}
	r := verify(t, b.Bytes())
	if r.Status != replay.Valid || string(r.Seal.Attestation) != `{"by":"me"}` || r.Head != w.Head() || r.Root != w.Root() || r.Events != w.Count() {
		t.Fatal(r)
	}
}

// failing takes some bytes, then fails.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return f.left, errFull
	}
	f.left -= len(b)
	return len(b), nil
}

func TestWriterFails(t *testing.T) {
	events := eventful(t, "w").events
	w := replay.NewWriter(&failing{left: 2000})
	var err error
	n := int64(0)
	for i := range events {
		if err = w.Append(&events[i]); err != nil {
			break
		}
		n++
	}
	if !errors.Is(err, errFull) || n < 2 || w.Count() != n {
		t.Fatalf("%d events, then %v", n, err)
	}
	if again := w.Append(&events[n]); again != err {
		t.Fatal(again)
	}
	if again := w.Seal(); again != err {
		t.Fatal(again)
	}
}
