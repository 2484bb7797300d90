// Package gridpython_test runs the client of this folder as the process that it is.
package gridpython_test

import (
	"testing"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
)

func TestClient(t *testing.T) {
	clienttest.Test(t, []string{clienttest.Program(t, "python3"), "client.py"})
}
