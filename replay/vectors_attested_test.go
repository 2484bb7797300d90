package replay_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// vectorKeys are the keys that attest to the vectors, by what is the matter with them.
func vectorKeys(t testing.TB) (signers map[string]*replay.KeySigner, keys *replay.Keys) {
	const at = 1_790_000_100
	signers = map[string]*replay.KeySigner{}
	var public []replay.PublicKey
	for i, name := range []string{"host", "witness", "revoked", "replaced", "early", "late", "stranger"} {
		signers[name] = signerOf("2026-"+name, byte(i+1), at)
		k := signers[name].Public()
		switch name {
		case "revoked":
			k.Revoked = at
		case "replaced":
			k.Until = at
		case "early":
			k.From = at + 1
		case "late":
			k.From, k.Until, k.Revoked = at, at+1, at+1
		case "stranger":
			continue
		}
		public = append(public, k)
	}
	signers["forger"] = signerOf("2026-host", 99, at) // the name of a key of others
	return signers, keysOf(t, public...)
}

// signed seals events with the keys of these names.
func (l *vectorList) signed(events []referee.Event, names ...string) []byte {
	l.t.Helper()
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	for i := range events {
		if err := w.Append(&events[i]); err != nil {
			l.t.Fatal(err)
		}
	}
	var signers []replay.Signer
	for _, name := range names {
		signers = append(signers, l.signers[name])
	}
	if err := w.Seal(signers...); err != nil {
		l.t.Fatal(err)
	}
	return b.Bytes()
}

// attested are matches with attestations, good ones and others.
func (l *vectorList) attested() {
	one := func(id string, names ...string) []byte { return l.signed(resigned(l.t, id), names...) }
	add := func(file, about string, attested any, record []byte) {
		l.t.Helper()
		l.add(vector{File: "attested-" + file, About: about, Status: "valid", Attested: attested, record: record})
	}
	good := one("attested:1", "host")
	add("one", "by one key", 1, good)
	add("two", "by two keys", 2, one("attested:1", "host", "witness"))
	add("later-revoked", "by a key that was revoked, and replaced, a second later", 1, one("attested:1", "late"))
	add("unknown", "by a key that is not known", "key-unknown", one("attested:1", "stranger"))
	add("wrong-key", "by a key that has the name of another", "signature", one("attested:1", "forger"))
	add("revoked", "by a key that was revoked in that second", "key-revoked", one("attested:1", "revoked"))
	add("replaced", "by a key that was replaced in that second", "key-period", one("attested:1", "replaced"))
	add("early", "by a key that is good from the next second on", "key-period", one("attested:1", "early"))
	add("one-of-two", "by a good key and by one that is not known", "key-unknown", one("attested:1", "host", "stranger"))
	edit := func(from, to string) []byte {
		l.t.Helper()
		if strings.Count(string(good), from) != 1 {
			l.t.Fatalf("%q in %s", from, good)
		}
		return []byte(strings.Replace(string(good), from, to, 1))
	}
	add("flipped", "one digit of the signature", "signature", edit(`"signature":"ed25519:`+signature(l.t, good)[:1], `"signature":"ed25519:`+map[bool]string{true: "1", false: "0"}[signature(l.t, good)[0] == '0']))
	add("backdated", "another second than was signed", "signature", edit(`"signed_at":1790000100`, `"signed_at":1790000099`))
	add("unsigned", "no signature", "attestation", edit(`"signature":"ed25519:`+signature(l.t, good)+`",`, ""))
	add("upper-case", "a signature in capitals", "attestation", edit(signature(l.t, good), strings.ToUpper(signature(l.t, good))))
	graft := func(from []byte) []byte {
		a, err := replay.ParseSeal([]byte(lines(good)[len(lines(good))-1]))
		if err != nil {
			l.t.Fatal(err)
		}
		b, err := replay.ParseSeal([]byte(lines(from)[len(lines(from))-1]))
		if err != nil {
			l.t.Fatal(err)
		}
		a.Attestation = b.Attestation
		_, at := sealLine(good)
		return append(replay.AppendSeal(bytes.Clone(good[:at]), a), '\n')
	}
	lie := func(do func(*replay.Seal)) []byte { // what a good key signs about other events
		r := verify(l.t, good)
		seal := *r.Seal
		do(&seal)
		a, err := l.signers["host"].Sign("attested:1", &seal)
		if err != nil {
			l.t.Fatal(err)
		}
		seal = *r.Seal
		seal.Attestation = a
		_, at := sealLine(good)
		return append(replay.AppendSeal(bytes.Clone(good[:at]), &seal), '\n')
	}
	add("other-count", "signed about one event more", "attestation", lie(func(s *replay.Seal) { s.Count++ }))
	add("other-head", "signed about another last event", "attestation", lie(func(s *replay.Seal) { s.Head[0] ^= 1 }))
	add("other-root", "signed about other events with the same last one", "attestation", lie(func(s *replay.Seal) { s.Root[0] ^= 1 }))
	add("re-used", "the attestation of another match", "attestation", graft(one("attested:2", "host")))
	l.invalid("attested-unsorted", "an attestation that is not canonical", 5, "seal", edit(`"events":4,"head":"`+attestedHead(l.t, good)+`"`, `"head":"`+attestedHead(l.t, good)+`","events":4`))
	l.invalid("attested-list-of-one", "a list with a single attestation", 5, "seal", bytes.Replace(bytes.Replace(good, []byte(`"attestation":{`), []byte(`"attestation":[{`), 1), []byte("}}\n"), []byte("}]}\n"), 1))
}

// resigned are the events of a short match.
func resigned(t testing.TB, id string) []referee.Event {
	x := begin(t, setup(t, connectfour.New(), id))
	x.move(1200, 0, "3")
	x.must(x.m.Claim(x.now+700, 1, referee.Resign))
	return x.events
}

// signature and attestedHead are texts of the only attestation of a record.
func signature(t testing.TB, record []byte) string {
	t.Helper()
	a := firstAttestation(t, record)
	return hex.EncodeToString(a.Signature[:])
}

func attestedHead(t testing.TB, record []byte) string {
	t.Helper()
	a := firstAttestation(t, record)
	return "sha256:" + hex.EncodeToString(a.Head[:])
}

func firstAttestation(t testing.TB, record []byte) replay.Attestation {
	t.Helper()
	line, _ := sealLine(record)
	s, err := replay.ParseSeal(line)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Attestations()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	return all[0]
}
