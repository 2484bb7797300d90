package need

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// ownProcess says which test a process was started for.
const ownProcess = "ARENA_OWN_PROCESS"

// OwnProcess runs the calling test, which has no parent, once more in a process of its
// own, and fails where it fails there; true: this is that process. It is for
// tests that change what counts for the whole process, such as its limits, to which
// also the file is subject in which the go command has tests write down what they open.
func OwnProcess(t *testing.T) bool {
	t.Helper()
	if os.Getenv(ownProcess) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), ownProcess+"="+t.Name())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}
