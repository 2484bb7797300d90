package need

import (
	"flag"
	"os"
	"testing"
)

// TestOwnProcess: in the process of its own a test is told so, and nothing is written down of what it opens.
func TestOwnProcess(t *testing.T) {
	inside := OwnProcess(t)
	if inside != (os.Getenv(ownProcess) != "") {
		t.Errorf("inside: %v", inside)
	}
	if log := flag.Lookup("test.testlogfile").Value.String(); inside && log != "" {
		t.Errorf("it writes to %s", log)
	}
}
