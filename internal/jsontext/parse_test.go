package jsontext

import (
	"fmt"
	"strings"
	"testing"
)

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestParseAccepts(t *testing.T) {
	tests := []struct{ in, want string }{
		{"3", "3"}, {" \t\r\n3\n", "3"}, {"-0", "0"}, {"3.0", "3"}, {"1e2", "100"}, {"-1.50", "-1.5"}, {"1e-400", "0"},
		{`"e2e4"`, `"e2e4"`}, {`"\u0065\/"`, `"e/"`}, {`"<&>` + "\u2028\x7f" + `"`, `"<&>` + "\u2028\x7f" + `"`},
		{`"\u0000\u001F\b\f"`, `"\u0000\u001f\b\f"`}, {`"\uD83D\uDE00"`, `"😀"`}, {`"\uFFFD` + "\uffff" + `"`, "\"\ufffd\uffff\""},
		{`{"row":4,"col":[1,{}]}`, `{"col":[1,{}],"row":4}`}, {`{"":1,"a":{"b":null}}`, `{"":1,"a":{"b":null}}`},
		{"\ufeff3", "3"}, {nested(32), nested(32)}, {"1e20", "100000000000000000000"},
	}
	for _, tt := range tests {
		if got, err := canonical([]byte(tt.in)); err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	many := "{" // over the bound where names are looked up in a map
	for i := range 40 {
		many += fmt.Sprintf(`"n%d":0,`, i)
	}
	tests := []struct{ name, in, want string }{
		{"nothing", "", "byte 0: unexpected end"},
		{"white space", " \n", "unexpected end"},
		{"two values", "1 2", "byte 2: something after the value"},
		{"trailing bytes", `{"a":1}x`, "after the value"},
		{"a mark inside", "3\ufeff", "after the value"},
		{"duplicate", `{"a":1,"b":2,"a":1}`, `duplicate name "a"`},
		{"duplicate by escape", `{"a":1,"\u0061":1}`, `byte 7: duplicate name "a"`},
		{"duplicate inside", `[{"x":{"a":1,"a":2}}]`, `duplicate name "a"`},
		{"duplicate among many", many + `"n3":1}`, `duplicate name "n3"`},
		{"duplicate at the bound", many[:strings.Index(many, `"n16"`)] + `"n15":1}`, `duplicate name "n15"`},
		{"depth", nested(33), "byte 32: nested over 32 deep"},
		{"depth of objects", strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), "deep"},
		{"UTF-8", "\"é\xff\"", "byte 3: invalid UTF-8"},
		{"UTF-8 outside", "\xff", "byte 0: unexpected"},
		{"UTF-8 before an escape", "\"\xff\\n\"", "byte 1: invalid UTF-8"},
		{"UTF-8 after an escape", "\"\\n\xff\"", "byte 3: invalid UTF-8"},
		{"UTF-8 surrogate", "\"\xed\xa0\x80\"", "UTF-8"},
		{"UTF-8 cut", "\"\xe2\x82\"", "UTF-8"},
		{"high surrogate alone", `"\ud800"`, "lone surrogate"},
		{"low surrogate alone", `"\udc00"`, "lone surrogate"},
		{"two high surrogates", `"\ud800\ud800"`, "lone surrogate"},
		{"surrogate in a name", `{"\ud800x":1}`, "lone surrogate"},
		{"range", " 1e400", "byte 1: number beyond a float64"},
		{"range below", "-1e309", "float64"},
		{"leading zero", "01", "after the value"},
		{"plus", "+1", "unexpected"},
		{"dot", "1.", "bad number"},
		{"no digit", ".5", "unexpected"},
		{"exponent", "1e", "bad number"},
		{"minus", "-", "bad number"},
		{"NaN", "NaN", "unexpected"},
		{"word", " nul", "byte 1: a word"},
		{"word case", "True", "unexpected"},
		{"control", "\"a\nb\"", "byte 2: control"},
		{"escape", `"\x41"`, "escape"},
		{"escape hex", `"\u00g0"`, "escape"},
		{"escape cut", `"\u00`, "escape"},
		{"open string", `"abc`, "unexpected end"},
		{"open escape", `"abc\`, "unexpected end"},
		{"open array", "[1", "unexpected end"},
		{"open object", `{"a"`, "unexpected end"},
		{"comma", "[1,]", "unexpected"},
		{"comma in object", `{"a":1,}`, "unexpected"},
		{"no colon", `{"a" 1}`, "unexpected"},
		{"name", "{a:1}", "unexpected"},
		{"comment", "/**/1", "unexpected"},
		{"values", "[" + strings.Repeat("0,", 1<<16) + "0]", "65,536"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canonical([]byte(tt.in))
			if err == nil || got != "" || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%.60q: %.60q, %v; want an error with %q", tt.in, got, err, tt.want)
			}
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

// TestParseReplaces: the same text, refused, and read with U+FFFD in place of what is no Unicode.
func TestParseReplaces(t *testing.T) {
	tests := []struct{ in, want string }{
		{"\"\xff\"", "\"\ufffd\""},
		{"\"a\xff\xfeb\xc0\"", "\"a\ufffdb\ufffd\""}, // one for a run
		{`"\ud800"`, "\"\ufffd\""},
		{`"\udc00\ud800x"`, "\"\ufffd\ufffdx\""},
		{`"\ud800\u0041"`, "\"\ufffdA\""},
		{`"\ud800\ud83d\ude00"`, "\"\ufffd😀\""},
		{`{"\ud800":[1]}`, "{\"\ufffd\":[1]}"},
	}
	for _, tt := range tests {
		if v, err := Parse([]byte(tt.in), Refuse); err == nil {
			t.Errorf("%q: accepted as %+v", tt.in, v)
		}
		v, err := Parse([]byte(tt.in), Replace)
		if err != nil || string(v.AppendCanonical(nil)) != tt.want {
			t.Errorf("%q: %+v, %v; want %s", tt.in, v, err, tt.want)
		}
	}
	for _, in := range []string{"\xff", `{"\ud800":0,"\udfff":1}`, `"\ud800\u00g0"`, `"\ud80"`} {
		if v, err := Parse([]byte(in), Replace); err == nil {
			t.Errorf("%q: accepted as %+v", in, v)
		}
	}
}

// TestValue: where each value stands, and how members are found.
func TestValue(t *testing.T) {
	const text = "\ufeff {\"b\" : [ 1.50 , {} ], \"\\u0061\" : null, \"c\":\"\\t\" } "
	v, err := Parse([]byte(text), Refuse)
	if err != nil {
		t.Fatal(err)
	}
	b, a, c := v.Find("b"), v.Find("a"), v.Find("c")
	if v.Kind != Object || b == nil || a == nil || c == nil || b != &v.Items[0] || v.Find("d") != nil || b.Find("") != nil {
		t.Fatalf("%+v", v)
	}
	if a.Kind != Null || a.Raw != "null" || c.Text != "\t" || c.Raw != `"\t"` || b.Kind != Array || len(b.Items) != 2 {
		t.Errorf("a %+v, b %+v, c %+v", a, b, c)
	}
	if n := b.Items[0]; n.Kind != Number || n.Float != 1.5 || n.Raw != "1.50" {
		t.Errorf("%+v", n)
	}
	for _, at := range []*Value{v, a, b, c, &b.Items[0], &b.Items[1]} {
		if text[at.From:at.From+len(at.Raw)] != at.Raw {
			t.Errorf("%q does not stand at byte %d", at.Raw, at.From)
		}
	}
}
