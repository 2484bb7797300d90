package replay_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/matchreferee/arena/replay"
)

// signerOf signs with a key made of one byte, at a fixed second.
func signerOf(id string, b byte, at int64) *replay.KeySigner {
	return &replay.KeySigner{
		ID: id, Key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, 32)), URL: "https://arena.example/api/v1/audit/battle/{id}",
		Now: func() time.Time { return time.Unix(at, 999) },
	}
}

func keysOf(t testing.TB, keys ...replay.PublicKey) *replay.Keys {
	t.Helper()
	set, err := replay.NewKeys(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// attested is an eventful match, sealed by signers.
func attested(t testing.TB, id string, signers ...replay.Signer) []byte {
	t.Helper()
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	for _, e := range eventful(t, id).events {
		if err := w.Append(&e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Seal(signers...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sealLine is the last line of a record, and where it begins.
func sealLine(record []byte) (line []byte, at int) {
	at = bytes.LastIndex(record, []byte(`{"k":"seal"`))
	return bytes.TrimSuffix(record[at:], []byte("\n")), at
}

// TestAttestation checks one with nothing of ours: the canonical form by another
// implementation, the signature by crypto/ed25519.
func TestAttestation(t *testing.T) {
	signer := signerOf("key-1", 7, 1_755_254_400)
	record := attested(t, "a:1.x", signer)
	line, _ := sealLine(record)
	var seal struct {
		Attestation map[string]any `json:"attestation"`
	}
	if err := json.Unmarshal(line, &seal); err != nil {
		t.Fatal(err)
	}
	r := verify(t, record)
	want := map[string]any{
		"battle_hash": "sha256:" + hex.EncodeToString(r.Root[:]), "head": "sha256:" + hex.EncodeToString(r.Head[:]), "events": float64(r.Events),
		"signed_at": 1755254400.0, "public_key_id": "key-1", "verify_url": "https://arena.example/api/v1/audit/battle/a:1.x",
	}
	signature, ok := strings.CutPrefix(seal.Attestation["signature"].(string), "ed25519:")
	raw, err := hex.DecodeString(signature)
	if !ok || err != nil || signature != strings.ToLower(signature) {
		t.Fatalf("signature %q: %v", signature, err)
	}
	plain, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jcs.Transform(plain)
	if err != nil {
		t.Fatal(err)
	}
	if !ed25519.Verify(signer.Public().Key, text, raw) {
		t.Errorf("not a signature over %s", text)
	}
	all, err := keysOf(t, signer.Public()).Check(r)
	if err != nil || len(all) != 1 || all[0].Root != r.Root || all[0].KeyID != "key-1" || all[0].SignedAt != 1755254400 || !strings.HasSuffix(all[0].VerifyURL, "/a:1.x") {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestAttestationEveryBit flips each bit of a seal with two attestations: the
// record or an attestation is refused, whichever it hits.
func TestAttestationEveryBit(t *testing.T) {
	a, b := signerOf("key-1", 7, 100), signerOf("key-2", 8, 200)
	keys := keysOf(t, a.Public(), b.Public())
	for _, signers := range [][]replay.Signer{{a}, {a, b}} {
		record := attested(t, "bits", signers...)
		if all, err := keys.Check(verify(t, record)); err != nil || len(all) != len(signers) {
			t.Fatal(all, err)
		}
		line, at := sealLine(record)
		flipped := bytes.Clone(record)
		for bit := range 8 * len(line) {
			i := at + bit/8
			flipped[i] ^= 1 << (bit % 8)
			if all, err := keys.Check(verify(t, flipped)); err == nil {
				t.Fatalf("bit %d of byte %d: %+v\n%s", bit%8, bit/8, all, flipped[at:])
			}
			flipped[i] = record[i]
		}
	}
}

// TestAttestationRefused: each way in which an attestation does not count has its own error.
func TestAttestationRefused(t *testing.T) {
	const at = 1000
	a, b := signerOf("key-1", 7, at), signerOf("key-2", 8, at)
	record := attested(t, "one", a)
	other := attested(t, "two", a)
	line, from := sealLine(record)
	otherLine, _ := sealLine(other)
	stranger := signerOf("key-1", 9, at) // another key of the same name
	with := func(k replay.PublicKey, f func(*replay.PublicKey)) replay.PublicKey {
		f(&k)
		return k
	}
	graft := func(from []byte) []byte { // the seal of this record with the attestation of another
		s, err := replay.ParseSeal(line)
		if err != nil {
			t.Fatal(err)
		}
		o, err := replay.ParseSeal(from)
		if err != nil {
			t.Fatal(err)
		}
		s.Attestation = o.Attestation
		return append(append(bytes.Clone(record[:bytes.LastIndex(record, []byte(`{"k":"seal"`))]), replay.AppendSeal(nil, s)...), '\n')
	}
	for _, c := range []struct {
		name   string
		record []byte
		key    replay.PublicKey
		want   error
		says   string
	}{
		{"good", record, a.Public(), nil, ""},
		{"nobody attests", attested(t, "one"), a.Public(), replay.ErrUnattested, "nobody"},
		{"no seal", record[:from], a.Public(), replay.ErrUnattested, "nobody"},
		{"cut", record[:from-10], a.Public(), replay.ErrUnfinished, "unfinished"},
		{"swapped seal", append(bytes.Clone(record[:from]), append(bytes.Clone(otherLine), '\n')...), a.Public(), replay.ErrChain, "sealed"},
		{"attestation of another match", graft(otherLine), a.Public(), replay.ErrAttestation, "head"},
		{"unknown key", record, b.Public(), replay.ErrKeyUnknown, `"key-1"`},
		{"wrong key", record, stranger.Public(), replay.ErrSignature, `"key-1"`},
		{"revoked at the same second", record, with(a.Public(), func(k *replay.PublicKey) { k.Revoked = at }), replay.ErrKeyRevoked, "revoked at 1000"},
		{"revoked later", record, with(a.Public(), func(k *replay.PublicKey) { k.Revoked = at + 1 }), nil, ""},
		{"not yet good", record, with(a.Public(), func(k *replay.PublicKey) { k.From = at + 1 }), replay.ErrKeyPeriod, "signed at 1000"},
		{"no longer good", record, with(a.Public(), func(k *replay.PublicKey) { k.Until = at }), replay.ErrKeyPeriod, "signed at 1000"},
		{"good from then until later", record, with(a.Public(), func(k *replay.PublicKey) { k.From, k.Until = at, at+1 }), nil, ""},
		{"something else signed", attested(t, "one", &signer{json: `{"signed":"nothing"}`}), a.Public(), replay.ErrAttestation, "signature"},
	} {
		all, err := keysOf(t, c.key).Check(verify(t, c.record))
		if !errors.Is(err, c.want) || (err == nil) != (len(all) == 1) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v; want %v", c.name, all, err, c.want)
		}
	}
	// One bad attestation among several refuses them all.
	if _, err := keysOf(t, a.Public(), b.Public()).Check(verify(t, attested(t, "one", a, signerOf("key-2", 1, at)))); !errors.Is(err, replay.ErrSignature) {
		t.Errorf("a good and a forged one: %v", err)
	}
}

// twisted attests to something else than it is asked to.
type twisted struct {
	*replay.KeySigner
	twist func(*replay.Seal)
}

func (t twisted) Sign(match string, s *replay.Seal) (json.RawMessage, error) {
	t.twist(s)
	return t.KeySigner.Sign(match, s)
}

// TestAttestationOfAnother: each of the three things that are signed has to be that of the record.
func TestAttestationOfAnother(t *testing.T) {
	a := signerOf("key-1", 7, 1)
	for what, twist := range map[string]func(*replay.Seal){
		"events":      func(s *replay.Seal) { s.Count-- },
		"head":        func(s *replay.Seal) { s.Head[31] ^= 1 },
		"battle_hash": func(s *replay.Seal) { s.Root[0] ^= 0x80 },
	} {
		r := verify(t, attested(t, "one", twisted{a, twist}))
		if err := r.Err(); err != nil {
			t.Fatal(err)
		}
		if all, err := keysOf(t, a.Public()).Check(r); !errors.Is(err, replay.ErrAttestation) || !strings.Contains(err.Error(), what) || all != nil {
			t.Errorf("another %s: %v", what, err)
		}
	}
}

// TestKeysOwn: a set of keys is nobody else's memory.
func TestKeysOwn(t *testing.T) {
	a := signerOf("key-1", 7, 1)
	r := verify(t, attested(t, "own", a))
	key := a.Public()
	key.Key = bytes.Clone(key.Key)
	keys := keysOf(t, key)
	clear(key.Key)
	clear(keys.All()[0].Key)
	if _, err := keys.Check(r); err != nil {
		t.Error(err)
	}
}

// TestKeyRotation: records signed by the old key and by the new one are both good under the set of both.
func TestKeyRotation(t *testing.T) {
	before, after := signerOf("2026-a", 1, 999), signerOf("2026-b", 2, 1000)
	old, fresh := before.Public(), after.Public()
	old.Until, fresh.From = 1000, 1000
	keys := keysOf(t, old, fresh)
	for _, s := range []*replay.KeySigner{before, after} {
		if _, err := keys.Check(verify(t, attested(t, "rotation", s))); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
	}
	if _, err := keys.Check(verify(t, attested(t, "rotation", signerOf("2026-a", 1, 1000)))); !errors.Is(err, replay.ErrKeyPeriod) {
		t.Errorf("the old key after its end: %v", err)
	}
}

func TestNewKeysRefuses(t *testing.T) {
	good := signerOf("k", 1, 1).Public()
	bad := []replay.PublicKey{{}, {ID: "a b", Key: good.Key}, {ID: "x", Key: good.Key[:31]}, {ID: "y", Key: good.Key, From: 5, Until: 5}, {ID: strings.Repeat("i", 129), Key: good.Key}}
	for i, k := range bad {
		if set, err := replay.NewKeys(good, k); err == nil || set != nil || !strings.Contains(err.Error(), "key 1: ") {
			t.Errorf("key %d: %v", i, err)
		}
	}
	if _, err := replay.NewKeys(good, good); err == nil || !strings.Contains(err.Error(), "two keys") {
		t.Errorf("twice: %v", err)
	}
	if none := (*replay.Keys)(nil).All(); len(none) > 0 {
		t.Errorf("no set: %v", none)
	}
}

// strangeKey signs with anything but Ed25519, or says that its key is another.
type strangeKey struct {
	crypto.Signer
	public crypto.PublicKey
}

func (k strangeKey) Public() crypto.PublicKey { return k.public }

// shortKey gives signatures that are none.
type shortKey struct{ crypto.Signer }

func (shortKey) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return []byte("signed"), nil
}

// TestNoSignature: what a key kept elsewhere gives instead of a signature goes into no seal.
func TestNoSignature(t *testing.T) {
	s := signerOf("k", 1, 1)
	s.Key = shortKey{s.Key}
	if line, err := replay.Sealer(s)("m", [][32]byte{{1}}); err == nil || line != nil || !strings.Contains(err.Error(), "6 bytes") {
		t.Errorf("%s, %v", line, err)
	}
}

// TestKeySignerRefuses: a signer that cannot sign says why, by the name of the field, and does not panic.
func TestKeySignerRefuses(t *testing.T) {
	key := signerOf("k", 1, 1).Key
	for field, all := range map[string][]*replay.KeySigner{
		"KeySigner": {nil},
		"ID":        {{Key: key, Now: time.Now}, {ID: "a b", Key: key, Now: time.Now}},
		"Key": {
			{ID: "k", Now: time.Now}, {ID: "k", Key: ed25519.PrivateKey(nil), Now: time.Now}, {ID: "k", Key: key.(ed25519.PrivateKey)[:40], Now: time.Now},
			{ID: "k", Key: strangeKey{key, ed25519.PublicKey("short")}, Now: time.Now}, {ID: "k", Key: strangeKey{key, "rsa"}, Now: time.Now},
		},
		"URL": {{ID: "k", Key: key, URL: "https://a\n{id}", Now: time.Now}, {ID: "k", Key: key, URL: "\xff", Now: time.Now}, {ID: "k", Key: key, URL: strings.Repeat("u", 1025), Now: time.Now}},
		"Now": {{ID: "k", Key: key}, {ID: "k", Key: key, Now: func() time.Time { return time.Time{} }}},
	} {
		for i, s := range all {
			for what, f := range map[string]func() error{
				"attests": func() error { _, err := s.Sign("m", &replay.Seal{}); return err },
				"gives a receipt": func() error {
					_, err := s.Receipt(replay.Receipt{Match: "m", Arrived: 1})
					return err
				},
				"seals": func() error { _, err := replay.Sealer(s)("m", [][32]byte{{1}}); return err },
			} {
				if err := f(); err == nil || !strings.Contains(err.Error(), "KeySigner: ") || !strings.Contains(err.Error(), field+": ") {
					t.Errorf("%s %d %s: %v", field, i, what, err)
				}
			}
			if s != nil && field == "Key" && s.Public().Key != nil {
				t.Errorf("%s %d has the public key %x", field, i, s.Public().Key)
			}
		}
	}
}

// FuzzParseAttestation: what is read is canonical, and never panics.
func FuzzParseAttestation(f *testing.F) {
	raw, err := signerOf("key-1", 7, 5).Sign("m", &replay.Seal{Count: 3})
	if err != nil {
		f.Fatal(err)
	}
	seeds := []string{string(raw), strings.Replace(string(raw), `"events"`, `"about":{"x":[1]},"events"`, 1), `{}`, `[]`, `{"signature":"ed25519:00"}`}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	if len(seeds) == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := replay.ParseAttestation(b)
		if err != nil {
			if !errors.Is(err, replay.ErrAttestation) {
				t.Fatal(err)
			}
			return
		}
		canon, err := jcs.Transform(b)
		if err != nil || !bytes.Equal(canon, b) || a.KeyID == "" || a.Events < 0 {
			t.Fatalf("%s: %+v %v", b, a, err)
		}
	})
}
