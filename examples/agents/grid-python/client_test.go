// Package gridpython_test runs the client of this folder as the process that it is.
package gridpython_test

import (
	"os/exec"
	"testing"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
	"github.com/matchreferee/arena/internal/need"
)

func TestClient(t *testing.T) {
	clienttest.Test(t, []string{need.Program(t, "python3"), "client.py"})
}

// TestSyntax has nothing in the client that Python 3.10 could not read.
func TestSyntax(t *testing.T) {
	script := "import ast; ast.parse(open('client.py', encoding='utf-8').read(), feature_version=(3, 10))"
	if out, err := exec.Command(need.Program(t, "python3"), "-c", script).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestMain(m *testing.M) { clienttest.Main(m) }
