package agentarena

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// acceptable is what parseObject should accept, by encoding/json: an object, without duplicate names, not too deep, nothing after it.
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
			if len(open) > maxDepth {
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

// agrees fails where parseObject and encoding/json read text differently, and tells whether it is accepted.
func agrees(t interface {
	Fatalf(string, ...any)
}, text []byte) bool {
	o, err := parseObject(text)
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
		if raw := model[m.name]; string(raw) != m.raw {
			t.Fatalf("%q: %s is %q, want %q", text, m.name, m.raw, raw)
		}
		var s string
		if m.kind == kindString {
			if err := json.Unmarshal(model[m.name], &s); err != nil || s != m.str {
				t.Fatalf("%q: %s reads as %q, want %q (%v)", text, m.name, m.str, s, err)
			}
		}
	}
	return true
}

// TestManyNames: one object with as many names as a reply holds costs little, and a duplicate among them is found.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first":0`)
	for i := 0; b.Len() < MaxReply-20; i++ {
		b.WriteString(`,"` + string(rune(0x4e00+i)) + `":0`)
	}
	if _, err := parseObject([]byte(b.String() + "}")); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"first", "\u4e00", "\u4e0e", "\u4e0f", "\u4e10", "\u5000"} {
		if _, err := parseObject([]byte(b.String() + `,"` + name + `":0}`)); err == nil || !strings.Contains(err.Error(), `duplicate name "`+name+`"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
