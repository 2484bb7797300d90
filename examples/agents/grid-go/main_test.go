package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
	"github.com/matchreferee/arena/internal/need"
)

func TestClient(t *testing.T) { clienttest.Test(t, build(t)) }

// TestRelay has this client and the one in Python finish each other's match.
func TestRelay(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits between polls")
	}
	clienttest.Relay(t, build(t), []string{need.Program(t, "python3"), "../grid-python/client.py"})
}

func build(t *testing.T) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "grid-go")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{program}
}

func TestMain(m *testing.M) { clienttest.Main(m) }
