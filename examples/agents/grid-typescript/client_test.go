// Package gridtypescript_test compiles the client of this folder, and runs it as the process that it is.
package gridtypescript_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
	"github.com/matchreferee/arena/internal/need"
)

func TestClient(t *testing.T) {
	node := need.Program(t, "node")
	clienttest.Test(t, []string{node, compile(t)})
}

// compile installs the compiler in a folder of the test's own and gives the compiled program.
func compile(t *testing.T) string {
	t.Helper()
	npm := need.Program(t, "npm")
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "src"), os.DirFS("src")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"package.json", "package-lock.json", "tsconfig.json"} {
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir, install.WaitDelay = dir, 5*time.Second
	if out, err := install.CombinedOutput(); err != nil {
		need.Missing(t, string(out))
	}
	build := exec.CommandContext(ctx, npm, "run", "build")
	build.Dir, build.WaitDelay = dir, 5*time.Second
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%s", err, out)
	}
	return filepath.Join(dir, "dist", "client.js")
}

func TestMain(m *testing.M) { clienttest.Main(m) }
