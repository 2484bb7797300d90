package ludux

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// seeds are the messages of the golden conversations that go one way, "> " or "< ", and hostile variants of one of them.
func seeds(f *testing.F, way string) [][]byte {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(goldenDir, "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no golden conversations: %v", err)
	}
	var out [][]byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if len(line) > 3 && line[1:3] == way {
				out = append(out, []byte(strings.TrimSuffix(line[3:], "\n")))
			}
		}
	}
	if len(out) < 20 {
		f.Fatalf("only %d messages in the golden conversations", len(out))
	}
	good := string(out[0])
	return append(out, []byte("\ufeff"+good), []byte(good+good), []byte(good[:len(good)/2]), []byte(strings.Repeat("[", 100)),
		[]byte(strings.Replace(good, `{`, `{"\ud800":[[[[1e999]]]],`, 1)), []byte("{\"\xff\":\"\xff\"}"), []byte(pad(good, MaxFrame+1)),
		[]byte(strings.Replace(good, `"seq":1`, `"seq":9223372036854775808`, 1)), []byte(strings.Replace(good, `"seq":1`, `"seq":1,"seat":0`, 1)),
		[]byte(strings.Replace(good, `"seq":1`, `"seq":1,"seat":64`, 1)), []byte(strings.Replace(good, `"seq":1`, `"seq":1,"seat":{}`, 1)),
		[]byte(strings.Replace(good, `"action":`, `"action":{"\ud800":1.5e-7},"x":`, 1)))
}

// object tells whether encoding/json takes a frame for one object too.
func object(frame []byte) bool {
	var members map[string]json.RawMessage
	frame = bytes.TrimPrefix(bytes.ToValidUTF8(frame, []byte("\ufffd")), []byte("\ufeff"))
	return json.Unmarshal(frame, &members) == nil && members != nil
}

// FuzzDecodeFromAgent: nothing panics; what is accepted is JSON to encoding/json too, and is written and read as itself; what is not says why.
func FuzzDecodeFromAgent(f *testing.F) {
	corpus := append(seeds(f, "< "), []byte(`{"protocol":"ludux/1","type":"hello","key":"k"}`))
	if len(corpus) == 0 {
		f.Fatal("no seeds")
	}
	for _, frame := range corpus {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := DecodeFromAgent(frame)
		if err != nil {
			var bad *FrameError
			if !errors.As(err, &bad) || m != nil || bad.Seq < 0 {
				t.Fatalf("%v, %v", m, err)
			}
			told, err := DecodeFromArena(bad.Reply().Append(nil))
			if err != nil || told.(*Error).Code != bad.Code {
				t.Fatalf("%+v, %v", told, err)
			}
			return
		}
		if !object(frame) || len(frame) > MaxFrame {
			t.Fatalf("accepted: %q", frame)
		}
		out := m.Append(nil)
		if len(out) > 6*MaxFrame || !utf8.Valid(out) {
			t.Fatalf("%q", out)
		}
		if len(out) > MaxFrame {
			return // short escapes written in full
		}
		back, err := DecodeFromAgent(out)
		if err != nil {
			t.Fatalf("%v\n%q\n%q", err, frame, out)
		}
		if diff := cmp.Diff(m, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzDecodeReply: every body is an answer or a fault of a known kind, whatever the game; an accepted action is JSON, and the rules and
// the record take what comes without a panic.
func FuzzDecodeReply(f *testing.F) {
	corpus := seeds(f, "< ")
	if len(corpus) == 0 {
		f.Fatal("no seeds")
	}
	for _, body := range corpus {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, m := range []*referee.Match{connectFour(t), newMatch(t, game.New(chronicle{}), "", "", 3)} {
			r := first(t, m)
			a := DecodeReply(body, r)
			if a.To.By != referee.ByAsk || a.To.N < 0 || !utf8.ValidString(a.Note+a.Detail+string(a.Action)) || utf8.RuneCountInString(a.Note) > MaxCommentary {
				t.Fatalf("%+v", a)
			}
			switch a.Fault {
			case referee.NoFault:
				if len(body) > MaxReply || !object(body) || !json.Valid([]byte(a.Action)) || a.Action == "null" {
					t.Fatalf("accepted: %q: %+v", body, a)
				}
			case referee.Malformed, referee.Oversized:
				if a.Action != "" || a.Note != "" || a.Detail == "" {
					t.Fatalf("%+v", a)
				}
			default:
				t.Fatalf("%+v", a)
			}
			v, out := m.Answer(began+1, r.Seat, &a)
			if a.To.N != r.Ask && v.Code != referee.WasStale {
				t.Fatalf("%+v: %+v", a, v)
			}
			for i := range out.Events {
				line := referee.AppendLine(nil, &out.Events[i], began, new([32]byte))
				if _, _, err := referee.ParseLine(line, began); err != nil {
					t.Fatalf("%v\n%s", err, line)
				}
			}
			if e, bad := ErrorOf(v, r.Match(), 1); bad {
				if _, err := DecodeFromArena(e.Append(nil)); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// FuzzDecodeFromArena: nothing panics, and what is accepted is JSON to encoding/json too and reads back as itself.
func FuzzDecodeFromArena(f *testing.F) {
	corpus := seeds(f, "> ")
	if len(corpus) == 0 {
		f.Fatal("no seeds")
	}
	for _, frame := range corpus {
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := DecodeFromArena(frame)
		if err != nil {
			if m != nil || !errors.Is(err, ErrMessage) {
				t.Fatalf("%v, %v", m, err)
			}
			return
		}
		if !object(frame) || len(frame) > MaxFrame {
			t.Fatalf("accepted: %q", frame)
		}
		if r, ok := m.(*ActionRequest); ok {
			for _, a := range r.LegalActions {
				out := r.Respond(a, "x").Append(nil)
				if len(out) > MaxFrame || a == "null" {
					continue
				}
				if _, err := DecodeFromAgent(out); err != nil {
					t.Fatalf("%v\n%q", err, out)
				}
			}
		}
		out := m.Append(nil)
		if len(out) > MaxFrame {
			return // short escapes and times written in full
		}
		back, err := DecodeFromArena(out)
		if err != nil {
			t.Fatalf("%v\n%q\n%q", err, frame, out)
		}
		again := back.Append(nil)
		if diff := cmp.Diff(string(out), string(again), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
