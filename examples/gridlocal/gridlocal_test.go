package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/protocol/gridarena"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func parsed(t *testing.T, args ...string) options {
	t.Helper()
	o, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestSolvers plays pairs of matches with a solver in Python and with one in Go.
func TestSolvers(t *testing.T) {
	built := filepath.Join(t.TempDir(), "solver")
	if out, err := exec.Command("go", "build", "-o", built, "./solver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, program := range map[string][]string{"python": {need.Program(t, "python3"), "solver.py"}, "go": {built}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"-opponent", "hell_v2", "-nodes", "500", "-games", "2", "-records", dir, "--"}
			var out, complaints bytes.Buffer
			played, err := run(t.Context(), parsed(t, append(args, program...)...), nil, &out, &complaints)
			if err != nil || !played {
				t.Fatalf("%v, %v\n%s\n%s", played, err, &out, &complaints)
			}
			for _, want := range []string{"seat 0 against hell_v2: ", "seat 1 against hell_v2: ", "record: " + dir, "2 games: won "} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
			if complaints.String() != gridarena.TextSandbox+"\n" {
				t.Errorf("complaints: %q", &complaints)
			}
			if records, err := filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil || len(records) != 2 {
				t.Errorf("records: %q, %v", records, err)
			}
		})
	}
}

// TestStreams is the program itself.
func TestStreams(t *testing.T) {
	observations, out := io.Pipe()
	in, moves := io.Pipe()
	asked, over := 0, ""
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer moves.Close()
		for lines := bufio.NewScanner(observations); lines.Scan(); {
			var o struct {
				Status     string
				LegalMoves []json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
				t.Error(err)
			}
			if over = o.Status; over != "agent" {
				return
			}
			asked++
			fmt.Fprintf(moves, "%s\n", o.LegalMoves[len(o.LegalMoves)-1])
		}
	}()
	var result bytes.Buffer
	played, err := run(t.Context(), parsed(t, "-records", t.TempDir(), "-seat", "1"), in, out, &result)
	if err != nil || !played || !strings.Contains(result.String(), "seat 1 against casual: ") {
		t.Errorf("%v, %v\n%s", played, err, &result)
	}
	out.Close()
	<-done
	if asked != 40 || over != "completed" {
		t.Errorf("asked %d times, then told %q", asked, over)
	}
}

// TestGivenUp runs a program that breaks off, and says why.
func TestGivenUp(t *testing.T) {
	t.Setenv("LINESCLASH_KEY", "lcb_canary")
	script := "import os,sys\nsys.stdin.readline()\nsys.exit('\\x1bno idea, key ' + os.environ.get('LINESCLASH_KEY', 'unknown'))"
	var out, complaints bytes.Buffer
	played, err := run(t.Context(), parsed(t, "-records", t.TempDir(), "--", need.Program(t, "python3"), "-c", script), nil, &out, &complaints)
	if err != nil || played || !strings.Contains(out.String(), "lost by forfeit: disconnected") {
		t.Errorf("%v, %v\n%s", played, err, &out)
	}
	if c := complaints.String(); !strings.Contains(c, "exited (exit status 1)") || !strings.Contains(c, "no idea, key unknown") || strings.Contains(c, "\x1b") {
		t.Errorf("%q", c)
	}
}

// TestWrong runs a program that does not speak JSON.
func TestWrong(t *testing.T) {
	var out, complaints bytes.Buffer
	played, err := run(t.Context(), parsed(t, "-records", t.TempDir(), "--", need.Program(t, "python3"), "-c", "input(); print('e5')"), nil, &out, &complaints)
	if err != nil || played || !strings.Contains(out.String(), "lost by forfeit: malformed") || !strings.Contains(complaints.String(), "seat 0: malformed: no JSON: ") {
		t.Errorf("%v, %v\n%s\n%s", played, err, &out, &complaints)
	}
}

// TestStopped stops in the middle of a match.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // wherever that is
	defer cancel()
	script := "import time\ntime.sleep(600)"
	var out bytes.Buffer
	_, err := run(ctx, parsed(t, "-records", t.TempDir(), "--", need.Program(t, "python3"), "-c", script), nil, &out, io.Discard)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v\n%s", err, &out)
	}
}

func TestFlags(t *testing.T) {
	for _, args := range []string{"-opponent hell", "-seat 2", "-control blitz", "-games 0", "-games 2", "-games 10001 x", "-nodes -1", "-nodes 100000001", "-what"} {
		if _, err := parse(strings.Fields(args), io.Discard); err == nil {
			t.Errorf("%s was accepted", args)
		}
	}
	if o := parsed(t, "-seat", "1", "x", "-y"); len(o.program) != 2 || o.seat != 1 {
		t.Errorf("%+v", o)
	}
}
