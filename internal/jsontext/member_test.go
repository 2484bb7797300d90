package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// acceptable is what ParseObject should accept, by encoding/json: an object, without duplicate names, not too deep, nothing after it.
// Numbers beyond a float64 are left to the text.
func acceptable(text []byte) bool {
	text = bytes.TrimPrefix(bytes.ToValidUTF8(text, []byte(string(utf8.RuneError))), []byte("\ufeff"))
	if !json.Valid(text) || len(bytes.TrimLeft(text, " \t\r\n")) == 0 || bytes.TrimLeft(text, " \t\r\n")[0] != '{' {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	type level struct {
		object bool
		key    bool // a name comes next
		names  map[string]bool
	}
	var open []level
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return true
		}
		if err != nil {
			return false
		}
		var top *level
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		switch tok := tok.(type) {
		case json.Delim:
			if tok == '}' || tok == ']' {
				open = open[:len(open)-1]
				continue
			}
			if top != nil && top.object {
				top.key = true
			}
			open = append(open, level{object: tok == '{', key: tok == '{', names: map[string]bool{}})
			if len(open) > MaxDepth {
				return false
			}
		default:
			if top == nil || !top.object {
				continue
			}
			if name, ok := tok.(string); ok && top.key {
				if top.names[name] {
					return false
				}
				top.names[name] = true
				top.key = false
				continue
			}
			top.key = true
		}
	}
}

// text draws JSON objects and what is nearly one: pieces of the grammar in likely and unlikely order.
func text() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, `"\u0061"`, `""`, `"\ud83d"`, `"\ud83d\ude00"`, `"\ud83d\u0061"`, `"\udc00"`, `"\u+123"`, `"\x"`, `"`,
		"0", "-0", "01", "1.5", "1.", ".5", "1e400", "1E+2", "1e", "-", "true", "false", "null", "nul", "True", " ", "\n", "\v", "\ufeff", "\xff", "\"\xff\"", "\"\x00\"", "é",
	})
	value := rapid.Deferred(func() *rapid.Generator[string] { return valueText(2) })
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(piece, 0, 12), func(p []string) string { return strings.Join(p, "") }),
		rapid.Map(rapid.SliceOfN(piece, 0, 8), func(p []string) string { return `{"x":` + strings.Join(p, "") + "}" }),
		rapid.Map(value, func(v string) string { return `{"x":` + v + `,"y":1}` }),
		rapid.Map(rapid.IntRange(28, 36), func(n int) string {
			return `{"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
		}),
		rapid.Map(rapid.IntRange(28, 36), func(n int) string { return strings.Repeat(`{"x":`, n) + "[]" + strings.Repeat("}", n) }),
		rapid.Custom(func(t *rapid.T) string { // many names, perhaps one twice
			n := rapid.IntRange(0, 40).Draw(t, "n")
			names := []string{"{"}
			for range n {
				names = append(names, `"`+rapid.StringMatching("[a-c]{0,4}").Draw(t, "name")+`":0`, ",")
			}
			return strings.Join(append(names, `"z":0}`), "")
		}),
	)
}

func valueText(depth int) *rapid.Generator[string] {
	leaf := rapid.SampledFrom([]string{`"a"`, "1", "-2.5e3", "null", "true", `"\n\"\\\/"`, "{}", "[ ]"})
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(valueText(depth-1), 0, 3), func(v []string) string { return "[" + strings.Join(v, " , ") + "]" }),
		rapid.Map(rapid.SliceOfN(valueText(depth-1), 0, 3), func(v []string) string {
			var b strings.Builder
			for i, x := range v {
				b.WriteString(`,"` + string(rune('a'+i%2)) + `" : ` + x)
			}
			return "{" + strings.TrimPrefix(b.String(), ",") + "}"
		}))
}

// TestParseObject compares with encoding/json: what is accepted, and what strings and numbers read as.
func TestParseObject(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		in := text().Draw(t, "text")
		ok := agrees(t, []byte(in))
		seen[ok]++
	})
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("%d accepted, %d refused: one side was never tried", seen[true], seen[false])
	}
}

// agrees fails where ParseObject and encoding/json read text differently, and tells whether it is accepted.
func agrees(t interface {
	Fatalf(string, ...any)
}, text []byte) bool {
	o, err := ParseObject(text, Replace)
	if want := acceptable(text); (err == nil) != want {
		t.Fatalf("%q: %v; acceptable: %v", text, err, want)
	}
	if err != nil {
		return false
	}
	var model map[string]json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(bytes.ToValidUTF8(text, []byte("\ufffd")), []byte("\ufeff")), &model); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if len(o) != len(model) {
		t.Fatalf("%q: %d members, want %d", text, len(o), len(model))
	}
	for _, m := range o {
		if raw := model[m.Name]; string(raw) != m.Raw {
			t.Fatalf("%q: %s is %q, want %q", text, m.Name, m.Raw, raw)
		}
		var s string
		if m.Kind == String {
			if err := json.Unmarshal(model[m.Name], &s); err != nil || s != m.Text {
				t.Fatalf("%q: %s reads as %q, want %q (%v)", text, m.Name, m.Text, s, err)
			}
		}
	}
	return true
}

// TestManyNames: one object with very many names costs little, and a duplicate among them is found.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first":0`)
	for i := 0; b.Len() < 16384-20; i++ {
		b.WriteString(`,"` + string(rune(0x4e00+i)) + `":0`)
	}
	if _, err := ParseObject([]byte(b.String()+"}"), Replace); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"first", "\u4e00", "\u4e0e", "\u4e0f", "\u4e10", "\u5000"} {
		if _, err := ParseObject([]byte(b.String()+`,"`+name+`":0}`), Replace); err == nil || !strings.Contains(err.Error(), `duplicate name "`+name+`"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMembers: what the members of an object are taken for, and what is said of those that do not fit.
func TestMembers(t *testing.T) {
	o, err := ParseObject([]byte(`{"s":"\u0061","none":null,"n":7,"f":70e-1,"half":0.5,"minus":-1,"big":9007199254740993,"far":1e400,"wide":1e17,
		"list":["x","\ud800y"],"mixed":["x",1],"empty":[ ],"o":{},"t":true}`), Replace)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"s": "a", "none": "there is no none", "other": "there is no other", "n": "n is a number, not a string", "t": "t is a boolean, not a string",
	} {
		got, err := o.Text(name)
		if err != nil {
			got += err.Error()
		}
		if got != want {
			t.Errorf("Text %s: %s, want %s", name, got, want)
		}
		if has := name == "s" || name == "n" || name == "t"; o.Has(name) != has {
			t.Errorf("Has %s is %v", name, !has)
		}
	}
	for _, tt := range []struct {
		name string
		most int64
		want string
	}{
		{"n", 7, "7"}, {"n", 6, `n: "7" is not 0 to 6`}, {"f", 7, "7"}, {"half", 9, `half: "0.5" is no integer`}, {"minus", 9, `minus: "-1" is not 0 to 9`},
		{"big", math.MaxInt64, "9007199254740993"}, {"far", math.MaxInt64, `far: "1e400" is no integer`}, {"wide", math.MaxInt64, `wide: "1e17" is no integer`},
		{"s", 9, "s is a string, not a number"}, {"none", 9, "there is no none"}, {"o", 9, "o is an object, not a number"},
	} {
		n, err := o.Int(tt.name, tt.most)
		got := strconv.FormatInt(n, 10)
		if err != nil {
			if n != 0 {
				t.Errorf("%d beside %v", n, err)
			}
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Int %s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for name, want := range map[string]string{
		"list": `["x" "\ufffdy"]`, "mixed": "item 1 is a number, not a string", "empty": "[]", "s": "a string, not an array", "o": "an object, not an array",
	} {
		m, err := o.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := m.Strings()
		got := fmt.Sprintf("%+q", list)
		if err != nil {
			if list != nil {
				t.Errorf("%q beside %v", list, err)
			}
			got = err.Error()
		}
		if got != want {
			t.Errorf("Strings of %s: %s, want %s", name, got, want)
		}
	}
}
