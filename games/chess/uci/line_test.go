package uci

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

func TestInfo(t *testing.T) {
	tests := []struct {
		name string
		text string // lines after the word info
		want string // meta
	}{
		{"nothing", "", ""},
		{"usual", "depth 12 seldepth 18 multipv 1 score cp 31 nodes 4711 nps 999 hashfull 3 tbhits 0 time 5 pv e2e4 e7e5 g1f3",
			`{"cp":31,"depth":12,"nodes":4711,"pv":"e2e4 e7e5 g1f3","seldepth":18}`},
		{"mate", "depth 3 score mate -2 nodes 5", `{"depth":3,"mate":-2,"nodes":5}`},
		{"mate in none", "depth 0 score mate 0", `{"mate":0}`},
		{"bound", "depth 3 score cp 40 lowerbound nodes 5", `{"bound":"lower","cp":40,"depth":3,"nodes":5}`},
		{"a bound no more", "depth 3 score cp 40 upperbound\ndepth 3 score cp 35", `{"cp":35,"depth":3}`},
		{"the last counts", "depth 1 score cp 1 pv a2a3\ndepth 2 score mate 5", `{"depth":2,"mate":5,"pv":"a2a3"}`},
		{"other variations", "depth 2 multipv 1 score cp 1\ndepth 2 multipv 2 score cp -99 pv a2a3", `{"cp":1,"depth":2}`},
		{"words of its own", "string depth 7 score cp 3 pv e2e4", ""},
		{"refutation", "score cp 1 depth 4 refutation d1h5 g6h5 depth 9", `{"cp":1,"depth":4}`},
		{"no numbers", "depth x nodes -3 score cp high pv", ""},
		{"a name without a value", "depth", ""},
		{"cp without score", "cp 30", ""},
		{"too large", "depth 99999999999 nodes 9223372036854775807 score cp 99999999999", `{"cp":1000000,"depth":1000,"nodes":9007199254740992}`},
		{"larger than that", "nodes 99999999999999999999999 score cp 2", `{"cp":2}`},
		{"a long variation", "pv" + strings.Repeat(" e2e4 e7e5", 500), `{"pv":"` + strings.TrimSpace(strings.Repeat("e2e4 e7e5 ", maxPV/2)) + `"}`},
		{"no move ends it", `pv e2e4 e7" e4e5 nodes 5`, `{"nodes":5,"pv":"e2e4"}`},
		{"a depth without a score", "depth 4 score cp 1\ndepth 5 currmove e2e4", `{"cp":1,"depth":4}`},
		{"promotion", "pv e7e8q", `{"pv":"e7e8q"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var x info
			for line := range strings.SplitSeq(tt.text, "\n") {
				x.read(line)
			}
			if diff := cmp.Diff(tt.want, string(x.meta())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMoveLike(t *testing.T) {
	for s, want := range map[string]bool{
		"e2e4": true, "a1h8": true, "e7e8q": true, "e7e8Q": true, "e7e8n": true, "0000": true, "a1a1": true,
		"": false, "e2": false, "e2-e4": false, "E2E4": false, "i1a1": false, "a0a1": false, "a1a9": false, "e7e8k": false, "e7e8p": false,
		"e2e4qq": false, "(none)": false, "O-O": false, "00000": false, "é2e4": false, "e2e4\x00": false,
	} {
		if got := moveLike(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestLabel: whatever an engine calls itself, an agent may be called so.
func TestLabel(t *testing.T) {
	for text, want := range map[string]string{
		"Stockfish 15.1": "Stockfish 15.1", "": "", "\x1b[31mred\x00\x9b\xff": "\uFFFD[31mred\uFFFD\uFFFD", "a\u2028b\u0085": "a\uFFFDb\uFFFD",
		strings.Repeat("é", 65): strings.Repeat("é", 64), strings.Repeat("x", 63) + " yz": strings.Repeat("x", 63), strings.Repeat("\xff", 300): "\uFFFD",
	} {
		got := label(text)
		if got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
		s := setup(t, "m", "", referee.Clock{})
		s.Seats[0].Agent.Name = got
		s.MaxSteps = 1
		play(t, s, random(), random()) // which fails if no agent may have that name
	}
}

func TestParseOption(t *testing.T) {
	const low, high = -1 << 63, 1<<63 - 1
	tests := []struct {
		line string
		want *Option // nil: none
	}{
		{"name Hash type spin default 16 min 1 max 1024", &Option{Name: "Hash", Type: "spin", Default: "16", Min: 1, Max: 1024}},
		{"name Skill  Level type spin default -5 min -20 max 20", &Option{Name: "Skill Level", Type: "spin", Default: "-5", Min: -20, Max: 20}},
		{"name Clear Hash type button", &Option{Name: "Clear Hash", Type: "button", Min: low, Max: high}},
		{"name Style type combo default Very Wild var Solid var Very Wild", &Option{Name: "Style", Type: "combo", Default: "Very Wild", Vars: []string{"Solid", "Very Wild"}, Min: low, Max: high}},
		{"name Book type string default a min b", &Option{Name: "Book", Type: "string", Default: "a min b", Min: low, Max: high}},
		{"name Debug Log File type string default", &Option{Name: "Debug Log File", Type: "string", Min: low, Max: high}},
		{"name P type check default true", &Option{Name: "P", Type: "check", Default: "true", Min: low, Max: high}},
		{"name X type string default \x1b[31m\xff", &Option{Name: "X", Type: "string", Default: "\uFFFD[31m\uFFFD", Min: low, Max: high}},
		{"", nil},
		{"name", nil},
		{"name type spin", nil},
		{"name X type", nil},
		{"name X", nil},
		{"X type spin", nil},
		{"name X type dial default 1", nil},
		{"name X type spin min low", nil},
		{"name X type spin max 99999999999999999999", nil},
		{"name X\x01 type check", nil},
		{"name " + strings.Repeat("x", maxName+1) + " type check", nil},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			got, ok := parseOption(tt.line)
			if tt.want == nil {
				if ok {
					t.Errorf("%+v", got)
				}
				return
			}
			if diff := cmp.Diff(*tt.want, got); !ok || diff != "" {
				t.Error(ok, diff)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	var declared []Option
	for _, line := range []string{
		"name Hash type spin default 16 min 1 max 64", "name Clear Hash type button", "name Ponder type check default false",
		"name Style type combo default Solid var Solid var Very Wild", "name Book type string default <empty>",
		"name Net type combo" + strings.Repeat(" var "+strings.Repeat("x", 100), 100),
	} {
		o, ok := parseOption(line)
		if !ok {
			t.Fatal(line)
		}
		declared = append(declared, o)
	}
	tests := []struct{ name, value, want, err string }{
		{"Hash", "32", "setoption name Hash value 32", ""},
		{"hash", "+007", "setoption name Hash value 7", ""},
		{"Hash", "0", "", "1 to 64"},
		{"Hash", "65", "", "1 to 64"},
		{"Hash", "99999999999999999999", "", "1 to 64"},
		{"Hash", "1.5", "", "1 to 64"},
		{"Hash", "", "", "1 to 64"},
		{"Clear Hash", "", "setoption name Clear Hash", ""},
		{"clear  hash", "", "setoption name Clear Hash", ""},
		{"Clear Hash", "now", "", "no value"},
		{"Ponder", "true", "setoption name Ponder value true", ""},
		{"Ponder", "yes", "", "true or false"},
		{"Style", "very wild", "setoption name Style value Very Wild", ""},
		{"Style", "Wild", "", "one of Solid, Very Wild"},
		{"Book", "my book.bin", "setoption name Book value my book.bin", ""},
		{"Book", "", "setoption name Book value <empty>", ""},
		{"Net", "y", "", "one of xxx"},
		{"Hashes", "1", "", `no option "Hashes"`},
	}
	for _, tt := range tests {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			got, err := command(declared, Setting{tt.name, tt.value})
			if err != nil && len(err.Error()) > 2048 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// checkLine puts a line through everything that reads lines.
func checkLine(t interface {
	Helper()
	Fatalf(string, ...any)
}, x *info, line string) {
	t.Helper()
	first, rest := word(line)
	if strings.ContainsAny(first, " \t") || len(first)+len(rest) > len(line) {
		t.Fatalf("words %q, %q of %q", first, rest, line)
	}
	x.read(rest)
	meta := x.meta()
	if len(x.pv) > maxPV || len(meta) > referee.MaxMeta {
		t.Fatalf("%d moves, %d bytes of %q", len(x.pv), len(meta), line)
	}
	if meta != nil {
		if canonical, err := game.Canonical(meta); err != nil || string(canonical) != string(meta) || !json.Valid(meta) {
			t.Fatalf("%s: %v; canonical: %s", meta, err, canonical)
		}
	}
	if move, ok := bestMove(rest); ok && len(move) > 5 {
		t.Fatalf("move %q", move)
	}
	o, ok := parseOption(rest)
	if !ok {
		return
	}
	if o.Name == "" || len(o.Name) > maxName || len(o.Vars) > maxVars || !oneLine(o.Name) {
		t.Fatalf("%+v of %q", o, line)
	}
	for _, value := range append(o.Vars, o.Default, "", "true", "0") {
		if s, err := command([]Option{o}, Setting{o.Name, value}); err == nil && strings.ContainsAny(s, "\r\n") {
			t.Fatalf("%q of %q", s, line)
		}
	}
}

func FuzzLine(f *testing.F) {
	seeds := []string{
		"info depth 12 seldepth 18 multipv 1 score cp 31 upperbound nodes 4711 time 5 pv e2e4 e7e5", "info score mate -3 string x",
		"option name Style type combo default Very Wild var Solid var Very Wild", "option name Hash type spin default 1 min -5 max 7",
		"bestmove e7e8q ponder a1a2", "bestmove (none)", "id name Fake \xff", "\x00", " \t ", "uciok",
	}
	if len(seeds) == 0 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) { checkLine(t, new(info), line) })
}

// TestLines: no sequence of lines, written in pieces of any size, makes a panic or is kept beyond its bounds; what arrives is what was
// written, less what is empty or too long.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		token := rapid.OneOf(rapid.SampledFrom([]string{
			"info", "depth", "score", "cp", "mate", "pv", "e2e4", "0000", "multipv", "1", "-7", "99999999999999999999", "string", "option", "name", "type",
			"spin", "combo", "var", "min", "max", "default", "bestmove", "upperbound", "nodes", "currline",
		}), rapid.String())
		var x info
		lines := make(chan string, 64)
		s := splitter{lines: lines, stop: nil, flooded: func() { t.Fatal("flood") }}
		s.left.Store(MaxOutput)
		var text strings.Builder
		var want []string
		for range rapid.IntRange(0, 20).Draw(t, "lines") {
			line := strings.Join(rapid.SliceOfN(token, 0, 12).Draw(t, "words"), " ")
			line = strings.ReplaceAll(line, "\n", " ")
			if rapid.IntRange(0, 9).Draw(t, "long") == 0 {
				line += strings.Repeat("q", MaxLine-rapid.IntRange(-2, 2).Draw(t, "room"))
			}
			text.WriteString(line + "\n")
			if line != "" && len(line) <= MaxLine {
				want = append(want, line)
			}
			checkLine(t, &x, line)
		}
		last := rapid.SampledFrom([]string{"", "without an end"}).Draw(t, "last")
		text.WriteString(last)
		for rest := []byte(text.String()); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			if m, err := s.Write(rest[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			if len(s.part) > MaxLine+1 || cap(s.part) > 4*MaxLine {
				t.Fatalf("keeps %d bytes in %d", len(s.part), cap(s.part))
			}
			rest = rest[n:]
		}
		s.flush()
		close(lines)
		if last != "" {
			want = append(want, last)
		}
		var got []string
		for line := range lines {
			got = append(got, line)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
