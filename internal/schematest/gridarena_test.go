package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/matchreferee/arena/protocol/gridarena"
)

// gridArena loads the description of the Grid arena's API and judges it.
func gridArena(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(gridarena.OpenAPI("/api/benchmarks")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := legacy.NewRouter(doc); err != nil { // judges the document too
		t.Fatal(err)
	}
	return doc
}

// suits holds a body against a schema of the description.
func suits(t *testing.T, doc *openapi3.T, schema, body string) error {
	t.Helper()
	s, ok := doc.Components.Schemas[schema]
	if !ok {
		t.Fatalf("there is no schema %s", schema)
	}
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		return err
	}
	return s.Value.VisitJSON(v, openapi3.MultiErrors())
}

// change gives a body with something changed in it, by the names of members or the numbers of items on the way; "-" takes it out.
func change(t *testing.T, body, path, value string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	at, names := v, strings.Split(path, ".")
	for i, name := range names {
		last := i == len(names)-1
		switch x := at.(type) {
		case map[string]any:
			if last && value == "-" {
				if _, ok := x[name]; !ok {
					t.Fatalf("%s: there is none", path)
				}
				delete(x, name)
			} else if last {
				x[name] = json.RawMessage(value)
			}
			at = x[name]
		case []any:
			var n int
			if _, err := fmt.Sscan(name, &n); err != nil || n >= len(x) {
				t.Fatalf("%s: %s", path, name)
			}
			if last {
				x[n] = json.RawMessage(value)
			}
			at = x[n]
		default:
			t.Fatalf("%s: nothing to go into at %s", path, name)
		}
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestGridArenaGolden holds every answer of the golden files against the description, and those of each status against other statuses.
func TestGridArenaGolden(t *testing.T) {
	doc := gridArena(t)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("a document of OpenAPI %s", doc.OpenAPI)
	}
	files, err := filepath.Glob(filepath.FromSlash("../../testdata/gridarena/*.txt"))
	if err != nil || len(files) < 9 {
		t.Fatal(files, err)
	}
	kinds, statuses := map[string]int{}, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			schema := "Observation"
			switch {
			case strings.HasPrefix(line, "> POST {"):
				line, schema = line[len("> POST "):], "Move"
			case !strings.HasPrefix(line, "{"):
				continue
			case strings.HasPrefix(line, `{"matchId":"",`):
				continue // of no match at all
			case strings.HasPrefix(line, `{"benchmarkVersion"`):
				schema = "Recent"
			case strings.Contains(line, `"players":[{"seat":0,"symbol"`):
				schema = "Replay"
			case strings.Contains(line, `"notices":`):
				schema = "Created"
			}
			if err := suits(t, doc, schema, line); err != nil {
				t.Errorf("%s, line %d is no %s: %v", file, i+1, schema, err)
			}
			kinds[schema]++
			for _, other := range []string{"Observation", "Recent", "Replay", "Created", "Move", "Problem"} {
				if other == schema || schema == "Created" && other == "Observation" {
					continue
				}
				if suits(t, doc, other, line) == nil {
					t.Errorf("%s, line %d is a %s, and a %s too", file, i+1, schema, other)
				}
			}
			if schema == "Observation" {
				for _, s := range []string{"agent", "ai", "completed", "expired", "failed"} {
					if strings.Contains(line, `"status":"`+s+`"`) {
						statuses[s] = true
					}
				}
			}
		}
	}
	if len(statuses) != 5 || len(kinds) != 5 {
		t.Errorf("%v, %v", statuses, kinds)
	}
}

// TestGridArenaExample: the example fits, and nothing in it can be taken out or be something else.
func TestGridArenaExample(t *testing.T) {
	doc := gridArena(t)
	example := string(gridarena.Example())
	if err := suits(t, doc, "Observation", example); err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(example), &members); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"matchId", "benchmarkVersion", "rulesVersion", "size", "board", "seat", "symbol", "legalMoves", "scores", "revision", "turn", "remainingMs", "expiresAt",
		"serverTime", "history", "status", "aiPolicy", "timeControl",
	}
	got := slices.Collect(maps.Keys(members))
	slices.Sort(got)
	if sorted := slices.Sorted(slices.Values(want)); !slices.Equal(sorted, got) {
		t.Errorf("%q", got)
	}
	at := -1
	for _, name := range want {
		i := strings.Index(example, `"`+name+`":`)
		if i <= at {
			t.Errorf("%s is not in its place", name)
		}
		at = i
		if suits(t, doc, "Observation", change(t, example, name, "-")) == nil {
			t.Errorf("fits without %s", name)
		}
		for _, odd := range []string{`{"odd":[]}`, `[{"odd":1}]`, `-7`} {
			if name == "legalMoves" && odd != `-7` || name == "aiPolicy" && odd[0] == '{' {
				continue
			}
			if suits(t, doc, "Observation", change(t, example, name, odd)) == nil {
				t.Errorf("%s may be %s", name, odd)
			}
		}
	}
	for _, c := range [][2]string{
		{"key", `"lcb_x"`}, {"view", `{}`}, {"reason", `"abandoned"`}, {"board.0.0", `2`}, {"board.3", `[]`}, {"history.0.row", `9`}, {"history.0.action", `1`}, {"history.0.note", `""`},
		{"history.0.timestamp", `"2026-11-30T15:00:00Z"`}, {"history.0.scoring.total", "-"}, {"status", `"over"`}, {"status", `"expired"`}, {"timeControl.control", `"blitz"`}, {"legalMoves.0", `{"col":1}`},
		{"expiresAt", `"2026-11-30T15:00:00.000Z"`}, {"serverTime", `1790000000000`}, {"symbol", `"Z"`}, {"size", `8`}, {"turn", `"X"`}, {"scores", `["1"]`},
	} {
		if suits(t, doc, "Observation", change(t, example, c[0], c[1])) == nil {
			t.Errorf("fits with %s %s", c[0], c[1])
		}
	}
	expired := change(t, change(t, example, "status", `"expired"`), "reason", `"turn_timeout"`)
	if err := suits(t, doc, "Observation", expired); err != nil {
		t.Error(err)
	}
}

// TestGridArenaRequests: what the description calls a request is read, and what is refused for its members' kinds is none.
func TestGridArenaRequests(t *testing.T) {
	doc := gridArena(t)
	const id = "6f0d1e2a-3b4c-4d5e-8f60-718293a4b5c6"
	create := `{"opponent":"hell_v2","name":"My solver","agentSeat":0,"control":"production","requestId":"` + id + `"}`
	move := `{"revision":0,"moveId":"` + id + `","row":4,"col":4}`
	check := func(schema, body string, read, fits bool) {
		t.Helper()
		var p *gridarena.Problem
		if schema == "Create" {
			_, p = gridarena.DecodeCreate([]byte(body))
		} else {
			_, p = gridarena.DecodeMove([]byte(body))
		}
		if (p == nil) != read {
			t.Errorf("%s is read: %v", body, p)
		}
		if err := suits(t, doc, schema, body); (err == nil) != fits {
			t.Errorf("%s fits: %v", body, err)
		}
		if p != nil {
			if err := suits(t, doc, "Problem", string(p.Append(nil))); err != nil {
				t.Error(err)
			}
		}
	}
	check("Create", create, true, true)
	check("Create", `{"opponent":"casual","requestId":"`+strings.ToUpper(id)+`"}`, true, true)
	check("Create", change(t, create, "more", `{}`), true, true)
	for _, name := range []string{"name", "agentSeat", "control"} {
		check("Create", change(t, create, name, `null`), true, true)
		check("Create", change(t, create, name, "-"), true, true)
	}
	check("Create", change(t, create, "game", `"chess"`), true, true)
	check("Create", change(t, create, "ruleset", `{"size":9}`), true, true)
	check("Create", change(t, create, "diagnostics", `{"nodes":1,"depth":2.5,"ms":0}`), true, true)
	for _, bad := range [][2]string{
		{"opponent", "-"}, {"opponent", `""`}, {"opponent", `1`}, {"requestId", "-"}, {"requestId", `"x"`}, {"agentSeat", `-1`}, {"agentSeat", `64`}, {"agentSeat", `0.5`}, {"agentSeat", `"0"`},
		{"control", `"blitz"`}, {"name", `[]`}, {"game", `{}`}, {"ruleset", `[]`}, {"diagnostics", `7`}, {"diagnostics", `{"nodes":-1}`}, {"diagnostics", `{"ms":"1"}`},
	} {
		check("Create", change(t, create, bad[0], bad[1]), false, false)
	}
	check("Move", move, true, true)
	check("Move", `{"revision":3,"moveId":"`+id+`","action":{"type":"say","text":""}}`, true, true)
	check("Move", change(t, move, "more", `[]`), true, true)
	for _, bad := range [][2]string{
		{"revision", "-"}, {"revision", `-1`}, {"revision", `1.5`}, {"revision", `2147483648`}, {"revision", `"0"`}, {"moveId", "-"}, {"moveId", `"1"`}, {"row", "-"}, {"col", "-"}, {"row", `1.5`}, {"col", `"4"`}, {"action", `3`},
	} {
		check("Move", change(t, move, bad[0], bad[1]), false, false)
	}
	check("Create", change(t, create, "difficulty", `1`), false, true) // the description says so in words
}

// TestGridArenaProblems: each code fits with its status.
func TestGridArenaProblems(t *testing.T) {
	doc := gridArena(t)
	all := doc.Components.Schemas["Problem"].Value.Properties["code"].Value.Enum
	if len(all) != 29 {
		t.Fatalf("%d codes", len(all))
	}
	statuses := map[int]bool{}
	for _, code := range all {
		p := gridarena.NewProblem(gridarena.Code(code.(string)), "why")
		statuses[p.Status] = true
		for _, errs := range [][]gridarena.FieldError{nil, {{Field: "row", Detail: "is missing"}}} {
			p.Errors = errs
			if err := suits(t, doc, "Problem", string(p.Append(nil))); err != nil {
				t.Error(err)
			}
		}
	}
	good := string(gridarena.NewProblem(gridarena.CodePaused, "").Append(nil))
	for _, bad := range [][2]string{{"code", `"new"`}, {"status", `200`}, {"title", `""`}, {"errors", `[]`}, {"type", `"x"`}, {"key", `1`}, {"code", "-"}} {
		if suits(t, doc, "Problem", change(t, good, bad[0], bad[1])) == nil {
			t.Errorf("fits with %v", bad)
		}
	}
	// Every status of a problem is that of some code, and stands with each path that it can come from.
	used := map[string]bool{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for status := range op.Responses.Map() {
				used[status] = true
			}
		}
	}
	for status := range statuses {
		if !used[fmt.Sprint(status)] {
			t.Errorf("no path answers %d", status)
		}
	}
}
