package replay_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/replay"
)

// TestReadKeys: a set that was published is read as it was.
func TestReadKeys(t *testing.T) {
	a, b := signerOf("b", 1, 0).Public(), signerOf("a", 2, 0).Public()
	a.From, a.Until, a.Revoked = 5, 10, 7
	text, err := json.Marshal(keysOf(t, a, b))
	if err != nil {
		t.Fatal(err)
	}
	got, err := replay.ReadKeys(append([]byte(" \n"), text...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]replay.PublicKey{b, a}, got.All()); diff != "" {
		t.Error(diff)
	}
	var none *replay.Keys
	for _, s := range []*replay.Keys{none, keysOf(t)} {
		if b, err := json.Marshal(s); err != nil || string(b) != `{"keys":[]}` && string(b) != "null" {
			t.Errorf("%s %v", b, err)
		}
	}
	other := strings.Replace(string(text), `"ed25519"`, `"ml-dsa"`, 1)
	if got, err = replay.ReadKeys([]byte(other)); err != nil || len(got.All()) != 1 {
		t.Errorf("a key of another algorithm: %v %v", got, err)
	}
	for name, c := range map[string]struct{ from, to, says string }{
		"no JSON":      {`{"keys"`, `{keys`, "keys"},
		"no array":     {`{"keys":[`, `{"kees":[`, "no array"},
		"no id":        {`"public_key_id":"b"`, `"id":"b"`, "keys[1]: "},
		"short key":    {`"public_key":"`, `"public_key":"00`, "keys[0]: public_key"},
		"capitals":     {`"public_key":"`, `"public_key":"A`, "keys[0]: public_key"},
		"a negative":   {`"not_before":5`, `"not_before":-5`, "keys[1]: not_before"},
		"a fraction":   {`"not_after":10`, `"not_after":10.5`, "keys[1]: not_after"},
		"a text":       {`"revoked_at":7`, `"revoked_at":"7"`, "keys[1]: revoked_at"},
		"no algorithm": {`"algorithm":"ed25519",`, ``, "keys[0]: there is no algorithm"},
		"twice":        {`"public_key_id":"b"`, `"public_key_id":"a"`, "two keys"},
		"no object":    {`{"keys":[`, `{"keys":[5,`, "keys[0]"},
	} {
		bad := strings.Replace(string(text), c.from, c.to, 1)
		if bad == string(text) {
			t.Fatalf("%s changes nothing", name)
		}
		if got, err := replay.ReadKeys([]byte(bad)); err == nil || got != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := replay.ReadKeys(bytes.Repeat([]byte(" "), 3<<20)); err == nil {
		t.Error("3 MiB")
	}
}

// FuzzReadKeys: what is read can be published and read again.
func FuzzReadKeys(f *testing.F) {
	text, err := json.Marshal(keysOf(f, signerOf("a", 1, 0).Public()))
	if err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{text, []byte(`{"keys":[]}`), []byte(`{"keys":[{"algorithm":"x"}]}`)}
	for _, s := range seeds {
		f.Add(s)
	}
	if len(seeds) == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		keys, err := replay.ReadKeys(b)
		if err != nil {
			return
		}
		text, err := json.Marshal(keys)
		if err != nil {
			t.Fatal(err)
		}
		again, err := replay.ReadKeys(text)
		if err != nil || cmp.Diff(keys.All(), again.All()) != "" {
			t.Fatal(err, string(text))
		}
	})
}
