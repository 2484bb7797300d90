package gametest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tb is what the kit needs of a test: *testing.T through realTB, a recorder in the kit's own tests.
type tb interface {
	rapid.TB
	Run(name string, f func(tb))
}

type realTB struct{ *testing.T }

func (t realTB) Run(name string, f func(tb)) {
	t.T.Run(name, func(t *testing.T) { f(realTB{t}) })
}

// guide stands between rapid and the test: it leaves out rapid's list of draws, which the kit tells better as moves,
// and ends a failure with the seed and the one line that runs it again.
type guide struct {
	rapid.TB
	said string // what the last case that failed said
	told bool   // rapid has shown it
}

// What rapid says of a failure: the seed, or the file in which it kept the case when it failed before.
var (
	rapidSeed = regexp.MustCompile(`-rapid\.seed=(\d+)`)
	rapidFile = regexp.MustCompile(`-rapid\.failfile="[^"]+"`)
)

func (g *guide) Logf(format string, args ...any) {
	g.Helper()
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "[rapid] draw ") {
		return
	}
	g.told = g.told || text == g.said
	g.TB.Log(text)
}

func (g *guide) Errorf(format string, args ...any) {
	g.Helper()
	text := fmt.Sprintf(format, args...)
	head, _, _ := strings.Cut(text, "\n")
	if before, _, ok := strings.Cut(head, " tests: "); ok { // what failed is told once, with the moves
		head = before + " tests"
	}
	if m := rapidSeed.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("%s\nseed: %s\nrun it again: %s", head, m[1], again(g.Name(), m[0]))
	} else if kept := rapidFile.FindString(text); kept != "" {
		text = fmt.Sprintf("%s (a case that failed before)\nrun it again: %s", head, again(g.Name(), kept))
	}
	g.TB.Error(text)
}

// finish tells a failure that rapid could not bring back: rules that decide otherwise each time make such.
func (g *guide) finish() {
	if g.said != "" && !g.told {
		g.TB.Log("it is not so each time; it was:\n" + g.said)
	}
}

// again is the command line that runs the one test called name.
func again(name, flags string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.TrimSpace(fmt.Sprintf("go test -run '%s' %s", strings.Join(parts, "/"), flags))
}
