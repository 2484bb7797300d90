package jsontext

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

// TestAppendString compares with encoding/json, in both directions.
func TestAppendString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.StringMatching(`["\\/\x00-\x1f\x7fé<>&\x{2028}]{0,20}`)).Draw(t, "s")
		got := AppendString(nil, s)
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if v, err := Parse(got, Refuse); err != nil || string(v.AppendCanonical(nil)) != string(got) {
			t.Fatalf("%q is not canonical: %v", got, err)
		}
		if want := strings.ToValidUTF8(s, string(utf8.RuneError)); back != want {
			t.Fatalf("%q reads as %q, want %q", got, back, want)
		}
	})
}

// TestAppendStringEscapes has what RFC 8785, section 3.2.2.2, escapes, and what it leaves alone.
func TestAppendStringEscapes(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", `""`},
		{"\b\t\n\f\r\"\\", `"\b\t\n\f\r\"\\"`},
		{"\x00\x01\v\x1f", `"\u0000\u0001\u000b\u001f"`},
		{"</&>\x7f\u0080\u2028\ufeff", "\"</&>\x7f\u0080\u2028\ufeff\""},
		{"é\"é\n", `"é\"é\n"`},
		{"a\n\xff\xfe\n\xffé\"", "\"a\\n\ufffd\\n\ufffdé\\\"\""},
		{"é\xc3", "\"é\ufffd\""},
		{"\xed\xa0\x80", "\"\ufffd\""},
	}
	for _, tt := range tests {
		if got := string(AppendString([]byte("x"), tt.in)); got != "x"+tt.want {
			t.Errorf("%q: %s, want x%s", tt.in, got, tt.want)
		}
	}
}

// TestAppendNumber compares every kind of number with its fewest digits as strconv gives them, whatever stands before it.
func TestAppendNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) }),
			rapid.Map(rapid.Int64Range(-1<<53-4, 1<<53+4), func(n int64) float64 { return float64(n) }),
			rapid.Map(rapid.IntRange(-330, 308), func(n int) float64 { return math.Pow10(n) }),
			rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1<<53 - 1, 1 << 53, -1 << 53, 1 << 63, -1 << 63, 1e21, 1e-6, 9.99e-7})).Draw(t, "x")
		got := string(AppendNumber([]byte("e-0"), x))
		var back float64
		if err := json.Unmarshal([]byte(got[3:]), &back); got[:3] != "e-0" || err != nil || back != x || len(got) > 3+25 {
			t.Fatalf("%v: %q, which reads as %v, %v", x, got, back, err)
		}
		if want, err := jcs.NumberToJSON(x); err != nil || got[3:] != want {
			t.Fatalf("%v: %q, want %q, %v", x, got, want, err)
		}
	})
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got, want := string(AppendNumber(nil, x)), strconv.FormatFloat(x, 'e', -1, 64); got != want {
			t.Errorf("%v: %q", x, got)
		}
	}
}

func TestQuote(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", `""`}, {"a\n\"b\xff", `"a\n\"b\xff"`},
		{strings.Repeat("é", 40), `"` + strings.Repeat("é", 40) + `"`},
		{strings.Repeat("é", 41), `"` + strings.Repeat("é", 40) + `"...`},
		{strings.Repeat("😀", 24), `"` + strings.Repeat("😀", 24) + `"`},
		{strings.Repeat("😀", 25), `"` + strings.Repeat("😀", 24) + `"...`},
	}
	for _, tt := range tests {
		if got := Quote(tt.in); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.in, got, tt.want)
		}
	}
}
