package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
)

func TestClient(t *testing.T) {
	program := filepath.Join(t.TempDir(), "grid-go")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	clienttest.Test(t, []string{program})
}
