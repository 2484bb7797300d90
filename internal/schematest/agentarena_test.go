// Package schematest holds the messages of the wire formats against their JSON Schemas, with a validator that the library itself does
// without. It is a module of its own for that reason, and has tests only.
package schematest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compile gives a schema as a validator; the schema itself is held against the metaschema that it names.
func compile(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if draft := doc.(map[string]any)["$schema"]; draft != "https://json-schema.org/draft/2020-12/schema" {
		t.Fatalf("$schema is %v", draft)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate says whether a message is JSON and fits a schema.
func validate(s *jsonschema.Schema, message string) error {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(message))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// The samples of the format's own document.
const (
	sampleRequest = `{"protocol":"agentarena/1","type":"move_request","match_id":"9f2c1a44-…","game":"connect4","you":"X","opponent":"GREMLIN-9","move_number":7,` +
		"\"board\":\"```\\n .......\\n .......\\n .......\\n ...O...\\n ...X...\\n ..XOX..\\n abcdefg\\n```\"," +
		`"legal":["a","b","c","d","e","f","g"],"strikes":0,"deadline_ms":10000,"nonce":"7f3a…","replay_url":"https://agentarena.lol/m/9f2c1a44-…"}`
	sampleReply = `{"move":"d","nonce":"7f3a…"}`
)

func TestAgentarenaSamples(t *testing.T) {
	if err := validate(compile(t, agentarena.RequestSchema()), sampleRequest); err != nil {
		t.Error(err)
	}
	if err := validate(compile(t, agentarena.ReplySchema()), sampleReply); err != nil {
		t.Error(err)
	}
}

// TestAgentarenaGolden: all requests of the golden conversations fit, and so do the replies that were no strike.
func TestAgentarenaGolden(t *testing.T) {
	request, reply := compile(t, agentarena.RequestSchema()), compile(t, agentarena.ReplySchema())
	files, err := filepath.Glob("../../testdata/agentarena/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden conversations: %v", err)
	}
	requests, good, bad := 0, 0, 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		body := ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case strings.HasPrefix(line, "> "):
				requests++
				if err := validate(request, line[2:]); err != nil {
					t.Errorf("%s: %v\n%s", name, err, line)
				}
			case strings.HasPrefix(line, "< 200"):
				body = strings.TrimPrefix(line, "< 200 ")
			case strings.HasPrefix(line, "= ") && body != "":
				err := validate(reply, body)
				switch {
				case strings.Contains(line, "malformed"):
					bad++
					if err == nil {
						t.Errorf("%s: a malformed reply fits: %s", name, body)
					}
				case strings.Contains(line, " moves "):
					good++
					if err != nil {
						t.Errorf("%s: %v\n%s", name, err, body)
					}
				}
				body = ""
			}
		}
	}
	if requests < 60 || good < 50 || bad < 2 {
		t.Errorf("%d requests, %d good and %d malformed replies: too few to mean anything", requests, good, bad)
	}
}

// TestAgentarenaGames: whatever the library writes in random games fits, on boards of several sizes.
func TestAgentarenaGames(t *testing.T) {
	request, reply := compile(t, agentarena.RequestSchema()), compile(t, agentarena.ReplySchema())
	for seed, ruleset := range []string{`{}`, `{"columns":16,"rows":7}`, `{"columns":4,"rows":4,"connect":3}`} {
		table, err := connectfour.New().Table([]byte(ruleset))
		if err != nil {
			t.Fatal(err)
		}
		policy, clock := agentarena.Policy(2)
		info := referee.SeatInfo{Agent: referee.Agent{Name: "É \"<&>\""}, Policy: policy, Clock: clock}
		m, err := referee.New(referee.Setup{ID: "m1", Table: table, Seats: []referee.SeatInfo{info, info}})
		if err != nil {
			t.Fatal(err)
		}
		m.Start(1000)
		draw := rand.New(rand.NewPCG(uint64(seed), 0))
		for i := 0; ; i++ {
			if _, over := m.Result(); over {
				break
			}
			r, ok := m.Open(game.Seat(i % 2))
			if !ok {
				t.Fatalf("move %d: no request", i)
			}
			sent := agentarena.AppendRequest(nil, &r, "nonce", "https://arena.example/m1")
			if err := validate(request, string(sent)); err != nil {
				t.Fatalf("%v\n%s", err, sent)
			}
			asked, err := agentarena.DecodeRequest(sent)
			if err != nil {
				t.Fatal(err)
			}
			got := agentarena.AppendReply(nil, agentarena.Reply{
				Move: asked.Legal[draw.IntN(len(asked.Legal))], Nonce: asked.Nonce, Reason: strings.Repeat("é\x00", draw.IntN(140)),
			})
			if err := validate(reply, string(got)); err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			a := agentarena.Decode(200, got, "nonce", &r)
			if v, _ := m.Answer(1000, r.Seat, &a); v.Code != referee.OK {
				t.Fatalf("%+v", v)
			}
		}
	}
}

// TestAgentarenaBad: a sample with one member spoilt or taken away fits no longer.
func TestAgentarenaBad(t *testing.T) {
	tests := []struct {
		schema, sample string
		spoil          map[string][]any // by member; nil is a member taken away
	}{
		{agentarena.RequestSchema(), sampleRequest, map[string][]any{
			"protocol": {nil, "agentarena/2", 1}, "type": {nil, "match_end"}, "match_id": {nil, "", 7}, "game": {nil, "", true}, "you": {nil, "", 0},
			"opponent": {nil, []any{"GREMLIN-9"}}, "move_number": {nil, 0, 1.5, "7"}, "board": {nil, "", " .......", 1},
			"legal": {nil, []any{}, []any{3}, []any{"a", "a"}, "a"}, "strikes": {nil, -1, 0.5, "0"}, "deadline_ms": {nil, 0, 1.5, "10 s"},
			"nonce": {nil, "", 7}, "replay_url": {nil, "", "ftp://agentarena.lol", 1},
		}},
		{agentarena.ReplySchema(), sampleReply, map[string][]any{
			"move": {nil, 3, []any{"d"}}, "nonce": {nil, "", 7}, "reason": {strings.Repeat("é", 281), 7, map[string]any{}},
		}},
	}
	for _, tt := range tests {
		s := compile(t, tt.schema)
		var sample map[string]any
		if err := json.Unmarshal([]byte(tt.sample), &sample); err != nil {
			t.Fatal(err)
		}
		for name := range sample {
			if len(tt.spoil[name]) == 0 {
				t.Errorf("no bad value of %s is tried", name)
			}
		}
		for name, values := range tt.spoil {
			for _, v := range values {
				bad := maps.Clone(sample)
				if bad[name] = v; v == nil {
					delete(bad, name)
				}
				text, err := json.Marshal(bad)
				if err != nil {
					t.Fatal(err)
				}
				if validate(s, string(text)) == nil {
					t.Errorf("fits: %s", text)
				}
			}
		}
		for _, text := range []string{"", "null", "[]", "{}", `"d"`, tt.sample + "{}"} {
			if validate(s, text) == nil {
				t.Errorf("fits: %q", text)
			}
		}
	}
}
