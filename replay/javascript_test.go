package replay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// scripts reads what node is about to run, so that the go command knows that a
// cached result depends on it.
func scripts(t testing.TB) {
	t.Helper()
	for _, pattern := range []string{"*.mjs", "verifier/*.mjs", "testdata/*.mjs"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, files, err)
		}
		for _, file := range files {
			if _, err := os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// runNode gives what a script writes to its standard output.
func runNode(t testing.TB, args ...string) string {
	t.Helper()
	scripts(t)
	cmd := exec.CommandContext(t.Context(), need.Program(t, "node"), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("node: %v\n%.3000s", err, errs.String())
	}
	return out.String()
}

// jsReport is what verify.mjs reports.
type jsReport struct {
	Status string `json:"status"`
	Fault  *struct {
		Line   int64  `json:"line"`
		Code   string `json:"code"`
		Reason string `json:"reason"`
	} `json:"fault"`
	Events   int64            `json:"events"`
	Head     string           `json:"head"`
	Root     string           `json:"root"`
	Sealed   bool             `json:"sealed"`
	Torn     bool             `json:"torn"`
	Opened   bool             `json:"opened"`
	Counts   map[string]int64 `json:"counts"`
	Attested struct {
		Attestations []struct{ KeyID string }
		Code         string `json:"code"`
	} `json:"attested"`
}

// javascript verifies records by verify.mjs, one process for all.
func javascript(t testing.TB, keys *replay.Keys, names []string, records [][]byte) []jsReport {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	args := []string{"testdata/driver.mjs", "records", write("keys.json", keysFile(t, keys))}
	for i, name := range names {
		args = append(args, write(name, records[i]))
	}
	var reports []jsReport
	d := json.NewDecoder(strings.NewReader(runNode(t, args...)))
	for d.More() {
		var r jsReport
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	if len(reports) != len(records) {
		t.Fatalf("%d reports on %d records", len(reports), len(records))
	}
	return reports
}

// TestJavaScript holds verify.mjs against the manifest of the vectors, and
// against Verify: what both judge they judge alike.
func TestJavaScript(t *testing.T) {
	_, keys := vectorKeys(t)
	list, files := embedded(t)
	var names []string
	var records [][]byte
	for _, v := range list {
		names, records = append(names, v.File), append(records, files[v.File])
	}
	for i, got := range javascript(t, keys, names, records) {
		v := list[i]
		status, line, faultCode := v.Status, v.Line, v.Code
		if v.Game != "connect-four@1.0.0" && (v.Status == "valid" || v.Needs != "") {
			status, line, faultCode = "not re-run", 0, ""
		}
		gotLine, gotCode, reason := int64(0), "", ""
		if f := got.Fault; f != nil {
			gotLine, gotCode, reason = f.Line, f.Code, f.Reason
		}
		if got.Status != status || gotLine != line || gotCode != faultCode {
			t.Errorf("%s: %s, line %d: %s (%s); want %s, line %d: %s", v.File, got.Status, gotLine, gotCode, reason, status, line, faultCode)
			continue
		}
		r := verifyBy(t, records[i], vectorRules)
		if got.Torn != r.Torn || status == v.Status && got.Sealed != (r.Seal != nil) || status == "valid" && !got.Opened {
			t.Errorf("%s: torn %v, sealed %v, opened %v, want %v", v.File, got.Torn, got.Sealed, got.Opened, r)
		}
		if status != v.Status && v.Needs != "" {
			continue // it read on where Verify did not
		}
		if got.Events != v.Events || got.Head != v.Head || got.Root != v.Root {
			t.Errorf("%s: %d events, head %s, root %s; want %d, %s, %s", v.File, got.Events, got.Head, got.Root, v.Events, v.Head, v.Root)
		}
		c := r.Counts
		want := map[string]int64{"moves": c.Moves, "draws": c.Draws, "hostMoves": c.HostMoves, "faults": c.Faults, "claims": c.Claims, "rulings": c.Rulings, "resumes": c.Resumes}
		if d := cmp.Diff(want, got.Counts); d != "" {
			t.Errorf("%s: %s", v.File, d)
		}
		if v.Status != "valid" {
			continue
		}
		var attested any = float64(len(got.Attested.Attestations))
		if got.Attested.Code != "" {
			attested = got.Attested.Code
		}
		if attested != v.Attested {
			t.Errorf("%s: attested %v, want %v", v.File, attested, v.Attested)
		}
	}
}

// TestJavaScriptBounds are records that nobody keeps among the vectors, for
// they are large or strange.
func TestJavaScriptBounds(t *testing.T) {
	record := string(eventful(t, "golden:1").record(true))
	insert := func(to string) string { return strings.Replace(record, `"a":3,`, `"a":`+to+`,`, 1) }
	var names []string
	var records [][]byte
	for name, r := range map[string]string{
		"long":        insert(`"` + strings.Repeat("x", 1<<20) + `"`),
		"endless":     strings.Repeat("[", 3<<20),
		"deep":        insert(strings.Repeat("[", 33) + strings.Repeat("]", 33)),
		"deeper":      insert(strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19)),
		"many":        insert("[" + strings.Repeat("1,", 1<<16) + "1]"),
		"zeros":       strings.Repeat("\x00", 1<<16) + "\n",
		"numbers":     insert("1" + strings.Repeat("0", 400)),
		"huge time":   strings.Replace(record, `"t":1200,`, `"t":1`+strings.Repeat("0", 30)+`,`, 1),
		"escapes":     insert(`"\x"`),
		"words":       insert(`truth`),
		"prototypes":  insert(`{"__proto__":{"a":1}}`),
		"constructor": strings.Replace(record, `{"k":"move"`, `{"k":"constructor"`, 1),
		"binary":      "\xff\xfe\n" + record,
	} {
		names, records = append(names, name), append(records, []byte(r))
	}
	_, keys := vectorKeys(t)
	for i, got := range javascript(t, keys, names, records) {
		r := verifyBy(t, records[i], vectorRules)
		if r.Status != replay.Invalid || got.Status != "invalid" || got.Fault.Line != r.Fault.Line || got.Fault.Code != code(r.Fault) {
			t.Errorf("%s: %+v %+v; want %v", names[i], got, got.Fault, r)
		}
	}
}

// TestJavaScriptEveryBit flips each bit of records with a seal and two
// attestations: verify.mjs finds each, where Verify and Keys find it.
func TestJavaScriptEveryBit(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of records")
	}
	signers, keys := vectorKeys(t)
	l := vectorList{t: t, signers: signers}
	for name, events := range map[string][]referee.Event{"short": resigned(t, "bits"), "eventful": eventful(t, "bits").events} {
		t.Run(name, func(t *testing.T) { everyBit(t, keys, l.signed(events, "host", "witness")) })
	}
}

func everyBit(t *testing.T, keys *replay.Keys, record []byte) {
	dir := t.TempDir()
	file, keyFile := filepath.Join(dir, "record.jsonl"), filepath.Join(dir, "keys.json")
	for path, b := range map[string][]byte{file: record, keyFile: keysFile(t, keys)} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	verdicts := strings.Fields(strings.ReplaceAll(runNode(t, "testdata/driver.mjs", "bits", keyFile, file), " ", "|"))
	if len(verdicts) != 1+8*len(record) || verdicts[0] != "valid|0|-|attested" {
		t.Fatalf("%d verdicts, the first %s", len(verdicts), verdicts[0])
	}
	flipped := bytes.Clone(record)
	for bit, got := range verdicts[1:] {
		i := bit / 8
		flipped[i] ^= 1 << (bit % 8)
		r := verifyBy(t, flipped, vectorRules)
		_, err := keys.Check(r)
		if err == nil {
			t.Fatalf("bit %d of byte %d is not found here", bit%8, i)
		}
		line, fault, attested := int64(0), "-", r.Status.String()
		if r.Fault != nil {
			line, fault = r.Fault.Line, code(r.Fault)
		}
		if r.Status == replay.Valid {
			attested = code(err)
		}
		if fault == "rules" && strings.Contains(got, "|form|") { // a range may be judged with the form
			fault = "form"
		}
		if want := fmt.Sprintf("%v|%d|%s|%s", r.Status, line, fault, attested); got != want {
			t.Fatalf("bit %d of byte %d: %s, want %s (%v)\n%s", bit%8, i, got, want, err, flipped)
		}
		flipped[i] = record[i]
	}
}

// TestJavaScriptChance has matches with rules of a plug-in, Kuhn poker, of which
// verify.mjs draws the deals again: forged ones are found by both in the same line.
func TestJavaScriptChance(t *testing.T) {
	var names []string
	var records [][]byte
	forged := 0
	for i := range 12 {
		record := played(t, setup(t, game.New(kuhn{}), fmt.Sprint("deal-", i)), true)
		names, records = append(names, fmt.Sprint("good-", i)), append(records, record)
		events, _ := read(t, record)
		if events[1].Action != `"KQ"` {
			events[1].Action = `"KQ"`
			names, records = append(names, fmt.Sprint("forged-", i)), append(records, write(t, events, true))
			forged++
		}
		events, _ = read(t, record)
		events[1].Time++
		for k := range events[2:] {
			events[k+2].Time = max(events[k+2].Time, events[1].Time)
		}
		names, records = append(names, fmt.Sprint("delayed-", i)), append(records, write(t, events, true))
	}
	events, _ := read(t, records[0])
	events[0].X.Start.Seats[1].Policy.Late = referee.DoDefault // and Kuhn poker has none
	names, records = append(names, "default"), append(records, write(t, events, true))
	if forged < 6 {
		t.Fatalf("%d forged deals", forged)
	}
	_, keys := vectorKeys(t)
	for i, got := range javascript(t, keys, names, records) {
		r := verify(t, records[i])
		line, fault := int64(0), ""
		if got.Fault != nil {
			line, fault = got.Fault.Line, got.Fault.Code
		}
		good := strings.HasPrefix(names[i], "good")
		if got.Status != r.Status.String() || (r.Status == replay.Valid) != good || !good && (line != r.Fault.Line || fault != code(r.Fault)) {
			t.Errorf("%s: %s, line %d: %s; want %v", names[i], got.Status, line, fault, r)
		}
	}
}

// TestJavaScriptProgram runs verify.mjs as users do, and looks at its exit status.
func TestJavaScriptProgram(t *testing.T) {
	scripts(t)
	dir := filepath.Join("..", "testdata", "record", "v1")
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{at("eventful.jsonl"), at("forfeit.jsonl")}, 0, "valid: golden:1, connect-four 1.0.0, 19 events, play by connect, returns 1 -1, sealed\n"},
		{[]string{"--keys", at("keys.json"), at("attested-two.jsonl")}, 0, "attested by 2026-host 2026-witness"},
		{[]string{"--keys", at("keys.json"), at("attested-revoked.jsonl")}, 1, "the key was revoked by then"},
		{[]string{at("eventful.jsonl"), at("changed-move.jsonl")}, 1, "invalid (line 12: the chain is broken: it is not the line that line 13 was chained to)"},
		{[]string{at("cut-in-line.jsonl")}, 1, "unfinished: golden:1, connect-four 1.0.0, 8 events, the last line cut off"},
		{[]string{at("chess.jsonl")}, 1, "not re-run: golden:chess, chess "},
		{[]string{at("no such file")}, 1, "ENOENT"},
		{nil, 2, ""},
		{[]string{"--key", at("keys.json")}, 2, ""},
		{[]string{"-h"}, 2, ""},
		{[]string{"--keys", at("manifest.json"), at("eventful.jsonl")}, 2, ""},
	} {
		cmd := exec.CommandContext(t.Context(), need.Program(t, "node"), append([]string{"verify.mjs"}, c.args...)...)
		out, err := cmd.Output()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(string(out), c.want) || (c.status == 2) != (len(out) == 0) {
			t.Errorf("%v: exit status %d\n%s; want %d, %q", c.args, got, out, c.status, c.want)
		}
	}
}
