package replay_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// signer gives a fixed attestation, or an error.
type signer struct {
	seal *replay.Seal // what it was asked to sign
	json string
	err  error
}

func (s *signer) Sign(match string, x *replay.Seal) (json.RawMessage, error) {
	s.seal = x
	return json.RawMessage(s.json), s.err
}

func TestSealer(t *testing.T) {
	leaves := [][32]byte{{1}, {2}, {3}}
	plain, err := replay.Sealer()("m", leaves)
	if err != nil {
		t.Fatal(err)
	}
	s, err := replay.ParseSeal(plain)
	if err != nil || s.Count != 3 || s.Head != leaves[2] || s.Attestation != nil {
		t.Fatalf("%+v %v", s, err)
	}
	sig := &signer{json: `{ "b": 1.0, "a": "x" }`}
	signed, err := replay.Sealer(sig)("m", leaves)
	if err != nil {
		t.Fatal(err)
	}
	x, err := replay.ParseSeal(signed)
	if err != nil || string(x.Attestation) != `{"a":"x","b":1}` || x.Root != s.Root || sig.seal.Root != s.Root || sig.seal.Count != 3 || sig.seal.Attestation != nil {
		t.Fatalf("%s %v", signed, err)
	}
	if again := replay.AppendSeal(nil, x); !bytes.Equal(again, signed) {
		t.Fatalf("%s\n%s", again, signed)
	}
}

func TestSealerRefuses(t *testing.T) {
	broken := errors.New("the key is gone")
	one := [][32]byte{{1}}
	for _, c := range []struct {
		name   string
		signer replay.Signer
		leaves [][32]byte
		want   error
	}{
		{"no events", nil, nil, replay.ErrSeal},
		{"signer fails", &signer{err: broken}, one, broken},
		{"no attestation", &signer{}, one, replay.ErrSeal},
		{"no object", &signer{json: `[1]`}, one, replay.ErrSeal},
		{"null", &signer{json: `null`}, one, replay.ErrSeal},
		{"no JSON", &signer{json: `{`}, one, replay.ErrSeal},
		{"too long", &signer{json: `{"a":"` + strings.Repeat("x", referee.MaxLine) + `"}`}, one, replay.ErrSeal},
	} {
		if line, err := replay.Sealer(c.signer)("m", c.leaves); !errors.Is(err, c.want) || line != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestSealedIsRead: whatever a seal is made of, it can be read again, or is refused when it is made.
func TestSealedIsRead(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n-1) + `{}` + strings.Repeat(`}`, n-1) }
	wide := `{"a":[` + strings.Repeat("1,", 40_000) + `1]}`
	for _, c := range []struct {
		name    string
		signers []replay.Signer
		ok      bool
	}{
		{"deep", []replay.Signer{&signer{json: nested(32)}}, true},
		{"too deep", []replay.Signer{&signer{json: nested(33)}}, false},
		{"two, deep", []replay.Signer{&signer{json: nested(31)}, &signer{json: `{}`}}, true},
		{"two, too deep together", []replay.Signer{&signer{json: nested(32)}, &signer{json: `{}`}}, false},
		{"wide", []replay.Signer{&signer{json: wide}}, true},
		{"two, too wide together", []replay.Signer{&signer{json: wide}, &signer{json: wide}}, false},
		{"nil ones", []replay.Signer{nil, &signer{json: `{}`}, nil}, true},
		{"nil ones alone", []replay.Signer{nil, nil}, true},
		{"as many as there may be", slices.Repeat([]replay.Signer{&signer{json: `{}`}}, replay.MaxSigners), true},
		{"too many", slices.Repeat([]replay.Signer{&signer{json: `{}`}}, replay.MaxSigners+1), false},
	} {
		line, err := replay.Sealer(c.signers...)("m", [][32]byte{{1}})
		if c.ok != (err == nil) || err != nil && !errors.Is(err, replay.ErrSeal) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.ok {
			if _, err := replay.ParseSeal(line); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		var b bytes.Buffer
		w := replay.NewWriter(&b)
		for _, e := range eventful(t, "m").events {
			if err := w.Append(&e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Seal(c.signers...); c.ok != (err == nil) || c.ok && verify(t, b.Bytes()).Seal == nil {
			t.Errorf("%s, by a writer: %v", c.name, err)
		}
	}
}

func TestParseSealStrict(t *testing.T) {
	hash := strings.Repeat("A", 43)
	good := `{"k":"seal","count":7,"head":"` + hash + `","root":"` + hash + `"}`
	if _, err := replay.ParseSeal([]byte(good)); err != nil {
		t.Fatal(err)
	}
	swap := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for name, line := range map[string]string{
		"empty":                  "",
		"space":                  swap(":7", ": 7"),
		"trailing":               good + " ",
		"count 0":                swap(":7", ":0"),
		"count -1":               swap(":7", ":-1"),
		"count 7.0":              swap(":7", ":7.0"),
		"count 07":               swap(":7", ":07"),
		"too large":              swap(":7", ":9223372036854775808"),
		"short head":             swap(hash, hash[1:]),
		"padding bits":           swap(hash, hash[1:]+"B"),
		"standard base64":        swap(hash, "+"+hash[1:]),
		"no root":                swap(`,"root":"`+hash+`"`, ""),
		"other order":            `{"k":"seal","head":"` + hash + `","count":7,"root":"` + hash + `"}`,
		"twice":                  swap(`"count":7`, `"count":7,"count":7`),
		"unknown member":         swap(`"}`, `","x":1}`),
		"case":                   swap(`"count"`, `"Count"`),
		"attestation null":       swap(`"}`, `","attestation":null}`),
		"attestation of one":     swap(`"}`, `","attestation":[{}]}`),
		"attestation of 17":      swap(`"}`, `","attestation":[`+strings.Repeat("{},", replay.MaxSigners)+`{}]}`),
		"attestation of numbers": swap(`"}`, `","attestation":[{},1]}`),
		"attestation text":       swap(`"}`, `","attestation":"x"}`),
		"attestation nested":     swap(`"}`, `","attestation":[{},[{}]]}`),
		"attestation empty list": swap(`"}`, `","attestation":[]}`),
		"attestation spaced":     swap(`"}`, `","attestation":{ }}`),
		"attestation unsorted":   swap(`"}`, `","attestation":{"b":1,"a":2}}`),
		"attestation twice":      swap(`"}`, `","attestation":{"a":1,"a":1}}`),
		"too long":               good + strings.Repeat(" ", referee.MaxLine),
	} {
		if line == good {
			t.Fatalf("%s changes nothing", name)
		}
		if s, err := replay.ParseSeal([]byte(line)); !errors.Is(err, replay.ErrSeal) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// TestSealOfAnother takes seals that are good by themselves and belong elsewhere.
func TestSealOfAnother(t *testing.T) {
	x := eventful(t, "mine")
	events := int64(len(x.events))
	record := x.record(true)
	body := x.record(false)
	own, err := replay.ParseSeal(bytes.TrimSuffix(record[len(body):], []byte("\n")))
	if err != nil {
		t.Fatal(err)
	}
	other := played(t, setup(t, connectfour.New(), "other"), true)
	foreign := other[bytes.LastIndexByte(other[:len(other)-1], '\n')+1 : len(other)-1]
	edit := func(f func(*replay.Seal)) []byte {
		s := *own
		f(&s)
		return replay.AppendSeal(nil, &s)
	}
	for _, c := range []struct {
		name string
		seal []byte
		line int64
		want error
	}{
		{"foreign", foreign, events + 1, replay.ErrSeal},
		{"count", edit(func(s *replay.Seal) { s.Count-- }), events + 1, replay.ErrSeal},
		{"head", edit(func(s *replay.Seal) { s.Head[0] ^= 1 }), events + 1, replay.ErrSeal},
		{"root", edit(func(s *replay.Seal) { s.Root[31] ^= 128 }), events + 1, replay.ErrSeal},
		{"head and root", edit(func(s *replay.Seal) { s.Head, s.Root = s.Root, s.Head }), events, replay.ErrChain},
	} {
		r := verify(t, append(append(bytes.Clone(body), c.seal...), '\n'))
		if r.Status != replay.Invalid || r.Fault.Line != c.line || !errors.Is(r.Err(), c.want) || r.Seal != nil || r.Result != nil {
			t.Errorf("%s: %v", c.name, r)
		}
	}
}
