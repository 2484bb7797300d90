package replay

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/internal/jsontext"
)

// maxKeys bounds a set that is read, and its text.
const (
	maxKeys     = 1 << 12
	maxKeysText = 2 << 20
)

type keysJSON struct {
	Keys []keyJSON `json:"keys"`
}

type keyJSON struct {
	ID        string `json:"public_key_id"`
	Algorithm string `json:"algorithm"`
	Key       string `json:"public_key"` // hex
	From      *int64 `json:"not_before"` // Unix seconds; null: no bound
	Until     *int64 `json:"not_after"`
	Revoked   *int64 `json:"revoked_at"`
}

const keyAlgorithm = "ed25519"

// MarshalJSON writes the set as hosts publish it, in the order of ids: an object
// with the array "keys", each with public_key_id, algorithm "ed25519", public_key in lower-case hex, and
// the times not_before, not_after and revoked_at, null where there is no bound.
func (s *Keys) MarshalJSON() ([]byte, error) {
	out := keysJSON{Keys: []keyJSON{}}
	if s != nil {
		for _, k := range s.All() {
			out.Keys = append(out.Keys, keyJSON{k.ID, keyAlgorithm, hex.EncodeToString(k.Key), second(k.From), second(k.Until), second(k.Revoked)})
		}
	}
	return json.Marshal(out)
}

func second(t int64) *int64 {
	if t == 0 {
		return nil
	}
	return &t
}

// ReadKeys reads a set as MarshalJSON writes it. Keys of other algorithms are left
// out, members that are not known are read over. The error names the key, by its
// place in the array, and the member.
func ReadKeys(text []byte) (*Keys, error) {
	if len(text) > maxKeysText {
		return nil, fmt.Errorf("replay: keys: %d bytes, %d allowed", len(text), maxKeysText)
	}
	v, err := jsontext.Parse(text, jsontext.Refuse)
	if err != nil {
		return nil, fmt.Errorf("replay: keys: %w", err)
	}
	var list *jsontext.Value
	for i := range v.Items {
		if v.Kind == jsontext.Object && v.Items[i].Name == "keys" && v.Items[i].Kind == jsontext.Array {
			list = &v.Items[i]
		}
	}
	switch {
	case list == nil:
		return nil, errors.New("replay: keys: there is no array of that name")
	case len(list.Items) > maxKeys:
		return nil, fmt.Errorf("replay: keys: %d of them, %d allowed", len(list.Items), maxKeys)
	}
	var keys []PublicKey
	for i := range list.Items {
		k, ok, err := readKey(list.Items[i].Raw)
		if err != nil {
			return nil, fmt.Errorf("replay: keys[%d]: %w", i, err)
		}
		if ok {
			keys = append(keys, k)
		}
	}
	return NewKeys(keys...)
}

func readKey(raw string) (k PublicKey, ok bool, err error) {
	o, err := jsontext.ParseObject([]byte(raw), jsontext.Refuse)
	if err != nil {
		return k, false, err
	}
	algorithm, err := o.Text("algorithm")
	if err != nil || algorithm != keyAlgorithm {
		return k, false, err
	}
	if k.ID, err = o.Text("public_key_id"); err != nil {
		return k, false, err
	}
	digits, err := o.Text("public_key")
	if err != nil {
		return k, false, err
	}
	if k.Key, err = unhex(digits, "", 32); err != nil {
		return k, false, fmt.Errorf("public_key: %w", err)
	}
	for _, t := range []struct {
		name string
		to   *int64
	}{{"not_before", &k.From}, {"not_after", &k.Until}, {"revoked_at", &k.Revoked}} {
		if !o.Has(t.name) {
			continue
		}
		if *t.to, err = o.Int(t.name, maxSeconds); err != nil {
			return k, false, err
		}
	}
	return k, true, nil
}
