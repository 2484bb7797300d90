// Package gridcpp_test compiles the client of this folder, and runs it as the process that it is.
package gridcpp_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/examples/agents/internal/clienttest"
	"github.com/matchreferee/arena/internal/need"
)

func TestClient(t *testing.T) {
	// Whatever the sanitizers find ends the client with a status that no test wants.
	t.Setenv("ASAN_OPTIONS", "exitcode=99")
	t.Setenv("LSAN_OPTIONS", "exitcode=99")
	t.Setenv("UBSAN_OPTIONS", "exitcode=99")
	clienttest.Test(t, []string{compile(t)})
}

// compile gives the compiled program: with sanitizers, but in short tests as quickly as possible.
func compile(t *testing.T) string {
	t.Helper()
	gxx := need.Program(t, "g++")
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	for _, header := range []string{"curl/curl.h", "nlohmann/json.hpp"} {
		cmd := exec.CommandContext(ctx, gxx, "-x", "c++", "-E", "-o", "/dev/null", "-")
		cmd.Stdin = strings.NewReader("#include <" + header + ">\n")
		if out, err := cmd.CombinedOutput(); err != nil {
			need.Missing(t, string(out))
		}
	}
	program := filepath.Join(t.TempDir(), "client")
	args := []string{"-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0"}
	if !testing.Short() {
		args = append(args, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	}
	if out, err := exec.CommandContext(ctx, gxx, append(args, filepath.Join("src", "client.cpp"), "-lcurl", "-o", program)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func TestMain(m *testing.M) { clienttest.Main(m) }
