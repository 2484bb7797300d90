package filelog_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"go.uber.org/goleak"
)

// childVariable makes the test program a helper that runs one of children, which
// dies by a signal or exits by itself.
const childVariable = "FILELOG_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		do, ok := children()[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no child", name)
			os.Exit(2)
		}
		if err := do(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func children() map[string]func(context.Context, []string) error {
	return map[string]func(context.Context, []string) error{
		"append": childAppend,
		"play":   childPlay,
	}
}

// child starts a helper; its output comes line by line.
func child(t *testing.T, name string, args ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}
