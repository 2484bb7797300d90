package program

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

func TestDecode(t *testing.T) {
	for line, want := range map[string]struct {
		action   game.Action
		revision int32
		wrong    string // part of it
	}{
		`{"row":4,"col":5}`:                         {`{"col":5,"row":4}`, -1, ""},
		"\ufeff {\"col\": 5.0, \"row\": 4e0 }\r":    {`{"col":5,"row":4}`, -1, ""},
		`{"row":-1,"col":100}`:                      {`{"col":100,"row":-1}`, -1, ""}, // for the rules to refuse
		`{"row":4,"col":5,"revision":7,"why":"so"}`: {`{"col":5,"row":4}`, 7, ""},
		`{"action":"e2e4"}`:                         {`"e2e4"`, -1, ""},
		`{"action":{"b":1,"a":[null]}}`:             {`{"a":[null],"b":1}`, -1, ""},
		`{"action":null}`:                           {`null`, -1, ""},
		``:                                          {"", -1, "no JSON"},
		`e5`:                                        {"", -1, "no JSON"},
		`[4,5]`:                                     {"", -1, "an array, not an object"},
		`{"row":4}`:                                 {"", -1, "neither row and col nor action"},
		`{"row":4,"col":"5"}`:                       {"", -1, "not both integers"},
		`{"row":4.5,"col":5}`:                       {"", -1, "not both integers"},
		`{"row":4,"col":5,"action":1}`:              {"", -1, "beside"},
		`{"row":4,"row":5,"col":5}`:                 {"", -1, "no JSON"},
		`{"row":4,"col":5,"revision":-1}`:           {"", -1, "revision"},
		`{"row":4,"col":5,"revision":"7"}`:          {"", -1, "revision"},
		`{"row":4,"col":5,"revision":1e10}`:         {"", -1, "revision"},
		`{"row":4,"col":5} {"row":4,"col":5}`:       {"", -1, "no JSON"},
		`{"row":1e400,"col":5}`:                     {"", -1, "no JSON"},
		strings.Repeat(`{"a":`, 40):                 {"", -1, "no JSON"},
	} {
		a, revision, wrong := decode([]byte(line))
		if a != want.action || revision != want.revision || (wrong == "") != (want.wrong == "") || !strings.Contains(wrong, want.wrong) {
			t.Errorf("%q: %s, %d, %q", line, a, revision, wrong)
		}
	}
}

func TestCell(t *testing.T) {
	if a, _, wrong := decode([]byte(`{"row":7,"col":2}`)); a != cell(7, 2) || wrong != "" {
		t.Errorf("%s, not %s", a, cell(7, 2))
	}
}

func FuzzDecode(f *testing.F) {
	seeds := []string{`{"row":4,"col":5}`, `{"action":"e2e4","revision":3}`, `{"row":1.5,"col":5}`, "\ufeff{}", `{"action":{"a":[1,"\ud800"]}}`, "\xff", `{"revision":-1}`}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, revision, wrong := decode(line)
		if (wrong == "") == (a == "") || revision < -1 || wrong != "" && revision != -1 {
			t.Fatalf("%q, %d, %q", a, revision, wrong)
		}
		if !utf8.ValidString(wrong) || strings.ContainsFunc(wrong, unicode.IsControl) || len(wrong) > 400 {
			t.Fatalf("unfit for a record: %q", wrong)
		}
		if wrong != "" {
			return
		}
		v, err := jsontext.Parse([]byte(a), jsontext.Refuse)
		if err != nil || string(v.AppendCanonical(nil)) != string(a) {
			t.Fatalf("%s is not canonical: %v", a, err)
		}
	})
}
