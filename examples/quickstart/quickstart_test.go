package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/callback"
)

func TestOneMatch(t *testing.T) {
	var file string
	var out bytes.Buffer
	for n := 1; n == 1 || n < 5 && !strings.Contains(out.String(), " 1. X "); n++ { // where the machine is busy, the match may begin unseen
		file = filepath.Join(t.TempDir(), "match.jsonl")
		out.Reset()
		if err := run(t.Context(), options{seed: 7, record: file, games: 1, pace: 0}, &out, false); err != nil {
			t.Fatal(err)
		}
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
	if err := run(t.Context(), options{seed: 3, record: filepath.Join(t.TempDir(), "m.jsonl"), games: 1}, &out, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[8A\x1b[J", "\x1b[38;5;203mX\x1b[0m", "\x1b[1;38;5;16;48;5;203mX\x1b[0m", "a\x1b[0m\x1b[38;5;245m b\x1b[0m", " to move\x1b[0m\n", " wins, 4 in line\x1b[0m\n"} {
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
	var help strings.Builder
	if _, err := parse([]string{"-h"}, &help); !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "-pace duration") || strings.Contains(help.String(), "-1ns") {
		t.Errorf("%v:\n%s", err, help.String())
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

// moves lists the moves of a record.
func moves(t *testing.T, path string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"k":"move".*"a":(\d)`).FindAllStringSubmatch(string(data), -1) {
		list = append(list, m[1])
	}
	return list
}

// TestSeed plays the same seed twice: the games are the same; another seed gives others.
func TestSeed(t *testing.T) {
	game := func(seed uint64) (list []string) {
		file := filepath.Join(t.TempDir(), "m.jsonl")
		if err := run(t.Context(), options{seed: seed, record: file, games: 2, quiet: true}, io.Discard, false); err != nil {
			t.Fatal(err)
		}
		return append(moves(t, file), moves(t, strings.Replace(file, "m.jsonl", "m-002.jsonl", 1))...)
	}
	five := game(5)
	if again := game(5); !slices.Equal(five, again) || len(five) < 14 {
		t.Errorf("seed 5: %v and %v", five, again)
	}
	if other := game(6); slices.Equal(five, other) {
		t.Errorf("seeds 5 and 6: %v", five)
	}
}

// TestRefused tries what cannot be gone on with: each is said plainly, and nothing is left behind.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	done := filepath.Join(dir, "done.jsonl")
	if err := run(t.Context(), options{record: done, games: 1, quiet: true}, io.Discard, false); err != nil {
		t.Fatal(err)
	}
	begun := filepath.Join(dir, "begun.jsonl")
	data, _ := os.ReadFile(done)
	lines := bytes.SplitAfter(data, []byte("\n"))
	write := func(path string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(begun, bytes.Join(lines[:5], nil))
	garbage := filepath.Join(dir, "garbage")
	write(garbage, []byte("hello\n"))
	files := func() (names []string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	before := files()
	for _, c := range []struct {
		o    options
		want string
	}{
		{options{resume: filepath.Join(dir, "none")}, "no such file"},
		{options{resume: dir}, "is no file"},
		{options{resume: garbage}, "not the record"},
		{options{resume: done}, "has ended"},
		{options{resume: begun}, "begun.jsonl.key"},
		{options{record: filepath.Join(dir, "no", "m.jsonl")}, "no such folder"},
		{options{record: done}, "is there already"},
	} {
		c.o.games = 1
		if err := run(t.Context(), c.o, io.Discard, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	write(filepath.Join(dir, "many-002.jsonl"), nil)
	if err := run(t.Context(), options{record: filepath.Join(dir, "many.jsonl"), games: 2}, io.Discard, false); err == nil || !strings.Contains(err.Error(), "many-002.jsonl is there") {
		t.Errorf("%v", err)
	}
	os.Remove(filepath.Join(dir, "many-002.jsonl"))
	if after := files(); !slices.Equal(before, after) {
		t.Errorf("left behind: %v, before %v", after, before)
	}
}

// TestStruck shows why an agent was struck.
func TestStruck(t *testing.T) {
	url, stop, err := serve(1, 0)
	if err != nil {
		t.Fatal(err)
	}
	stop() // nobody is there
	var out bytes.Buffer
	o := options{x: url, record: filepath.Join(t.TempDir(), "m.jsonl"), games: 1, allowLoopback: true}
	if err := run(t.Context(), o, &out, false); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "unreachable (strike) connect") != 2 || !strings.Contains(out.String(), "O Cordelia wins: forfeit (unreachable)") {
		t.Errorf("%s", &out)
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

// halting serves an agent that plays as the built-in ones do, but that stops at move number 5: closes halted and answers nothing until release.
func halting(t *testing.T) (url string, halted <-chan struct{}, release func()) {
	t.Helper()
	reached, goOn := make(chan struct{}), make(chan struct{})
	halt := sync.OnceFunc(func() { close(reached) })
	handler, err := callback.Agent(func(_ context.Context, r agentarena.MoveRequest) (agentarena.Reply, error) {
		if r.MoveNumber >= 5 {
			halt()
			<-goOn
		}
		return think(r, 1), nil
	}, callback.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	release = sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(func() {
		release()
		server.Close()
	})
	return server.URL, reached, release
}

// TestInterrupted stops a match as Ctrl-C does, and goes on with it.
func TestInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	url, _, release := halting(t)
	out := &stopAt{text: " 3. X", cancel: cancel}
	err := run(ctx, options{x: url, allowLoopback: true, seed: 1, record: file, games: 1}, out, false)
	if err == nil || !strings.Contains(err.Error(), "-resume "+file+" -x "+url) {
		t.Fatalf("%v\n%s", err, out)
	}
	release()
	goOn(t, options{x: url, allowLoopback: true, resume: file})
}

// TestInterruptedAmongMany stops after the first of several matches, and goes on with a second one that was cut off.
func TestInterruptedAmongMany(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &stopAt{text: "1 of 3:", cancel: cancel}
	err := run(ctx, options{seed: 1, record: filepath.Join(dir, "m.jsonl"), games: 3}, out, false)
	if err == nil || !strings.Contains(err.Error(), "stopped after 1 of 3") {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := run(t.Context(), options{seed: 1, record: filepath.Join(dir, "n.jsonl"), games: 2, quiet: true}, io.Discard, false); err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(dir, "n-002.jsonl")
	data, _ := os.ReadFile(second)
	if err := os.WriteFile(second, bytes.Join(bytes.SplitAfter(data, []byte("\n"))[:5], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	goOn(t, options{resume: second})
}

// goOn resumes the match of a file to a valid end.
func goOn(t *testing.T, o options) {
	t.Helper()
	file := o.resume
	before, _ := os.ReadFile(file)
	var rest bytes.Buffer
	o.seed, o.games = 1, 1
	if err := run(t.Context(), o, &rest, false); err != nil || !strings.Contains(rest.String(), "valid:") {
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
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	url, halted, release := halting(t)
	first := exec.CommandContext(ctx, program, "-record", file, "-x", url, "-allow-loopback")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-halted:
	case <-ctx.Done():
		t.Fatal(ctx.Err())
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	before, _ := os.ReadFile(file)
	if n := bytes.Count(before, []byte(`"k":"move"`)); n != 4 {
		t.Fatalf("%d moves before the kill:\n%s", n, before)
	}
	release()
	out, err := exec.CommandContext(ctx, program, "-resume", file, "-x", url, "-allow-loopback").CombinedOutput()
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
