package referee_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mutant is a small, deliberate mistake in one file of the package.
type mutant struct {
	name, file string
	old, new   string // old occurs once in the file
}

var mutants = []mutant{
	{"a forgotten pause", "fold.go", "m.last.add(s.info.Policy.pause(s.retry)), 0, false", "m.last, 0, false"},
	{"a pause that does not double", "policy.go", "d *= 2", "d *= 1"},
	{"a stale answer accepted", "decide.go", "return to.N == s.ask\n", "return true\n"},
	{"an answer to a request that was not open when it came", "decide.go", "arrived+1 < s.openAt", "arrived < 0"},
	{"a late answer that counts", "decide.go", "case s.late(arrived):", "case s.late(arrived) && a.Action == \"\":"},
	{"at the deadline in time", "fold.go", "t >= s.due.add(ms(s.info.Clock.Grace))", "t > s.due.add(ms(s.info.Clock.Grace))"},
	{"the grace ignored", "fold.go", "t >= s.due.add(ms(s.info.Clock.Grace))", "t >= s.due"},
	{"arrival forgotten while waiting", "decide.go", "arrived = a.Arrived", "_ = a.Arrived"},
	{"a strike not counted", "decide.go", "s.strikes++", "if x.Fault != Illegal {\n\t\t\ts.strikes++\n\t\t}"},
	{"a default that is no strike", "decide.go", "planned == DoStrike || planned == DoDefault {", "planned == DoStrike {"},
	{"strikes one too many", "decide.go", "s.strikes+1 >= p.Strikes", "s.strikes >= p.Strikes"},
	{"a resume that restarts no clock", "fold.go", "s.openAt, s.sentAt, s.turnStart, s.warned = e.Time, 0, 0, false\n", "s.warned = false\n"},
	{"a resume that forgets who is away", "fold.go", "s.goneAt = e.Time\n\t\t}\n\t}\n\tif m.limitAt", "_ = s\n\t\t}\n\t}\n\tif m.limitAt"},
	{"a host asked twice", "settle.go", "m.asked[a.ID] = true", "m.asked[a.ID] = false"},
	{"a budget not charged", "fold.go", "s.nth++\n\ts.used += e.Used", "s.nth++"},
	{"an increment not given", "fold.go", "ms(c.Increment)*Time(s.nth)", "0"},
	{"retries that have the time of the turn anew", "fold.go", "if s.info.Policy.Reask {", "if c.Move > 0 {"},
	{"a joint turn applied early", "fold.go", "if m.in != m.turn.Seats {", "if m.in == 0 {"},
	{"one mover closes the others' requests", "fold.go", "keep = m.open & m.turn.Seats", "keep = 0"},
	{"a seat that is out asked on", "fold.go", "&^ keep &^ m.out", "&^ keep"},
	{"a seat that is out never moved for", "settle.go", "m.turn.Seats & m.out &^ m.in", "m.turn.Seats & m.out & m.in"},
	{"a key burned by a refusal", "decide.go", "if a != nil {\n", "if a != nil {\n\t\tif a.Key != \"\" {\n\t\t\ts.keys = map[string]keyed{a.Key: {action: a.Action}}\n\t\t}\n"},
	{"an expiry that ends nothing", "tick.go", "consider(m.expiry, dueExpiry, game.Spectator)", "consider(never, dueExpiry, game.Spectator)"},
	{"the longest expiry", "fold.go", "m.expiry = min(m.expiry, m.start.add(x))", "m.expiry = m.start.add(x)"},
	{"an offer that survives a move", "claim.go", "if s != o.by && !o.accepted.Has(s) {", "if s < 0 {"},
	{"an offer that one of many accepts", "claim.go", "inPlay&^m.offer.accepted&^game.Seats(m.offer.by) == 0", "inPlay != 0"},
	{"stale answers recorded without bound", "decide.go", "if s.notes < s.info.Policy.notes() {", "if s.notes >= 0 {"},
	{"an absence that is never too long", "tick.go", "if s.info.Clock.Back == 0 || m.out.Has(i) {", "if s.info.Clock.Back >= 0 {"},
	{"a closed request under its successor's number", "end.go", "m.seats[s].closedAsk = m.seats[s].ask", "m.seats[s].closedAsk = m.seats[s].ask + 1"},
	{"a warning for each request, however short", "tick.go", "&& s.due-begun > ms(c.Warn) {", "{"},
}

// TestMutants builds the package with one mistake at a time, by an overlay, and runs the model against it: each is found. Without any, the same
// run passes. A mistake whose place is not found in the source is a failure too.
func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the package many times")
	}
	dir := t.TempDir()
	out, err := runMutant(t, dir, mutant{name: "none"})
	if err != nil {
		t.Fatalf("without a mistake: %v\n%s", err, out)
	}
	for _, mu := range mutants {
		t.Run(strings.ReplaceAll(mu.name, " ", "-"), func(t *testing.T) {
			out, err := runMutant(t, t.TempDir(), mu)
			if err == nil {
				t.Fatal("not found")
			}
			found := bytes.Contains(out, []byte("--- FAIL: TestAgainstModel")) || bytes.Contains(out, []byte("panic: "))
			if !found || bytes.Contains(out, []byte("panic: test timed out")) {
				t.Fatalf("failed otherwise: %v\n%s", err, out)
			}
		})
	}
}

// runMutant builds and runs the model test with the mistake in; its output and error are the run's.
func runMutant(t *testing.T, dir string, mu mutant) ([]byte, error) {
	t.Helper()
	replace := map[string]string{}
	if mu.file != "" {
		path, err := filepath.Abs(mu.file)
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(source, []byte(mu.old)); n != 1 {
			t.Fatalf("%q occurs %d times in %s", mu.old, n, mu.file)
		}
		replace[path] = filepath.Join(dir, mu.file)
		if err := os.WriteFile(replace[path], bytes.Replace(source, []byte(mu.old), []byte(mu.new), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutant.test")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", overlayFile, "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, out)
	}
	// Under -short rapid makes a fifth of the checks.
	run := exec.CommandContext(ctx, binary, "-test.run=^TestAgainstModel$", "-test.timeout=8m", "-test.short",
		"-rapid.checks=15000", "-rapid.seed=1", "-rapid.shrinktime=0s", "-rapid.nofailfile")
	run.Dir = dir
	return run.CombinedOutput()
}
