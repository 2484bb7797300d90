// Package need is for tests that hold this library against programs of others: where one is missing they are skipped, but with CI=true
// in the environment they fail. A test that needs a process of its own has it here, too.
package need

import (
	"os"
	"os/exec"
	"testing"
)

// Program gives the path of the first of the names that is a program here, by PATH or as a path.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	var err error
	for _, name := range names {
		var path string
		if path, err = exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, err)
	return ""
}

// Missing ends a test for which something is not there.
func Missing(t testing.TB, why any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("CI=true asks for this test: ", why)
	}
	t.Skip("not tried: ", why)
}
