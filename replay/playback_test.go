package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// nine is a record of Werewolf, with joint turns, chance and secrets.
func nine(t testing.TB, id string) []byte {
	t.Helper()
	s := setup(t, werewolf.New(), id)
	for len(s.Seats) < 9 {
		more := s.Seats[0]
		more.Agent.Name = fmt.Sprint("Number ", len(s.Seats))
		s.Seats = append(s.Seats, more)
	}
	return played(t, s, true)
}

var shown = replay.Rules(connectfour.New(), game.New(kuhn{}), game.New(oracle{}), werewolf.New())

func open(t testing.TB, record []byte, o replay.PlaybackOptions) *replay.Playback {
	t.Helper()
	p, err := replay.Open(bytes.NewReader(record), shown, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func dump(t testing.TB, p *replay.Playback) string {
	t.Helper()
	s, err := p.State()
	if err != nil {
		t.Fatal(err)
	}
	return game.Dump(s)
}

func playable(t testing.TB) map[string][]byte {
	all := records(t)
	all["werewolf"] = nine(t, "w")
	return all
}

// TestPlaybackSeek goes to and fro, and compares with replaying all steps from the start.
func TestPlaybackSeek(t *testing.T) {
	for name, record := range playable(t) {
		t.Run(name, func(t *testing.T) {
			p := open(t, record, replay.PlaybackOptions{})
			start, _ := p.Start()
			table, err := shown(start.Game, start.Version, start.Ruleset)
			if err != nil {
				t.Fatal(err)
			}
			setup := start.Setup(table).Start
			for _, seat := range start.Seats { // whose names views may show
				setup.Names = append(setup.Names, seat.Agent.Name)
			}
			var steps []game.Step
			for k, s := range p.All() {
				if k != p.At() || len(s.Moves) == 0 || len(s.Text) != len(s.Moves) || len(s.Events) < len(s.Moves) {
					t.Fatalf("step %d: %+v", k, s)
				}
				steps = append(steps, s.Moves)
			}
			if len(steps) != p.Len() || p.Next() || p.Seek(0) != nil || p.Prev() {
				t.Fatalf("%d steps of %d", len(steps), p.Len())
			}
			rapid.Check(t, func(t *rapid.T) {
				k := rapid.IntRange(0, p.Len()).Draw(t, "step")
				switch rapid.SampledFrom([]string{"seek", "next", "prev", "outside"}).Draw(t, "how") {
				case "seek":
					if err := p.Seek(k); err != nil {
						t.Fatal(err)
					}
				case "next":
					k = p.At()
					if p.Next() {
						k++
					}
				case "prev":
					k = p.At()
					if p.Prev() {
						k--
					}
				case "outside":
					k = p.At()
					for _, no := range []int{-1, p.Len() + 1} {
						if err := p.Seek(no); !errors.Is(err, replay.ErrSeek) {
							t.Fatalf("step %d: %v", no, err)
						}
					}
				}
				want, err := table.Replay(setup, steps[:k])
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.State()
				if err != nil {
					t.Fatal(err)
				}
				if p.At() != k || game.Dump(got) != game.Dump(want) {
					t.Fatalf("at %d, want %d: %s", p.At(), k, cmp.Diff(game.Dump(want), game.Dump(got)))
				}
				a, errA := json.Marshal(want.View(0))
				b, errB := json.Marshal(p.View(0))
				if errA != nil || errB != nil || !bytes.Equal(a, b) {
					t.Fatal(cmp.Diff(string(a), string(b)), errA, errB)
				}
			})
		})
	}
}

// TestPlaybackPieces: a record that comes in pieces shows at each moment what its whole lines tell, and in the end the same.
func TestPlaybackPieces(t *testing.T) {
	for name, record := range playable(t) {
		whole := open(t, record, replay.PlaybackOptions{Reveal: true})
		first := bytes.IndexByte(record, '\n') + 1
		p := open(t, record[:first], replay.PlaybackOptions{Reveal: true})
		for i := first; i < len(record); i++ {
			if err := p.Extend(bytes.NewReader(record[i : i+1])); err != nil {
				t.Fatalf("%s, byte %d: %v", name, i, err)
			}
			if p.Half() == (record[i] == '\n') {
				t.Fatalf("%s, byte %d: half %v", name, i, p.Half())
			}
		}
		for _, x := range []*replay.Playback{p, whole} {
			if err := x.Seek(x.Len()); err != nil {
				t.Fatal(err)
			}
		}
		if p.Len() != whole.Len() || dump(t, p) != dump(t, whole) || (p.Seal() == nil) != (whole.Seal() == nil) || (p.End() == nil) != (whole.End() == nil) {
			t.Errorf("%s: %v, %v", name, p, whole)
		}
	}
}

// TestPlaybackCut opens what is left of a record after each of its bytes.
func TestPlaybackCut(t *testing.T) {
	for name, record := range playable(t) {
		first := bytes.IndexByte(record, '\n') + 1
		steps := 0
		for n := 0; n <= len(record); n++ {
			p, err := replay.Open(bytes.NewReader(record[:n]), shown, replay.PlaybackOptions{})
			if n < first {
				if !errors.Is(err, replay.ErrUnfinished) {
					t.Fatalf("%s, %d bytes: %v", name, n, err)
				}
				continue
			}
			if err != nil || p.Len() < steps || p.Len() > steps+1 {
				t.Fatalf("%s, %d bytes: %v, %v after %d steps", name, n, err, p, steps)
			}
			steps = p.Len()
			if n%7 > 0 && testing.Short() {
				n += 5
			}
		}
	}
}

// TestPlaybackRefuses: what is changed is refused with its line, and unknown rules by their name.
func TestPlaybackRefuses(t *testing.T) {
	record := string(played(t, setup(t, connectfour.New(), "r"), true))
	all := lines([]byte(record))
	for name, c := range map[string]struct {
		record string
		want   error
		line   int64
	}{
		"chain":       {strings.Join(append(append([]string{}, all[:3]...), all[4:]...), ""), replay.ErrChain, 4},
		"not a line":  {all[0] + "{}\n", referee.ErrLine, 2},
		"after seal":  {record + all[1], nil, int64(len(all) + 1)},
		"not a start": {strings.Join(all[1:], ""), nil, 1},
	} {
		_, err := replay.Open(strings.NewReader(c.record), shown, replay.PlaybackOptions{})
		var fault *replay.LineError
		if !errors.As(err, &fault) || fault.Line != c.line || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, r := range []replay.Resolver{nil, replay.Rules()} {
		if _, err := replay.Open(strings.NewReader(record), r, replay.PlaybackOptions{}); !errors.Is(err, replay.ErrUnknownRules) || !strings.Contains(err.Error(), "connect-four") {
			t.Errorf("without rules: %v", err)
		}
	}
	// A move that the chain allows and the rules do not.
	events, _ := read(t, []byte(record))
	events[5].Action = "9"
	_, err := replay.Open(bytes.NewReader(write(t, events[:6], false)), shown, replay.PlaybackOptions{})
	var fault *replay.LineError
	if !errors.As(err, &fault) || fault.Line != 6 {
		t.Errorf("an illegal move: %v", err)
	}
	// A playback that met a fault stays with it.
	p, err := replay.Open(strings.NewReader(all[0]), shown, replay.PlaybackOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Extend(strings.NewReader("{}\n" + all[1])); !errors.Is(err, referee.ErrLine) || p.Len() != 0 {
			t.Errorf("%v, %d steps", err, p.Len())
		}
	}
	if err := open(t, []byte(all[0]), replay.PlaybackOptions{}).Extend(strings.NewReader(strings.Repeat("x", referee.MaxLine+1))); !errors.Is(err, replay.ErrTooLong) {
		t.Errorf("an endless line: %v", err)
	}
}

// TestPlaybackSecrets: of a match with secrets that still runs nothing is shown but what spectators see.
func TestPlaybackSecrets(t *testing.T) {
	for name, record := range map[string][]byte{"werewolf": nine(t, "secret"), "kuhn": played(t, setup(t, game.New(kuhn{}), "k"), false)} {
		end := bytes.LastIndex(record, []byte(`{"k":"end"`))
		live, own := open(t, record[:end], replay.PlaybackOptions{}), open(t, record[:end], replay.PlaybackOptions{Reveal: true})
		told := 0
		for k := 0; k <= live.Len(); k++ {
			if live.Seek(k) != nil || own.Seek(k) != nil {
				t.Fatal(k)
			}
			public := marshal(t, own.View(game.Spectator))
			for _, seat := range []game.Seat{0, 1} {
				if got := marshal(t, live.View(seat)); got != public {
					t.Fatalf("%s, step %d: seat %v is shown %s", name, k, seat, got)
				}
				if marshal(t, own.View(seat)) != public {
					told++
				}
			}
			if _, err := live.State(); !errors.Is(err, replay.ErrSecret) {
				t.Fatalf("%s, step %d: the state: %v", name, k, err)
			}
			turn, known := live.Turn()
			whole, all := own.Turn()
			if !all || known != whole.Over() || turn.Phase != whole.Phase || turn.Seats != 0 || turn.Chance || turn.Host {
				t.Fatalf("%s, step %d: %+v, %v", name, k, turn, known)
			}
			if k > 0 {
				if s := live.Step(k); s.Moves != nil || s.Events != nil || s.Text != nil || s.Time != 0 || len(own.Step(k).Moves) == 0 || own.Step(k).Time == 0 {
					t.Fatalf("%s, step %d: %+v", name, k, s)
				}
			}
		}
		if told == 0 {
			t.Errorf("%s: no seat ever saw more than a spectator, which tests nothing", name)
		}
		if _, err := live.Export(); !errors.Is(err, replay.ErrSecret) || live.Rest() != nil {
			t.Errorf("%s: exported: %v", name, err)
		}
		if err := live.Fork(t.Context(), 0, setup(t, game.New(kuhn{}), "f"), new(referee.Memory), start); !errors.Is(err, replay.ErrSecret) {
			t.Errorf("%s: forked: %v", name, err)
		}
		if _, _, ok := live.Secret(); ok {
			t.Errorf("%s: the secret of a live match", name)
		}
		// The end reveals all of it.
		if err := live.Extend(bytes.NewReader(record[end:])); err != nil {
			t.Fatal(err)
		}
		if len(live.Step(1).Moves) == 0 || dump(t, live) == "" {
			t.Errorf("%s: still kept back", name)
		}
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFollow reads a record as it grows, in pieces that know nothing of lines.
func TestFollow(t *testing.T) {
	record := nine(t, "follow")
	sealAt := bytes.LastIndex(record, []byte(`{"k":"seal"`))
	for _, c := range []struct {
		name  string
		whole []byte
		seal  bool
	}{{"sealed", record, true}, {"not sealed", record[:sealAt], false}} {
		src := &growing{b: c.whole}
		first := bytes.IndexByte(record, '\n') + 1
		src.n, src.read = first, first
		p := open(t, record[:first], replay.PlaybackOptions{})
		last, calls, waits := 0, 0, 0
		err := p.Follow(t.Context(), src, func(context.Context) error {
			if waits++; waits > len(record) {
				t.Fatal("it never ends")
			}
			src.n = min(src.n+97, len(src.b))
			return nil
		}, func(p *replay.Playback) {
			if calls++; p.Len() < last {
				t.Errorf("%d steps after %d", p.Len(), last)
			}
			last = p.Len()
		})
		if err != nil || p.End() == nil || (p.Seal() != nil) != c.seal || last != p.Len() || calls < 3 {
			t.Errorf("%s: %v, %v, %d calls", c.name, err, p, calls)
		}
	}
	// An end without another step is told too, once.
	x := begin(t, setup(t, connectfour.New(), "resigned"))
	x.move(10, 0, "3")
	x.must(x.m.Claim(x.now+5, 1, referee.Resign))
	over := x.record(true)
	short := bytes.LastIndex(over, []byte(`{"k":"claim"`))
	whole := &growing{b: over, n: short, read: short}
	told := 0
	q := open(t, over[:short], replay.PlaybackOptions{})
	if err := q.Follow(t.Context(), whole, func(context.Context) error { whole.n = len(over); return nil }, func(p *replay.Playback) {
		if told++; p.End() == nil || p.Len() != 1 {
			t.Errorf("told at %v", p)
		}
	}); err != nil || told != 1 {
		t.Errorf("told %d times of an end: %v", told, err)
	}
	// A seal that comes in two pieces is waited for, as any half of a line.
	for cut := sealAt; cut < len(record); cut++ {
		src := &growing{b: record, n: cut, read: sealAt}
		p := open(t, record[:sealAt], replay.PlaybackOptions{})
		looks := 0
		if err := p.Follow(t.Context(), src, func(context.Context) error {
			if looks++; looks > 1 {
				src.n = len(record)
			}
			return nil
		}, nil); err != nil || (p.Seal() != nil) != (cut > sealAt) {
			t.Errorf("%d bytes of the seal at the second look: %v, %v", cut-sealAt, err, p.Seal())
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	p := open(t, record[:sealAt/2], replay.PlaybackOptions{})
	err := p.Follow(gone, strings.NewReader(""), func(context.Context) error { cancel(); return nil }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	enough := errors.New("enough")
	if err := p.Follow(t.Context(), strings.NewReader(""), func(context.Context) error { return enough }, nil); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
}

// idler is a reader that gives nothing, and no error.
type idler struct{}

func (idler) Read([]byte) (int, error) { return 0, nil }

// TestPlaybackIdle: a reader that never gets on is an error of the reader, and no end of all time.
func TestPlaybackIdle(t *testing.T) {
	record := played(t, setup(t, connectfour.New(), "idle"), true)
	if _, err := replay.Open(idler{}, shown, replay.PlaybackOptions{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v", err)
	}
	p := open(t, record[:len(record)/2], replay.PlaybackOptions{})
	if err := p.Extend(idler{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("%v", err)
	}
	if err := p.Extend(bytes.NewReader(record[len(record)/2:])); err != nil || p.Seal() == nil {
		t.Errorf("afterwards: %v", err)
	}
}

// growing is a file of which n bytes are written so far.
type growing struct {
	b       []byte
	n, read int
}

func (g *growing) Read(p []byte) (int, error) {
	if g.read == g.n {
		return 0, io.EOF
	}
	n := copy(p, g.b[g.read:g.n])
	g.read += n
	return n, nil
}

// FuzzOpen opens anything, and walks through what it took.
func FuzzOpen(f *testing.F) {
	n := 0
	for _, record := range records(f) {
		f.Add(record)
		f.Add(record[:len(record)/2])
		n++
	}
	if n == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		p, err := replay.Open(bytes.NewReader(record), shown, replay.PlaybackOptions{})
		if err != nil {
			return
		}
		for k := range p.All() {
			turn, _ := p.Turn()
			fmt.Fprint(io.Discard, p.View(0), turn, p.Step(k))
		}
		if _, err := p.Export(); err != nil && !errors.Is(err, replay.ErrSecret) {
			t.Fatal(err)
		}
	})
}
