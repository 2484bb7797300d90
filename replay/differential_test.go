package replay_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// scalar matches a member whose value is no list and no object.
var scalar = regexp.MustCompile(`,?"[a-z_]+":("[^"\\]*"|-?[0-9.]+|true|"[^"]*\\"[^}]*?")`)

// number matches the end of a name, and an integer behind it.
var number = regexp.MustCompile(`":[1-9][0-9]*`)

// odd are values that a member may be given.
var odd = []string{"0", "1", "-1", "2", "64", "1.0", "1.5", "1e3", "9007199254740993", "1152921504606846977", "9223372036854775808", "01", "-0", `""`, `"x"`, `"host"`, `"chance"`, `"\u0061"`,
	`"\n"`, `"é"`, "\"\u2028\"", "null", "true", "false", "[]", "[1]", "{}", `{"a":1}`, `[1,0]`, `"late"`, `"strike"`, `"forfeit"`, `"void"`}

// mutate changes a line as somebody might who does not know the format well, or all too well.
func mutate(r *rand.Rand, line string) string {
	members := scalar.FindAllStringIndex(line, -1)
	if len(members) == 0 {
		return line
	}
	m := members[r.IntN(len(members))]
	before, member, after := line[:m[0]], line[m[0]:m[1]], line[m[1]:]
	switch r.IntN(8) {
	case 6, 7: // another number
		numbers := number.FindAllStringIndex(line, -1)
		if len(numbers) == 0 {
			return line
		}
		m := numbers[r.IntN(len(numbers))]
		n, err := strconv.ParseInt(line[m[0]+2:m[1]], 10, 64)
		if err != nil {
			return line
		}
		step := []int64{1, 10, 100, 250, 1000, 10_000, 60_000}[r.IntN(7)]
		return line[:m[0]+2] + strconv.FormatInt(n+step*int64(r.IntN(7)-3), 10) + line[m[1]:]
	case 0: // another value
		colon := strings.Index(member, ":")
		return before + member[:colon+1] + odd[r.IntN(len(odd))] + after
	case 1, 2: // left out
		return before + after
	case 3: // twice
		return before + member + member + after
	case 4: // another byte
		i := r.IntN(len(line))
		return line[:i] + string(" \"0123,:-{}[]x\\"[r.IntN(15)]) + line[i+1:]
	}
	i := r.IntN(len(line)) // one byte less
	return line[:i] + line[i+1:]
}

// rechain gives lines new hashes, and a new seal where the last one is one.
func rechain(lines []string) []byte {
	var out []byte
	var leaves [][32]byte
	var prev [32]byte
	for _, line := range lines {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, `{"k":"seal"`) {
			seal, err := replay.Sealer()("m", leaves)
			if err != nil {
				return nil
			}
			out = append(append(out, seal...), '\n')
			continue
		}
		if at := strings.LastIndex(line, `"prev":"`); at >= 0 && at+8+43 <= len(line) {
			line = line[:at+8] + base64.RawURLEncoding.EncodeToString(prev[:]) + line[at+8+43:]
		}
		prev = referee.LeafHash([]byte(line))
		leaves = append(leaves, prev)
		out = append(append(out, line...), '\n')
	}
	return out
}

// verdict is what a driver of verify.mjs would print, without attestations.
func verdict(r *replay.Report) string {
	line, fault := int64(0), "-"
	if r.Fault != nil {
		line, fault = r.Fault.Line, code(r.Fault)
	}
	return fmt.Sprintf("%s %d %s", strings.ReplaceAll(r.Status.String(), " ", "-"), line, fault)
}

// TestJavaScriptMutants changes lines of good records and chains them anew, and
// asks both verifiers. They may differ where the page says so, nowhere else.
func TestJavaScriptMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of records")
	}
	r := rand.New(rand.NewPCG(2026, 13))
	_, files := embedded(t)
	var records [][]byte
	for range 120 {
		for _, name := range []string{"eventful", "ruled", "sent", "eliminated", "forfeit", "void", "agreed", "expired", "timed", "timed-sent"} {
			all := lines(files[name+".jsonl"])
			i := r.IntN(len(all))
			all[i] = mutate(r, strings.TrimSuffix(all[i], "\n"))
			records = append(records, rechain(slices.Clone(all)))
		}
	}
	texts := make([]string, len(records))
	for i, record := range records {
		texts[i] = base64.StdEncoding.EncodeToString(record)
	}
	dir := t.TempDir()
	file, keyFile := filepath.Join(dir, "records.json"), filepath.Join(dir, "keys.json")
	b, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	_, keys := vectorKeys(t)
	for path, b := range map[string][]byte{file: b, keyFile: keysFile(t, keys)} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := strings.Split(strings.TrimSpace(runNode(t, "testdata/driver.mjs", "many", keyFile, file)), "\n")
	if len(got) != 2*len(records) {
		t.Fatalf("%d verdicts on %d records", len(got), len(records))
	}
	tally := map[string]int{}
	for i, record := range records {
		with := verifyBy(t, record, vectorRules)
		for k, report := range []*replay.Report{with, verifyBy(t, record, replay.Rules(game.New(kuhn{})))} {
			want := verdict(report)
			have := got[2*i+k][:strings.LastIndex(got[2*i+k], " ")]
			tally[report.Status.String()]++
			switch {
			case have == want:
			case allowed(have, with):
				tally["differs"]++
			default:
				t.Fatalf("rules %d: %s, want %s (%v)\n%s", k, have, want, report, record)
			}
		}
	}
	t.Log(tally)
	if tally["valid"] < 100 || tally["not re-run"] < 100 || tally["invalid"] < 1000 || tally["differs"] > len(records)/20 {
		t.Errorf("the mutants are not what they should be: %v", tally)
	}
}

// allowed reports whether the page lets a verdict differ from what Verify finds
// with the rules: a range that is judged with the form of its line.
func allowed(have string, with *replay.Report) bool {
	if with.Fault == nil { // a game or version that is none has no range to be out of
		return have == "invalid 1 form" && (with.Start.Game == "" || with.Start.Version == "")
	}
	return code(with.Fault) == "rules" && have == fmt.Sprintf("invalid %d form", with.Fault.Line)
}
