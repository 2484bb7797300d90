package gametest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// broken is a game with one fault, the check that is there to find it, and the same game without the fault.
type broken struct {
	fault    string
	check    string
	says     string // a part of the message
	game     game.Game
	repaired game.Game
	opts     Options
}

// TestBroken tries the kit: each broken game fails the check meant for it and passes the rest, and with its mistake mended passes them all.
func TestBroken(t *testing.T) {
	whole := map[game.Game]bool{}
	for _, b := range allBroken() {
		t.Run(strings.ReplaceAll(b.fault, " ", "_"), func(t *testing.T) {
			b.opts.NoTranscripts = true
			r := &recorder{name: "TestRules"}
			r.do(func() { run(r, b.game, b.opts, only(b.check)) })
			failed, passed := r.result()
			var names []string
			for _, f := range failed {
				names = append(names, strings.TrimPrefix(f.name, "TestRules/"))
			}
			if len(names) != 1 || names[0] != b.check || r.failed {
				t.Errorf("failed checks are %q, not just %q", names, b.check)
				for _, f := range failed {
					t.Logf("%s:\n%s", f.name, f.log.String())
				}
				t.Log(r.log.String())
				return
			}
			text := failed[0].log.String()
			t.Log(text)
			if !strings.Contains(text, b.says) {
				t.Errorf("the message does not say %q", b.says)
			}
			if want := fmt.Sprintf("go test -run '^TestRules$/^%s$'", b.check); !strings.Contains(text, want) {
				t.Errorf("the message lacks the line that runs it again: %s", want)
			}
			if b.check != "ruleset" && passed == 0 { // it comes first
				t.Error("no other check ran to its end")
			}
			if !whole[b.repaired] {
				whole[b.repaired] = true
				testWhole(t, b.repaired, b.opts)
			}
		})
	}
}

// TestEveryCheckIsTried: each check has a broken game that it is there to find.
func TestEveryCheckIsTried(t *testing.T) {
	tried := map[string]bool{"transcript": true} // by TestTranscript
	for _, b := range allBroken() {
		tried[b.check] = true
	}
	seen := map[string]bool{}
	for _, c := range checks() {
		if !tried[c.name] {
			t.Errorf("no broken game is meant for the check %q", c.name)
		}
		for _, need := range c.needs {
			if !seen[need] {
				t.Errorf("the check %q needs %q, which does not come before it", c.name, need)
			}
		}
		seen[c.name] = true
	}
	for name := range tried {
		if !seen[name] {
			t.Errorf("there is no check %q", name)
		}
	}
}

// only names what a short test runs: a check and what it builds on. Nil is everything, for the other tests: nothing else may fail then.
func only(name string) map[string]bool {
	if !testing.Short() {
		return nil
	}
	names := map[string]bool{}
	var add func(string)
	add = func(name string) {
		for _, c := range checks() {
			if c.name == name {
				names[name] = true
				for _, need := range c.needs {
					add(need)
				}
			}
		}
	}
	add(name)
	return names
}

// testWhole runs the kit over a game that it has nothing to say against.
func testWhole(t *testing.T, g game.Game, opts Options) {
	t.Helper()
	r := &recorder{name: "TestRules"}
	if testing.Short() {
		opts.Games = 5
	}
	r.do(func() { run(r, g, opts, nil) })
	failed, passed := r.result()
	for _, f := range failed {
		t.Errorf("the repaired game fails %s:\n%s", f.name, f.log.String())
	}
	if passed < 20 {
		t.Errorf("only %d checks of the repaired game ran to their end", passed)
	}
}
