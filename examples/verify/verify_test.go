package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/connectfour/house"
	"github.com/matchreferee/arena/replay/filelog"
)

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	store, err := filelog.NewStore(dir, filelog.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	a, err := arena.New(arena.Config{Games: []game.Game{connectfour.New()}, Store: store, Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Play(t.Context(), arena.Match{ID: "m", Seats: []arena.Seat{{Player: house.Random()}, {Player: house.Random()}}}); err != nil {
		t.Fatal(err)
	}
	path, err := store.Path("m")
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	write := func(name string, data []byte) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	cut := write("cut", bytes.Join(lines[:3], nil))
	changed := write("changed", bytes.Replace(good, []byte(`"s":1`), []byte(`"s":0`), 1))
	var out bytes.Buffer
	if code := run("", []string{path}, &out); code != 0 || !strings.Contains(out.String(), "valid") {
		t.Errorf("%d %s", code, &out)
	}
	for _, c := range []struct{ path, want string }{{cut, "unfinished"}, {changed, "line 3"}, {filepath.Join(dir, "none"), "no such file"}} {
		out.Reset()
		if code := run("", []string{path, c.path}, &out); code != 1 || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %d %s", c.path, code, &out)
		}
	}
}

// TestVectors gives the command the records that every verifier is tried on, with the keys that attest to some.
func TestVectors(t *testing.T) {
	const vectors = "../../testdata/record/v1/"
	for _, c := range []struct {
		keys, file string
		code       int
		want       string
	}{
		{"", "chess.jsonl", 0, "chess 1.0.0"},
		{"", "werewolf.jsonl", 0, "werewolf 1.0.0"},
		{"", "grid.jsonl", 0, "grid 2.0"},
		{vectors + "keys.json", "attested-two.jsonl", 0, "attested by "},
		{vectors + "keys.json", "unsealed.jsonl", 1, "nobody attests to it"},
		{vectors + "manifest.json", "attested-two.jsonl", 2, "keys"},
	} {
		var out bytes.Buffer
		if code := run(c.keys, []string{vectors + c.file}, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s, keys %q: %d %s", c.file, c.keys, code, &out)
		}
	}
}
