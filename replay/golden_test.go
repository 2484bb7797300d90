package replay_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
)

// updateVariable makes the golden records be written instead of compared.
const updateVariable = "RECORD_UPDATE"

// golden are records that several packages share, by their names without .jsonl.
func golden(t testing.TB) map[string][]byte {
	x := eventful(t, "golden:1")
	sealed := x.record(true)
	return map[string][]byte{
		"sealed":     sealed,
		"unfinished": write(t, x.events[:9], false),
		"torn":       sealed[:1900],
		"tampered":   bytes.Replace(sealed, []byte(`"ask":3,"a":2,`), []byte(`"ask":3,"a":1,`), 1),
		"forfeit":    forfeit(t).record(true),
		"void":       void(t).record(true),
	}
}

// forfeit is a match that seat 1 loses by three strikes.
func forfeit(t testing.TB) *script {
	x := begin(t, setup(t, connectfour.New(), "golden:2"))
	x.move(150, 0, "0")
	for range 3 {
		x.tick(10_100)
		x.tick(2_000)
	}
	return x
}

// void is a match whose host failed.
func void(t testing.TB) *script {
	x := begin(t, setup(t, connectfour.New(), "golden:3"))
	x.move(150, 0, "0")
	x.did(x.m.Crash(x.now+20, "the disk of the rules is gone"))
	return x
}

// TestGolden compares the records under testdata/record with what the same
// events give today, and what is verified of them with verified.txt.
// RECORD_UPDATE=1 writes them anew.
func TestGolden(t *testing.T) {
	dir := filepath.Join("..", "testdata", "record")
	var report strings.Builder
	records := golden(t)
	for _, name := range []string{"sealed", "forfeit", "void", "unfinished", "torn", "tampered"} {
		record := records[name]
		compare(t, filepath.Join(dir, name+".jsonl"), record)
		r := verify(t, record)
		fmt.Fprintf(&report, "%s: %v\n  head %s\n  %+v\n", name, r, hex.EncodeToString(r.Head[:]), r.Counts)
	}
	compare(t, filepath.Join(dir, "verified.txt"), []byte(report.String()))
}

func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv(updateVariable) == "1" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (written anew by %s=1 go test ./replay):\n%s", path, updateVariable, d)
	}
}

// TestGoldenVerdicts says what each golden record is, in words of its own.
func TestGoldenVerdicts(t *testing.T) {
	want := map[string]replay.Status{"sealed": replay.Valid, "forfeit": replay.Valid, "void": replay.Valid, "unfinished": replay.Unfinished,
		"torn": replay.Unfinished, "tampered": replay.Invalid}
	files, err := filepath.Glob(filepath.Join("..", "testdata", "record", "*.jsonl"))
	if err != nil || len(files) != len(want) {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		r := verify(t, b)
		if r.Status != want[name] || (r.Seal != nil) != (r.Status == replay.Valid) || r.Torn != (name == "torn") {
			t.Errorf("%s: %v", name, r)
		}
		if name == "tampered" && r.Fault.Line != 12 {
			t.Error(r)
		}
		if r := verifyBy(t, b, replay.Rules(game.New(kuhn{}))); (r.Status == replay.NotRerun) != (want[name] == replay.Valid) {
			t.Errorf("%s without rules: %v", name, r)
		}
	}
}
