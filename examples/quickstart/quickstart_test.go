package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
)

func TestOneMatch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "match.jsonl")
	var out bytes.Buffer
	if err := run(t.Context(), options{seed: 7, record: file, games: 1, pace: 0}, &out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"X Columbus  against  O Cordelia", "record: " + file, " 1. X ", "strikes: X 0, O 0", "valid:", "sealed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if info, err := os.Stat(file + ".key"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", info, err)
	}
	err := run(t.Context(), options{record: file, games: 1}, io.Discard, false)
	if err == nil || !strings.Contains(err.Error(), "-resume") {
		t.Errorf("a record that is there already: %v", err)
	}
	err = run(t.Context(), options{resume: file, games: 1}, io.Discard, false)
	if err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a match that has ended: %v", err)
	}
}

func TestTerminal(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), options{seed: 1, record: filepath.Join(t.TempDir(), "m.jsonl"), games: 1}, &out, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[8A\x1b[J", "abcdefg", "\x1b[33;1mX\x1b[0m"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%q", want, out.String())
		}
	}
}

func TestSeveralMatches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "many.jsonl")
	var out bytes.Buffer
	if err := run(t.Context(), options{seed: 3, record: file, games: 4}, &out, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 of 4:", "4 of 4:", "4 matches, every record valid"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	for _, name := range []string{"many.jsonl", "many-002.jsonl", "many-004.jsonl"} {
		if r, err := verify(filepath.Join(filepath.Dir(file), name)); err != nil || r.Err() != nil {
			t.Errorf("%s: %v %v", name, err, r)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-games 0", "-games"},
		{"-resume a -record b", "-resume"},
		{"-resume a -games 2", "-resume"},
		{"what", `"what"`},
		{"-unknown", "unknown"},
	} {
		if _, err := parse(strings.Fields(c.args), io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	o, err := parse(strings.Fields("-x http://127.0.0.1:1/ -o https://b.example/ -seed 9 -record f -games 3 -quiet -allow-loopback"), io.Discard)
	if err != nil || o.x != "http://127.0.0.1:1/" || o.o != "https://b.example/" || o.seed != 9 || o.record != "f" || o.games != 3 || !o.quiet || !o.allowLoopback {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestGuard registers agents' URLs under the rules for visitors.
func TestGuard(t *testing.T) {
	url, stop, err := serve(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	o := options{x: url, record: filepath.Join(t.TempDir(), "m.jsonl"), games: 1, quiet: true}
	if err := run(t.Context(), o, io.Discard, false); err == nil || !strings.Contains(err.Error(), "-x") {
		t.Errorf("an http URL on loopback without -allow-loopback: %v", err)
	}
	o.allowLoopback = true
	if err := run(t.Context(), o, io.Discard, false); err != nil {
		t.Error(err)
	}
}

// stopAt cancels when it is told to write a text.
type stopAt struct {
	bytes.Buffer
	text   string
	cancel func()
}

func (s *stopAt) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.text) {
		s.cancel()
	}
	return s.Buffer.Write(b)
}

// TestInterrupted stops a match as Ctrl-C does, and goes on with it.
func TestInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &stopAt{text: " 3. X", cancel: cancel}
	err := run(ctx, options{seed: 1, record: file, games: 1, pace: 20 * time.Millisecond}, out, false)
	if err == nil || !strings.Contains(err.Error(), "-resume "+file) {
		t.Fatalf("%v\n%s", err, out)
	}
	before, _ := os.ReadFile(file)
	var rest bytes.Buffer
	if err := run(t.Context(), options{seed: 1, resume: file, games: 1}, &rest, false); err != nil {
		t.Fatalf("%v\n%s", err, &rest)
	}
	if after, _ := os.ReadFile(file); !bytes.HasPrefix(after, before) || bytes.Contains(before, []byte(`"k":"end"`)) {
		t.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestKilled kills a quickstart with SIGKILL mid-match and goes on with its
// record: the match is the same, and so are the moves before.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	dir := t.TempDir()
	program, file := filepath.Join(dir, "quickstart"), filepath.Join(dir, "m.jsonl")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first := exec.CommandContext(ctx, program, "-record", file, "-pace", "100ms")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	var before []byte
	for bytes.Count(before, []byte(`"k":"move"`)) < 4 {
		if ctx.Err() != nil {
			t.Fatal("no four moves within a minute")
		}
		time.Sleep(10 * time.Millisecond)
		before, _ = os.ReadFile(file)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	before, _ = os.ReadFile(file)
	if bytes.Contains(before, []byte(`{"k":"end"`)) {
		t.Fatal("the match was over before the kill")
	}
	out, err := exec.CommandContext(ctx, program, "-resume", file, "-pace", "1ms").CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("valid:")) {
		t.Fatalf("%v\n%s", err, out)
	}
	after, _ := os.ReadFile(file)
	whole := before[:bytes.LastIndexByte(before, '\n')+1]
	if !bytes.HasPrefix(after, whole) || !bytes.Contains(after[len(whole):], []byte(`{"k":"resume"`)) {
		t.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}

func TestThink(t *testing.T) {
	rows := func(rows ...string) string { return "```\n " + strings.Join(rows, "\n ") + "\n abcd\n```" }
	for name, c := range map[string]struct{ board, you, want string }{
		"wins":  {rows("....", "X...", "X.O.", "X.OO"), "X", "a"},
		"stops": {rows("....", "X...", "X.O.", "X.O."), "O", "a"},
	} {
		got := think(agentarena.MoveRequest{Board: c.board, You: c.you, Legal: []string{"d", "c", "b", "a"}}, 1)
		if got.Move != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
