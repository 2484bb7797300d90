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
type guide struct{ rapid.TB }

var rapidSeed = regexp.MustCompile(`-rapid\.seed=(\d+)`)

func (g guide) Logf(format string, args ...any) {
	g.Helper()
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "[rapid] draw ") {
		return
	}
	g.TB.Log(text)
}

func (g guide) Errorf(format string, args ...any) {
	g.Helper()
	text := fmt.Sprintf(format, args...)
	if m := rapidSeed.FindStringSubmatch(text); m != nil {
		head, _, _ := strings.Cut(text, "\n")
		text = fmt.Sprintf("%s\nseed: %s\nrun it again: %s", head, m[1], again(g.Name(), "-rapid.seed="+m[1]))
	}
	g.TB.Error(text)
}

// again is the command line that runs the one test called name.
func again(name, flags string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.TrimSpace(fmt.Sprintf("go test -run '%s' %s", strings.Join(parts, "/"), flags))
}
