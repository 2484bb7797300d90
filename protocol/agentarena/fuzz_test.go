package agentarena

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// seeds are the messages of the golden conversations that begin with one of these, and hostile variants of them.
func seeds(f *testing.F, marks ...string) [][]byte {
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
			for _, mark := range marks {
				if body, ok := strings.CutPrefix(line, mark); ok {
					out = append(out, []byte(strings.TrimSuffix(body, "\n")))
				}
			}
		}
	}
	if len(out) < 10 {
		f.Fatalf("only %d messages in the golden conversations", len(out))
	}
	good := string(out[0])
	return append(out, []byte("\ufeff"+good), []byte(good+good), []byte(good[:len(good)/2]), []byte(strings.Repeat("[", 100)),
		[]byte(strings.Replace(good, `{`, `{"\ud800":[[[[1e999]]]],`, 1)), []byte("{\"\xff\":\"\xff\"}"))
}

// object tells whether encoding/json takes body for one object too.
func object(body []byte) bool {
	var members map[string]json.RawMessage
	body = bytes.TrimPrefix(bytes.ToValidUTF8(body, []byte("\ufffd")), []byte("\ufeff"))
	return json.Unmarshal(body, &members) == nil && members != nil
}

// FuzzDecode: no reply makes a panic, every one is either an action that was listed or a fault of a known kind, and what is
// accepted is an object to encoding/json too.
func FuzzDecode(f *testing.F) {
	corpus := seeds(f, "< 200 ")
	if len(corpus) == 0 {
		f.Fatal("no seeds")
	}
	for i, body := range corpus {
		f.Add(200, body)
		f.Add([]int{0, 204, 302, 503}[i%4], body)
	}
	four := connectFour(f, "c", "d", "d")
	open := requestAfter(f, game.New(parley{}), []string{"Ann", "Bob", "Cy"})
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		for _, r := range []*referee.Request{four, open} {
			echo := ""
			if o, err := parseObject(body); err == nil {
				echo, _ = o.Text("nonce")
			}
			if a := Decode(status, body, "another", r); a.Fault == referee.NoFault && echo != "another" {
				t.Fatalf("accepted with nonce %q", echo)
			}
			a := Decode(status, body, echo, r)
			if a.To != (referee.Address{By: referee.ByAsk, N: r.Ask}) {
				t.Fatalf("addressed to %+v", a.To)
			}
			if utf8.RuneCountInString(a.Detail) > referee.MaxDetail || utf8.RuneCountInString(a.Note) > MaxReason || !utf8.ValidString(a.Detail+a.Note) {
				t.Fatalf("detail %q, note %q", a.Detail, a.Note)
			}
			switch a.Fault {
			case referee.NoFault:
			case referee.BadProtocol:
				if status == 200 {
					t.Fatalf("%+v", a)
				}
				continue
			case referee.Malformed, referee.BadNonce, referee.Illegal, referee.Oversized:
				if status != 200 || a.Action != "" || a.Note != "" || a.Detail == "" {
					t.Fatalf("%+v", a)
				}
				continue
			default:
				t.Fatalf("%+v", a)
			}
			if status != 200 || len(body) > MaxReply || echo == "" || !object(body) {
				t.Fatalf("accepted: %d %q", status, body)
			}
			if !slices.Contains(r.Legal(nil), a.Action) && (r == four || !strings.HasSuffix(string(a.Action), `","type":"say"}`)) {
				t.Fatalf("%s is not listed", a.Action)
			}
			if c, err := game.Canonical([]byte(a.Action)); err != nil || c != a.Action {
				t.Fatalf("%s is not canonical: %v", a.Action, err)
			}
		}
	})
}

// FuzzDecodeRequest: no request makes a panic, and what is accepted can be answered.
func FuzzDecodeRequest(f *testing.F) {
	corpus := seeds(f, "> ")
	if len(corpus) == 0 {
		f.Fatal("no seeds")
	}
	for _, body := range corpus {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := DecodeRequest(body)
		if err != nil {
			return
		}
		if !object(body) {
			t.Fatalf("accepted: %q", body)
		}
		if len(m.Legal) == 0 || m.MoveNumber < 0 || m.Strikes < 0 || m.Deadline < 0 {
			t.Fatalf("%+v", m)
		}
		o, err := parseObject(AppendReply(nil, Reply{Move: m.Legal[0], Nonce: m.Nonce, Reason: m.Board}))
		if err != nil {
			t.Fatal(err)
		}
		if move, _ := o.Text("move"); move != m.Legal[0] {
			t.Fatalf("%q became %q", m.Legal[0], move)
		}
	})
}
