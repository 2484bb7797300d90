package game_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// TestCanonicalRFC8785 has the samples of RFC 8785, sections 3.2.2 and 3.2.3.
func TestCanonicalRFC8785(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"3.2.2",
			"{\n\"numbers\": [333333333.33333329, 1E30, 4.50,\n 2e-3, 0.000000000000000000000000001],\n" +
				`"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		{
			"3.2.3",
			`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",` +
				`"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\"," +
				"\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		},
	}
	for _, tt := range tests {
		got, err := game.Canonical([]byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%s", tt.name, err, cmp.Diff(tt.want, string(got)))
		}
	}
}

// TestCanonicalNumbers has the numbers of RFC 8785, appendix B.
func TestCanonicalNumbers(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0", 0x8000000000000000: "0",
		0x0000000000000001: "5e-324", 0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308", 0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992", 0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000", 0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23", 0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000", 0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21", 0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001", 0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325", 0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334", 0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333", 0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		for _, format := range []byte{'e', 'E', 'f'} {
			in := strconv.FormatFloat(math.Float64frombits(bits), format, -1, 64)
			if got, err := game.Canonical([]byte(in)); err != nil || string(got) != want {
				t.Errorf("%s: %s, %v; want %s", in, got, err, want)
			}
		}
	}
}

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestCanonicalAccepts(t *testing.T) {
	tests := []struct{ in, want string }{
		{"3", "3"}, {" \t\r\n3\n", "3"}, {"-0", "0"}, {"3.0", "3"}, {"1e2", "100"}, {"-1.50", "-1.5"}, {"1e-400", "0"},
		{`"e2e4"`, `"e2e4"`}, {`"\u0065\/"`, `"e/"`}, {`"<&>` + "\u2028\x7f" + `"`, `"<&>` + "\u2028\x7f" + `"`},
		{`"\u0000\u001F\b\f"`, `"\u0000\u001f\b\f"`}, {`"\uD83D\uDE00"`, `"😀"`}, {`"\uFFFD` + "\uffff" + `"`, "\"\ufffd\uffff\""},
		{`{"row":4,"col":[1,{}]}`, `{"col":[1,{}],"row":4}`}, {`{"":1,"a":{"b":null}}`, `{"":1,"a":{"b":null}}`},
		{"\ufeff3", "3"}, {nested(32), nested(32)}, {"1e20", "100000000000000000000"},
	}
	for _, tt := range tests {
		if got, err := game.Canonical([]byte(tt.in)); err != nil || string(got) != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	many := "{" // over the bound where names are looked up in a map
	for i := range 40 {
		many += fmt.Sprintf(`"n%d":0,`, i)
	}
	tests := []struct{ name, in, want string }{
		{"nothing", "", "unexpected end"},
		{"white space", " \n", "unexpected end"},
		{"two values", "1 2", "after the value"},
		{"trailing bytes", `{"a":1}x`, "after the value"},
		{"a mark inside", "3\ufeff", "after the value"},
		{"duplicate", `{"a":1,"b":2,"a":1}`, `duplicate name "a"`},
		{"duplicate by escape", `{"a":1,"\u0061":1}`, `duplicate name "a"`},
		{"duplicate inside", `[{"x":{"a":1,"a":2}}]`, `duplicate name "a"`},
		{"duplicate among many", many + `"n3":1}`, `duplicate name "n3"`},
		{"duplicate at the bound", many[:strings.Index(many, `"n16"`)] + `"n15":1}`, `duplicate name "n15"`},
		{"depth", nested(33), "deep"},
		{"depth of objects", strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), "deep"},
		{"UTF-8", "\"\xff\"", "UTF-8"},
		{"UTF-8 surrogate", "\"\xed\xa0\x80\"", "UTF-8"},
		{"UTF-8 cut", "\"\xe2\x82\"", "UTF-8"},
		{"high surrogate alone", `"\ud800"`, "lone surrogate"},
		{"low surrogate alone", `"\udc00"`, "lone surrogate"},
		{"two high surrogates", `"\ud800\ud800"`, "lone surrogate"},
		{"surrogate in a name", `{"\ud800x":1}`, "lone surrogate"},
		{"range", "1e400", "float64"},
		{"range below", "-1e309", "float64"},
		{"leading zero", "01", "after the value"},
		{"plus", "+1", "unexpected"},
		{"dot", "1.", "bad number"},
		{"no digit", ".5", "unexpected"},
		{"exponent", "1e", "bad number"},
		{"minus", "-", "bad number"},
		{"NaN", "NaN", "unexpected"},
		{"word", "nul", "word"},
		{"word case", "True", "unexpected"},
		{"control", "\"a\nb\"", "control"},
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
		{"size", `"` + strings.Repeat("a", 1<<20) + `"`, "1 MiB"},
		{"values", "[" + strings.Repeat("0,", 1<<16) + "0]", "65,536"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := game.Canonical([]byte(tt.in))
			if err == nil || got != "" || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%.60q: %.60q, %v; want an error with %q", tt.in, got, err, tt.want)
			}
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

// anyJSON draws a value as its text and, for what must come out, by the reference's transformation.
func anyJSON(depth int) *rapid.Generator[any] {
	leaf := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(), rapid.StringMatching(`[\x{e000}-\x{10ffff}a-z]{0,3}`).AsAny(),
		rapid.Float64().Filter(func(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }).AsAny(),
		rapid.Int64Range(-1<<53, 1<<53).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(leaf...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return anyJSON(depth - 1) })
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\x{e000}-\x{10ffff}a-c]{0,2}`))
	return rapid.OneOf(append(leaf, rapid.SliceOfN(inner, 0, 5).AsAny(), rapid.MapOfN(name, inner, 0, 5).AsAny())...)
}

// TestCanonicalReference compares with an implementation of RFC 8785 that is not ours.
func TestCanonicalReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := anyJSON(3).Draw(t, "value")
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "spaced") {
			if text, err = json.MarshalIndent(value, "", "\t"); err != nil {
				t.Fatal(err)
			}
		}
		got, err := game.Canonical(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want, err := jcs.Transform(text)
		if err != nil {
			t.Fatalf("reference: %s: %v", text, err)
		}
		if string(got) != string(want) {
			t.Fatalf("%s:\n got %s\nwant %s", text, got, want)
		}
		again, err := game.Canonical([]byte(got))
		if err != nil || again != got {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}

// jsonSeeds are where the fuzz targets begin.
func jsonSeeds() []string {
	return []string{
		"3", `"e2e4"`, `{"col":4,"row":4}`, `{"type":"say","text":"\ud83d\ude00\u0000"}`, "[1e21,1e-7,-0,0.1]", "\ufeff null",
		`{"b":[{}],"a":true}`, `{"a":1,"a":2}`, "1e400", `"\ud800"`, "\"\xff\"", nested(33), `{"COLUMNS":9}`, `{"columns":7.5}`, `{"columns":null}`,
	}
}

func FuzzCanonical(f *testing.F) {
	seeds := jsonSeeds()
	if len(seeds) < 10 {
		f.Fatal("the seeds are gone")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := slices.Clone(data)
		got, err := game.Canonical(data)
		if !slices.Equal(before, data) {
			t.Fatal("the input was changed")
		}
		plain := strings.TrimPrefix(string(data), "\ufeff")
		if err != nil {
			if got != "" {
				t.Fatalf("%q beside %v", got, err)
			}
			return
		}
		if !json.Valid([]byte(plain)) {
			t.Fatalf("accepted %q", data)
		}
		if len(got) > 6*len(data)+8 {
			t.Fatalf("%d bytes from %d", len(got), len(data))
		}
		if again, err := game.Canonical([]byte(got)); err != nil || again != got {
			t.Fatalf("%q became %q, %v", got, again, err)
		}
		var a, b any
		if err := json.Unmarshal([]byte(plain), &a); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(got), &b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(a, b); d != "" {
			t.Fatalf("%q means something else as %q:\n%s", data, got, d)
		}
	})
}
