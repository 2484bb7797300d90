package replay_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/testdata/record"
)

// updateVariable makes the vectors be written instead of compared.
const updateVariable = "RECORD_UPDATE"

// golden are the vectors by their files.
func golden(t testing.TB) map[string][]byte {
	records := map[string][]byte{}
	for _, v := range vectors(t) {
		records[v.File] = v.record
	}
	return records
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

// keysFile is a set of keys as the audit endpoint gives it.
func keysFile(t testing.TB, keys *replay.Keys) []byte {
	t.Helper()
	type key struct {
		ID        string `json:"public_key_id"`
		Algorithm string `json:"algorithm"`
		Key       string `json:"public_key"`
		From      *int64 `json:"not_before"`
		Until     *int64 `json:"not_after"`
		Revoked   *int64 `json:"revoked_at"`
	}
	bound := func(n int64) *int64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	list := []key{}
	for _, k := range keys.All() {
		list = append(list, key{k.ID, "ed25519", hex.EncodeToString(k.Key), bound(k.From), bound(k.Until), bound(k.Revoked)})
	}
	return encode(t, map[string]any{"keys": list})
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(b, '\n')
}

// TestGolden compares testdata/record/v1 with what the same events give today,
// and what package record embeds. RECORD_UPDATE=1 writes the files anew.
func TestGolden(t *testing.T) {
	list := vectors(t)
	_, keys := vectorKeys(t)
	files := map[string][]byte{"manifest.json": encode(t, list), "keys.json": keysFile(t, keys)}
	for _, v := range list {
		if files[v.File] != nil {
			t.Fatalf("%s stands twice", v.File)
		}
		files[v.File] = append([]byte{}, v.record...)
	}
	if os.Getenv(updateVariable) == "1" {
		for name, b := range files {
			if err := os.WriteFile(filepath.Join("..", "testdata", "record", "v1", name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Skip("written anew; what is embedded here is what was there before")
	}
	entries, err := fs.ReadDir(record.Files, "v1")
	if err != nil || len(entries) != len(files) {
		t.Errorf("%d files are embedded, %d are expected: %v", len(entries), len(files), err)
	}
	for name, b := range files {
		want, err := record.Files.ReadFile(path.Join("v1", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if d := cmp.Diff(string(want), string(b)); d != "" {
			t.Errorf("%s (written anew by %s=1 go test ./replay -run TestGolden):\n%s", name, updateVariable, d)
		}
	}
}

// embedded are the vectors as others import them.
func embedded(t testing.TB) (list []vector, files map[string][]byte) {
	t.Helper()
	if os.Getenv(updateVariable) == "1" {
		t.Skip("the files are being written anew")
	}
	b, err := record.Files.ReadFile("v1/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &list); err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	files = map[string][]byte{}
	for _, v := range list {
		if files[v.File], err = record.Files.ReadFile("v1/" + v.File); err != nil {
			t.Fatal(err)
		}
	}
	return list, files
}

// TestVectors holds each vector against what the manifest says of it.
func TestVectors(t *testing.T) {
	_, keys := vectorKeys(t)
	list, files := embedded(t)
	for _, v := range list {
		r := verifyBy(t, files[v.File], vectorRules)
		got := vector{File: v.File, About: v.About, Game: v.Game, Status: r.Status.String(), Needs: v.Needs, Events: r.Events, Root: hex.EncodeToString(r.Root[:])}
		if r.Events > 0 {
			got.Head = hex.EncodeToString(r.Head[:])
		}
		if f := r.Fault; f != nil {
			got.Line, got.Code = f.Line, code(f)
		}
		if r.Status == replay.Valid {
			all, err := keys.Check(r)
			got.Attested = float64(len(all))
			if err != nil {
				got.Attested = code(err)
			}
		}
		if d := cmp.Diff(v, got, cmp.AllowUnexported(vector{})); d != "" {
			t.Errorf("%s: %v\n%s", v.File, r, d)
		}
		if s := r.Start; s != nil && s.Game+"@"+s.Version != v.Game {
			t.Errorf("%s: of %s %s, not %s", v.File, s.Game, s.Version, v.Game)
		}
		// Without the rules.
		want := v.Status
		if want == "valid" || v.Needs != "" {
			want = "not re-run"
		}
		if r := verifyBy(t, files[v.File], replay.Rules(game.New(kuhn{}))); r.Status.String() != want {
			t.Errorf("%s without rules: %v, want %s", v.File, r, want)
		}
	}
}

// TestVectorsCover: every code of a fault but that of bounds, which takes a
// large file, has a vector, and whatever a record can hold is in a good one.
func TestVectorsCover(t *testing.T) {
	list, files := embedded(t)
	codes, good := map[string]bool{}, []byte(nil)
	for _, v := range list {
		codes[v.Code] = true
		if s, ok := v.Attested.(string); ok {
			codes[s] = true
		}
		if v.Status == "valid" {
			good = append(good, files[v.File]...)
		}
	}
	for _, c := range []string{"form", "chain", "order", "time", "commitment", "rules", "draw", "seal", "unattested", "attestation", "key-unknown", "signature", "key-revoked", "key-period"} {
		if !codes[c] {
			t.Errorf("no vector with %s", c)
		}
	}
	for kind := range strings.FieldsSeq("start sent move fault gone back claim rule say resume end seal") {
		if !bytes.Contains(good, []byte(`{"k":"`+kind+`"`)) {
			t.Errorf("no good vector with the kind %s", kind)
		}
	}
}
