package gametest

import (
	"encoding/json"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// oddWords are strings that rules have stumbled over; the long one must be cut or refused.
var oddWords = []string{"", "x", "0", "hello there", "a\x00b", "caf\u00e9", "\u202eltr", "</script>", "null", strings.Repeat("long ", 1000)}

// oddNumbers are JSON numbers at the edges of what a field may hold.
var oddNumbers = []string{"0", "1", "2", "3", "-1", "7", "63", "64", "1.5", "1e400", "9007199254740993", "-0"}

// oddBytes are texts that no decoder may panic on.
var oddBytes = []string{"", "null", "true", "[]", "{}", "{", "\"", "[[[[", strings.Repeat("[", 100), "\xef\xbb\xbf3", " 3 ", "3 4",
	"\xff\xfe", `{"a":1,"a":1}`, `"\ud800"`, "NaN", "1e999999999", strings.Repeat("9", 400), strings.Repeat("{\"a\":", 50)}

// mutate draws a relative of one JSON value: a word, number or member of it changed.
func mutate(t *rapid.T, data string) string {
	var v any
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return data
	}
	out, err := json.Marshal(change(t, v))
	if err != nil { // a number that JSON does not have
		return data
	}
	return string(out)
}

func change(t *rapid.T, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			return v
		}
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		key := rapid.SampledFrom(keys).Draw(t, "member")
		if rapid.IntRange(0, 7).Draw(t, "drop") == 7 {
			delete(v, key)
		} else {
			v[key] = change(t, v[key])
		}
		return v
	case []any:
		if len(v) == 0 {
			return append(v, json.Number(rapid.SampledFrom(oddNumbers).Draw(t, "number")))
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "element")
		v[i] = change(t, v[i])
		return v
	case string:
		return rapid.SampledFrom(oddWords).Draw(t, "word")
	case json.Number:
		return json.Number(rapid.SampledFrom(oddNumbers).Draw(t, "number"))
	case bool:
		return !v
	default:
		return rapid.SampledFrom([]any{nil, "x", json.Number("1")}).Draw(t, "value")
	}
}

// noise draws bytes that may or may not look like one of the samples.
func noise(t *rapid.T, samples []string) string {
	switch kind := rapid.IntRange(0, 5).Draw(t, "noise"); {
	case kind == 0:
		return string(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes"))
	case kind == 1 || len(samples) == 0:
		return rapid.SampledFrom(oddBytes).Draw(t, "odd")
	case kind == 2:
		s := rapid.SampledFrom(samples).Draw(t, "sample")
		return s[:rapid.IntRange(0, len(s)).Draw(t, "cut")]
	case kind == 3:
		return rapid.SampledFrom(samples).Draw(t, "sample") + rapid.SampledFrom(oddBytes).Draw(t, "odd")
	default:
		return mutate(t, rapid.SampledFrom(samples).Draw(t, "sample"))
	}
}
