package game_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
)

func nested(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestCanonicalAccepts(t *testing.T) {
	tests := []struct{ in, want string }{
		{"3", "3"}, {" \t\r\n3.0\n", "3"}, {"-0", "0"}, {"1e-400", "0"}, {"9007199254740993", "9007199254740992"}, {"1e20", "100000000000000000000"},
		{`"\u0065\/"`, `"e/"`}, {`{"row":4,"col":[1,{}]}`, `{"col":[1,{}],"row":4}`}, {"\ufeff3", "3"}, {nested(32), nested(32)},
		{`"` + strings.Repeat("a", 1<<20-2) + `"`, `"` + strings.Repeat("a", 1<<20-2) + `"`},
	}
	for _, tt := range tests {
		if got, err := game.Canonical([]byte(tt.in)); err != nil || string(got) != tt.want {
			t.Errorf("%.60q: %.60q, %v; want %.60q", tt.in, got, err, tt.want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", "game: JSON: byte 0: unexpected end"},
		{"two values", "1 2", "game: JSON: byte 2: something after the value"},
		{"duplicate", `{"a":1,"\u0061":1}`, `game: JSON: byte 7: duplicate name "a"`},
		{"depth", nested(33), "game: JSON: byte 32: nested over 32 deep"},
		{"UTF-8", "\"\xff\"", "UTF-8"},
		{"high surrogate alone", `"\ud800"`, "lone surrogate"},
		{"range", "1e400", "game: JSON: byte 0: number beyond a float64"},
		{"size", `"` + strings.Repeat("a", 1<<20-1) + `"`, "game: JSON: over 1 MiB"},
		{"values", "[" + strings.Repeat("0,", 1<<16) + "0]", "over 65,536 values"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := game.Canonical([]byte(tt.in))
			if err == nil || got != "" || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%.60q: %.60q, %v; want an error with %q", tt.in, got, err, tt.want)
			}
		})
	}
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
