package jsontext

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

// canonical is the whole way of a text.
func canonical(text []byte) (string, error) {
	v, err := Parse(text, Refuse)
	if err != nil {
		return "", err
	}
	return string(v.AppendCanonical(nil)), nil
}

// TestRFC8785 has the samples of RFC 8785, sections 3.2.2 and 3.2.3.
func TestRFC8785(t *testing.T) {
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
		got, err := canonical([]byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%s", tt.name, err, gocmp.Diff(tt.want, string(got)))
		}
	}
}

// TestOrder has names in canonical order, each with all that come after it.
func TestOrder(t *testing.T) {
	names := []string{"", "\t", "a", "aa", "aé", "b", "é", "é\U00010000", "é\ue000", "\ud7ff", "\U00010000", "\U00010000a", "\U00010001", "\U0010ffff", "\ue000", "\uffff"}
	for i, a := range names {
		for k, b := range names {
			if got, want := cmp.Compare(compareUTF16(a, b), 0), cmp.Compare(i, k); got != want {
				t.Errorf("%+q, %+q: %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestRFC8785Numbers has the numbers of RFC 8785, appendix B.
func TestRFC8785Numbers(t *testing.T) {
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
			if got, err := canonical([]byte(in)); err != nil || string(got) != want {
				t.Errorf("%s: %s, %v; want %s", in, got, err, want)
			}
		}
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

// TestReference compares with an implementation of RFC 8785 that is not ours.
func TestReference(t *testing.T) {
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
		got, err := canonical(text)
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
		again, err := canonical([]byte(got))
		if err != nil || again != got {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}
