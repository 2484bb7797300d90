package jsontext

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
)

// seed adds what the fuzz targets begin with.
func seed(f *testing.F) {
	list := []string{
		"3", `"e2e4"`, `{"col":4,"row":4}`, `{"type":"say","text":"\ud83d\ude00\u0000"}`, "[1e21,1e-7,-0,0.1,9007199254740993]", "\ufeff null",
		`{"b":[{}],"a":true}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "1e400", `"\ud800"`, `{"\ud800":"\udc00\ud800\u0041"}`, "\"\xff\xfe\"", "{\"\xe2\x82\":\"\xe2\"}",
		nested(32), nested(33), `{"a":{"a":{}}} x`, `{"legal":["a","b",null,3],"n":7.0}`, "{\"a\":\"\n\"}", `[tru,"\x"]`, "\xff",
	}
	if len(list) < 20 {
		f.Fatal("the seeds are gone")
	}
	for _, s := range list {
		f.Add([]byte(s))
	}
}

// FuzzParse: nothing panics or changes its input, what is accepted means to encoding/json what it means here, and its canonical form is
// that of another implementation, and its own.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		before := slices.Clone(data)
		v, err := Parse(data, Refuse)
		if !slices.Equal(before, data) {
			t.Fatal("the input was changed")
		}
		lax, laxErr := Parse(data, Replace)
		if err != nil {
			if v != nil || !strings.HasPrefix(err.Error(), "byte ") || len(err.Error()) > 400 {
				t.Fatalf("%v beside %v", v, err)
			}
			if laxErr == nil {
				if d := lax.AppendCanonical(nil); !json.Valid(d) || !strings.Contains(string(d), "\ufffd") {
					t.Fatalf("%q is refused (%v), but may be %q", data, err, d)
				}
			}
			return
		}
		if laxErr != nil || !reflect.DeepEqual(v, lax) { // go-cmp takes twice as long for each level
			t.Fatalf("%q is valid, and replacing changes it: %v", data, laxErr)
		}
		plain := strings.TrimPrefix(string(data), byteOrderMark)
		got := string(v.AppendCanonical(nil))
		if len(got) > 6*len(data)+8 {
			t.Fatalf("%d bytes from %d", len(got), len(data))
		}
		want, err := jcs.Transform([]byte(`{"":` + plain + "}")) // it takes objects and arrays alone
		if err != nil || `{"":`+got+"}" != string(want) {
			t.Fatalf("%q: %q, want %q, %v", data, got, want, err)
		}
		var a, b any
		if err := json.Unmarshal([]byte(plain), &a); err != nil {
			t.Fatalf("accepted %q: %v", data, err)
		}
		if err := json.Unmarshal([]byte(got), &b); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%q means something else as %q", data, got)
		}
	})
}

// FuzzParseObject compares with encoding/json, and with what is read when nothing is replaced.
func FuzzParseObject(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		accepted := agrees(t, data)
		lax, _ := ParseObject(data, Replace)
		strict, err := ParseObject(data, Refuse)
		if err == nil && !accepted {
			t.Fatalf("%q is accepted when nothing is replaced, and else refused", data)
		}
		if d := cmp.Diff(strict, lax); err == nil && d != "" {
			t.Fatalf("%q is valid, and replacing changes it:\n%s", data, d)
		}
		for _, m := range lax {
			v, err := Parse([]byte(m.Raw), Replace)
			if err != nil && !strings.HasSuffix(err.Error(), errRange.Error()) && !strings.HasSuffix(err.Error(), errValues.Error()) {
				t.Fatalf("%q is no value by itself: %v", m.Raw, err)
			}
			if err == nil && (v.Kind != m.Kind || v.Text != m.Text || v.Raw != m.Raw) {
				t.Fatalf("%+v by itself is %+v", m, v)
			}
		}
	})
}
