package gridarena

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// bodies are the seeds of all targets.
var bodies = []string{
	validStart, validMove, ``, `{}`, bom + validMove, `{"action":{"type":"say","text":"\ud83d\ude00"},"revision":3,"moveId":"` + moveID2 + `"}`,
	`{"opponent":"casual","requestId":"` + requestID + `","ruleset":{"b":[1e-7,1e20],"a":{"\u20ac":null}},"diagnostics":{"nodes":1}}`,
	`{"score":1}`, `{"row":1.5,"col":1e400}`, strings.Repeat("[", 40), `{"a":1,"a":1}`, "{\"name\":\"\xff\\ud800\"}", `{"row":-0,"col":0e9,"revision":-0,"moveId":"` + moveID + `"}`,
}

// TestSeeds: among the seeds are bodies that are read and bodies that are refused, of each kind.
func TestSeeds(t *testing.T) {
	seen := map[string]int{}
	for _, b := range bodies {
		_, create := DecodeCreate([]byte(b))
		_, move := DecodeMove([]byte(b))
		seen["create "+said(create)]++
		seen["move "+said(move)]++
	}
	if seen["create "] < 2 || seen["move "] < 4 || seen["create forbidden_member score"] != 1 || seen["create malformed"] < 4 || len(seen) < 8 {
		t.Errorf("%v", seen)
	}
}

func FuzzDecodeCreate(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		c, p := DecodeCreate(body)
		checkFuzzed(t, c == nil, p)
		if c == nil {
			return
		}
		if c.Opponent == "" || len(c.Opponent) > maxShort || utf8.RuneCountInString(c.Name) > MaxName || strings.ContainsAny(c.Name, "\n\r\x00") || !c.AgentSeat.Valid() ||
			c.Control.Validate() != nil || !ValidID(c.RequestID) || c.RequestID != strings.ToLower(c.RequestID) || c.Ruleset != nil && !json.Valid(c.Ruleset) {
			t.Fatalf("%q: %+v", body, c)
		}
		again, p := DecodeCreate(shuffled(t, body))
		if p != nil || again.Hash() != c.Hash() {
			t.Fatalf("%q: in another order %+v, %v", body, again, p)
		}
		other := *c
		other.AgentSeat ^= 1
		if other.Hash() == c.Hash() {
			t.Fatalf("%q: the seat does not count", body)
		}
	})
}

func FuzzDecodeMove(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, p := DecodeMove(body)
		checkFuzzed(t, m == nil, p)
		if m == nil {
			return
		}
		canon, err := game.Canonical([]byte(m.Action))
		if err != nil || canon != m.Action || !ValidID(m.ID) || m.Revision < 0 {
			t.Fatalf("%q: %+v, %v", body, m, err)
		}
		again, p := DecodeMove(shuffled(t, body))
		if p != nil || *again != *m {
			t.Fatalf("%q: in another order %+v, %v", body, again, p)
		}
		a := m.Answer(nil)
		if a.Key != m.ID || a.Action != m.Action {
			t.Fatalf("%q: %+v", body, a)
		}
		DecodeAbandon(body)
	})
}

func checkFuzzed(t *testing.T, refused bool, p *Problem) {
	t.Helper()
	if refused != (p != nil) {
		t.Fatal("neither read nor refused, or both")
	}
	if p == nil {
		return
	}
	if text := p.Append(nil); !json.Valid(text) || !utf8.Valid(text) || p.Status < 400 || len(text) > 64<<10 {
		t.Fatalf("%q", text)
	}
}

// shuffled writes the members of a body in canonical form and the opposite order.
func shuffled(t *testing.T, body []byte) []byte {
	t.Helper()
	v, err := jsontext.Parse(body, jsontext.Replace)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for i := len(v.Items) - 1; i >= 0; i-- {
		out = append(out, v.Items[i].AppendCanonical(append(jsontext.AppendString(nil, v.Items[i].Name), ':')))
	}
	text := append(append([]byte("{"), bytes.Join(out, []byte(","))...), '}')
	if len(text) > MaxBody || len(text) > MaxRuleset {
		return body // a number may be written out at length
	}
	return text
}
