package python_test

import (
	"context"
	"os/exec"
	"testing"
	"time"
)

// TestUnits runs the tests that are written in Python.
func TestUnits(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, python(t), "-B", "test_agent.py")
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
