package gridarena

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
)

const (
	requestID  = "6f0d1e2a-3b4c-4d5e-8f60-718293a4b5c6"
	bom        = "\uFEFF"
	validMove  = `{"revision":0,"moveId":"` + moveID + `","row":4,"col":4}`
	validStart = `{"opponent":"hell_v2","name":"My solver","agentSeat":0,"control":"production","requestId":"` + requestID + `"}`
)

// said prints a problem: its code, and the members it names.
func said(p *Problem) string {
	if p == nil {
		return ""
	}
	out := string(p.Code)
	for _, e := range p.Errors {
		out += " " + e.Field
	}
	return out
}

func TestDecodeCreate(t *testing.T) {
	deep := strings.Repeat("[", 32) + strings.Repeat("]", 32)
	with := func(members string) string {
		return `{"opponent":"hell_v2","requestId":"` + requestID + `"` + members + `}`
	}
	least := Create{Opponent: "hell_v2", Control: Production, RequestID: requestID}
	change := func(f func(*Create)) *Create { c := least; f(&c); return &c }
	for _, tt := range []struct {
		name, body string
		want       *Create // nil: a problem
		problem    string
	}{
		{"the document's sample", validStart, change(func(c *Create) { c.Name = "My solver" }), ""},
		{"what is needed", with(``), &least, ""},
		{"a byte-order mark", bom + with(``), &least, ""},
		{"white space", " \n" + with(``) + "\r\n\t", &least, ""},
		{"nulls", with(`,"name":null,"agentSeat":null,"control":null,"game":null,"ruleset":null,"diagnostics":null`), &least, ""},
		{"upper case", strings.Replace(with(``), requestID, strings.ToUpper(requestID), 1), &least, ""},
		{"unknown members", with(`,"Opponent":"x","seat":7,"level":{"a":[1,null]},"":1`), &least, ""},
		{"a seat as it may be written", with(`,"agentSeat":10e-1`), change(func(c *Create) { c.AgentSeat = 1 }), ""},
		{"untimed", with(`,"control":"untimed"`), change(func(c *Create) { c.Control = Untimed }), ""},
		{"another game", with(`,"game":"connect-four","ruleset":{"rows":5, "columns":4.0}`), change(func(c *Create) { c.Game, c.Ruleset = "connect-four", []byte(`{"columns":4,"rows":5}`) }), ""},
		{"a name of several lines", with(`,"name":" \ta\nb\rc\u0007\ud800 "`), change(func(c *Create) { c.Name = "a b c\uFFFD\uFFFD" }), ""},
		{"bytes that are no UTF-8", with(",\"name\":\"a\xff\xfeb\""), change(func(c *Create) { c.Name = "a\uFFFDb" }), ""},
		{"a long name", with(`,"name":"` + strings.Repeat("é", 65) + `"`), change(func(c *Create) { c.Name = strings.Repeat("é", 64) }), ""},
		{"diagnostics", with(`,"diagnostics":{"nodes":1e6,"depth":7.5,"ms":0,"note":"x"}`), &least, ""},
		{"no diagnostics of ours", with(`,"nodes":-1,"depth":"deep","ms":[]`), &least, ""},

		{"nothing", ``, nil, "malformed"},
		{"no object", `[]`, nil, "malformed"},
		{"a string", `"x"`, nil, "malformed"},
		{"empty", `{}`, nil, "malformed opponent requestId"},
		{"trailing data", with(``) + `{}`, nil, "malformed"},
		{"a name twice", with(`,"name":"a","n\u0061me":"b"`), nil, "malformed"},
		{"a name twice, deeper", with(`,"x":[{"a":1,"a":2}]`), nil, "malformed"},
		{"too deep", with(`,"x":` + deep), nil, "malformed"},
		{"beyond a float64", with(`,"x":[1e400]`), nil, "malformed"},
		{"two marks", bom + bom + with(``), nil, "malformed"},
		{"a null id", `{"opponent":"a","requestId":null}`, nil, "malformed requestId"},
		{"wrong kinds", `{"opponent":1,"requestId":2,"name":3,"agentSeat":"4","control":5,"game":6,"ruleset":[],"diagnostics":[]}`, nil,
			"malformed opponent name agentSeat requestId game control ruleset diagnostics"},
		{"an empty opponent", `{"opponent":"","requestId":"` + requestID + `"}`, nil, "malformed opponent"},
		{"a long opponent", `{"opponent":"` + strings.Repeat("x", 65) + `","requestId":"` + requestID + `"}`, nil, "malformed opponent"},
		{"a fraction", with(`,"agentSeat":1.5`), nil, "malformed agentSeat"},
		{"a seat below", with(`,"agentSeat":-1`), nil, "malformed agentSeat"},
		{"a seat above", with(`,"agentSeat":64`), nil, "malformed agentSeat"},
		{"an unknown control", with(`,"control":"Production"`), nil, "malformed control"},
		{"a large ruleset", with(`,"ruleset":{"x":"` + strings.Repeat("y", MaxRuleset) + `"}`), nil, "malformed ruleset"},
		{"negative diagnostics", with(`,"diagnostics":{"nodes":-1,"depth":"7","ms":-0.5}`), nil, "malformed diagnostics.nodes diagnostics.depth diagnostics.ms"},
		{"as long as may be", with(`,"x":"` + strings.Repeat("y", MaxBody-len(with(`,"x":""`))) + `"`), &least, ""},
		{"too long", with(`,"x":"` + strings.Repeat("y", MaxBody-len(with(`,"x":""`))+1) + `"`), nil, "too_large"},

		{"difficulty", with(`,"difficulty":"hell"`), nil, "forbidden_member difficulty"},
		{"several", with(`,"aiPolicy":{},"SCORE":1,"Policy_Override":null,"win-ner":0`), nil, "forbidden_member aiPolicy SCORE Policy_Override win-ner"},
		{"in diagnostics", with(`,"diagnostics":{"score":12,"nodes":1}`), nil, "forbidden_member diagnostics.score"},
		{"deeper, where nobody looks", with(`,"x":{"score":12}`), &least, ""},
		{"before other errors", `{"winner":0}`, nil, "forbidden_member winner"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, p := DecodeCreate([]byte(tt.body))
			if diff := cmp.Diff(tt.want, got); diff != "" || said(p) != tt.problem {
				t.Errorf("%s; %v %+v", diff, p, p)
			}
			checkProblem(t, p)
		})
	}
}

// checkProblem: a problem has the status of its code, and each error of a member names it and says something on one line.
func checkProblem(t *testing.T, p *Problem) {
	t.Helper()
	if p == nil {
		return
	}
	if p.Status != p.Code.Status() || p.Detail == "" {
		t.Errorf("%+v", p)
	}
	for _, e := range p.Errors {
		if e.Field == "" || e.Detail == "" || strings.ContainsAny(e.Field+e.Detail, "\n\r\x00") || len(e.Detail) > 300 {
			t.Errorf("%+v", e)
		}
	}
}

// TestForbidden: each name that is refused is, in every spelling, and no name of a known member is among them.
func TestForbidden(t *testing.T) {
	names := Refused()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("not in order: %q", names)
	}
	for _, n := range []string{"score", "scores", "winner", "winners", "transcript", "transcripts", "policy", "policyoverride", "policyoverrides", "difficulty"} {
		if !slices.Contains(names, n) {
			t.Errorf("%s is not refused", n)
		}
	}
	for _, n := range []string{"opponent", "name", "agentseat", "control", "requestid", "game", "ruleset", "revision", "moveid", "row", "col", "action", "diagnostics", "nodes", "depth", "ms"} {
		if slices.Contains(names, n) {
			t.Errorf("%s is refused", n)
		}
	}
	for _, n := range names {
		for _, spelt := range []string{n, strings.ToUpper(n), n[:2] + "_" + n[2:], n[:1] + "-" + strings.ToUpper(n[1:])} {
			for _, value := range []string{`null`, `0`, `{"a":1}`} {
				member := fmt.Sprintf(`%q:%s`, spelt, value)
				_, p := DecodeCreate([]byte(strings.Replace(validStart, "{", "{"+member+",", 1)))
				_, q := DecodeMove([]byte(strings.Replace(validMove, "{", "{"+member+",", 1)))
				r := DecodeAbandon([]byte("{" + member + "}"))
				for _, p := range []*Problem{p, q, r} {
					if said(p) != "forbidden_member "+spelt {
						t.Errorf("%s: %s", member, said(p))
					}
				}
			}
		}
	}
	names[0] = "changed" // the caller's
	if Refused()[0] == "changed" {
		t.Error("Refused gives its own")
	}
}

func TestDecodeMove(t *testing.T) {
	with := func(members string) string { return `{"revision":7,"moveId":"` + moveID + `"` + members + `}` }
	move := func(action string) *Move { return &Move{7, moveID, game.Action(action)} }
	for _, tt := range []struct {
		name, body string
		want       *Move
		problem    string
	}{
		{"the document's sample", validMove, &Move{0, moveID, `{"col":4,"row":4}`}, ""},
		{"a cell", with(`,"row":8,"col":0`), move(`{"col":0,"row":8}`), ""},
		{"integers as they may be written", with(`,"row":80e-1,"col":0.0`), move(`{"col":0,"row":8}`), ""},
		{"off the board", with(`,"row":-3,"col":4096`), move(`{"col":4096,"row":-3}`), ""},
		{"far off", with(`,"row":9007199254740992,"col":-9007199254740992`), move(`{"col":-9007199254740992,"row":9007199254740992}`), ""},
		{"a cell as an action", with(`,"action":{"row": 4.0, "col":4}`), move(`{"col":4,"row":4}`), ""},
		{"an action", with(`,"action":{"type":"say","text":"\u00e9<"}`), move(`{"text":"é<","type":"say"}`), ""},
		{"an action that is a number", with(`,"action":3.0`), move(`3`), ""},
		{"an action that is false", with(`,"action":false`), move(`false`), ""},
		{"nulls beside it", with(`,"action":3,"row":null,"col":null`), move(`3`), ""},
		{"scores in an action are the game's", with(`,"action":{"score":3}`), move(`{"score":3}`), ""},
		{"diagnostics", with(`,"row":1,"col":2,"diagnostics":{"nodes":12,"depth":3,"ms":2.5}`), move(`{"col":2,"row":1}`), ""},
		{"the last revision", strings.Replace(with(`,"action":3`), "7", "2147483647", 1), &Move{2147483647, moveID, "3"}, ""},
		{"upper case", strings.Replace(with(`,"action":3`), moveID, "ABCDEF00-0000-4000-8000-00000000000F", 1), &Move{7, "abcdef00-0000-4000-8000-00000000000f", "3"}, ""},

		{"no move", with(``), nil, "malformed row"},
		{"no column", with(`,"row":1`), nil, "malformed col"},
		{"no row", with(`,"col":1`), nil, "malformed row"},
		{"both", with(`,"row":1,"action":3`), nil, "malformed action"},
		{"a null action", with(`,"action":null`), nil, "malformed row"},
		{"a fraction", with(`,"row":1.5,"col":1`), nil, "malformed row"},
		{"a large number", with(`,"row":1e300,"col":1`), nil, "malformed row"},
		{"too large a number", with(`,"row":1e400,"col":1`), nil, "malformed"},
		{"text", with(`,"row":"4","col":[4]`), nil, "malformed row col"},
		{"a revision below", strings.Replace(with(`,"action":3`), "7", "-1", 1), nil, "malformed revision"},
		{"a revision above", strings.Replace(with(`,"action":3`), "7", "2147483648", 1), nil, "malformed revision"},
		{"half a revision", strings.Replace(with(`,"action":3`), "7", "7.5", 1), nil, "malformed revision"},
		{"no revision, no id", `{"action":3}`, nil, "malformed revision moveId"},
		{"a large action", with(`,"action":"` + strings.Repeat("x", MaxAction) + `"`), nil, "malformed action"},
		{"a transcript", with(`,"action":3,"transcript":[]`), nil, "forbidden_member transcript"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, p := DecodeMove([]byte(tt.body))
			if diff := cmp.Diff(tt.want, got); diff != "" || said(p) != tt.problem {
				t.Errorf("%s; %v %+v", diff, p, p)
			}
			checkProblem(t, p)
		})
	}
}

func TestDecodeAbandon(t *testing.T) {
	for body, want := range map[string]string{
		``: "", `{}`: "", ` {"reason":"tired"} `: "", bom + `{}`: "", `[]`: "malformed", `{`: "malformed", `null`: "malformed", `{"result":1}`: "forbidden_member result",
		`{"x":"` + strings.Repeat("y", MaxBody) + `"}`: "too_large",
	} {
		p := DecodeAbandon([]byte(body))
		if said(p) != want {
			t.Errorf("%.20s: %v", body, p)
		}
		checkProblem(t, p)
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		requestID: true, strings.ToUpper(requestID): true, "00000000-0000-0000-0000-000000000000": true, "ffffffff-ffff-ffff-ffff-ffffffffffff": true,
		"": false, requestID[1:]: false, requestID + "0": false, strings.ReplaceAll(requestID, "-", ""): false, "{" + requestID[1:35] + "}": false,
		"g" + requestID[1:]: false, requestID[:35] + "G": false, requestID[:8] + "0" + requestID[9:]: false, requestID[:7] + "-" + requestID[8:]: false,
		requestID[:35] + "\x20": false, "@" + requestID[1:]: false, "`" + requestID[1:]: false, ":" + requestID[1:]: false, "/" + requestID[1:]: false, "\x10" + requestID[1:]: false,
	} {
		if ValidID(id) != want {
			t.Errorf("%q", id)
		}
	}
}

// TestSame: what asks for the same has one hash, or is the same move, and every difference that counts is one.
func TestSame(t *testing.T) {
	create := func(body string) [32]byte {
		t.Helper()
		c, p := DecodeCreate([]byte(body))
		if p != nil {
			t.Fatalf("%s: %v %v", body, p, p.Errors)
		}
		return c.Hash()
	}
	same := create(validStart)
	for _, body := range []string{
		`{"requestId":"` + strings.ToUpper(requestID) + `", "agentSeat":0.0,"name":"My solver ","opponent":"hell_v2"}`,
		strings.Replace(validStart, "{", `{"diagnostics":{"nodes":5},"x":1,`, 1), bom + validStart + "\n", strings.Replace(validStart, "My", `\u004dy`, 1),
		strings.Replace(validStart, "{", `{"ruleset":null,"game":null,`, 1),
	} {
		if create(body) != same {
			t.Errorf("%s is another", body)
		}
	}
	seen := map[[32]byte]string{same: validStart}
	for _, body := range []string{
		strings.Replace(validStart, "hell_v2", "hell_v3", 1), strings.Replace(validStart, "My", "my", 1), strings.Replace(validStart, `Seat":0`, `Seat":1`, 1),
		strings.Replace(validStart, "production", "untimed", 1), strings.Replace(validStart, requestID, moveID, 1), strings.Replace(validStart, "{", `{"game":"grid",`, 1),
		strings.Replace(validStart, "{", `{"ruleset":{},`, 1), strings.Replace(validStart, "{", `{"ruleset":{"size":9},`, 1),
		`{"opponent":"hell_v2","requestId":"` + requestID + `"}`, strings.Replace(validStart, "My solver", `x\",\"opponent\":\"casual`, 1),
	} {
		h := create(body)
		if other, ok := seen[h]; ok {
			t.Errorf("%s is as good as %s", body, other)
		}
		seen[h] = body
	}

	move := func(body string) Move { // moves are compared as they are
		t.Helper()
		m, p := DecodeMove([]byte(body))
		if p != nil {
			t.Fatalf("%s: %v %v", body, p, p.Errors)
		}
		return *m
	}
	first := move(validMove)
	for _, body := range []string{
		`{"action":{"col":4,"row":4e0},"moveId":"` + moveID + `","revision":0e5}`, strings.Replace(validMove, "{", `{"diagnostics":{"ms":3},`, 1), strings.Replace(validMove, `"row":4,"col":4`, `"col":4,"row":4.0`, 1),
	} {
		if move(body) != first {
			t.Errorf("%s is another", body)
		}
	}
	for _, body := range []string{
		strings.Replace(validMove, `"row":4`, `"row":5`, 1), strings.Replace(validMove, `"col":4`, `"col":5`, 1), strings.Replace(validMove, `n":0`, `n":2`, 1), strings.Replace(validMove, moveID, moveID2, 1),
	} {
		if move(body) == first {
			t.Errorf("%s is as good", body)
		}
	}
}
