package replay_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/matchreferee/arena/replay"
)

// seeds gives the golden records and some more as the corpus.
func seeds(f *testing.F) {
	n := 0
	for _, more := range []map[string][]byte{golden(f), records(f)} {
		for _, record := range more {
			f.Add(record)
			n++
		}
	}
	f.Add([]byte{})
	f.Add([]byte("\n"))
	if n < 11 {
		f.Fatalf("a corpus of %d records", n)
	}
}

// FuzzReader: what is read gives the same bytes when it is written, and nothing
// panics.
func FuzzReader(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, record []byte) {
		r := replay.NewReader(bytes.NewReader(record))
		var again bytes.Buffer
		w := replay.NewWriter(&again)
		for {
			line, err := r.Next()
			var fault *replay.LineError
			if err == io.EOF && !bytes.Equal(again.Bytes(), record) {
				t.Fatalf("read to the end and written:\n%s\n%s", record, again.Bytes())
			}
			if err != nil {
				if err != io.EOF && !errors.As(err, &fault) {
					t.Fatal(err)
				}
				break
			}
			switch {
			case line.Seal == nil:
				err = w.Append(&line.Event)
			case line.Seal.Attestation == nil:
				err = w.Seal()
			default:
				err = w.Seal(signersOf(t, line.Seal.Attestation)...)
			}
			if err != nil {
				t.Fatalf("line %d is read and cannot be written: %v\n%s", line.Num, err, line.Bytes)
			}
		}
		if !bytes.HasPrefix(record, again.Bytes()) || w.Count() != r.Count() || w.Head() != r.Head() || w.Root() != r.Root() {
			t.Fatalf("read:\n%s\nwritten:\n%s", record, again.Bytes())
		}
	})
}

// FuzzVerify: a report is valid, or it says why not; and a valid record is
// unfinished without its last line, unless that was the seal.
func FuzzVerify(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, record []byte) {
		r := verify(t, record)
		switch {
		case (r.Status == replay.Valid) != (r.Err() == nil), (r.Status == replay.Invalid) != (r.Fault != nil):
			t.Fatal(r)
		case r.Status != replay.Valid:
			return
		case r.Result == nil || !r.Opened || !r.Rerun || r.Torn || r.End == nil:
			t.Fatal(r)
		}
		cut := bytes.LastIndexByte(record[:len(record)-1], '\n') + 1
		want := replay.Unfinished
		if r.Seal != nil {
			want = replay.Valid
		}
		if r := verify(t, record[:cut]); r.Status != want {
			t.Fatal(r)
		}
	})
}

// FuzzParseSeal: what is read gives the same bytes when it is written.
func FuzzParseSeal(f *testing.F) {
	corpus := 0
	for _, attestation := range []string{"", `{}`, `{"a":[1,"\u001f",1e30,null]}`, `[{},{"b":1}]`} {
		line, err := replay.Sealer(signersOf(f, json.RawMessage(attestation))...)("m", [][32]byte{{1}, {2}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
		corpus++
	}
	if corpus == 0 {
		f.Fatal("an empty corpus")
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s, err := replay.ParseSeal(line)
		if err != nil {
			if s != nil || !errors.Is(err, replay.ErrSeal) {
				t.Fatal(s, err)
			}
			return
		}
		if again := replay.AppendSeal(nil, s); !bytes.Equal(again, line) {
			t.Fatalf("%s\n%s", line, again)
		}
	})
}

// signersOf gives signers that attest just that: an object, or an array of several.
func signersOf(t testing.TB, attestation json.RawMessage) (all []replay.Signer) {
	if len(attestation) == 0 {
		return nil
	}
	objects := []json.RawMessage{attestation}
	if attestation[0] == '[' {
		if err := json.Unmarshal(attestation, &objects); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range objects {
		all = append(all, &signer{json: string(o)})
	}
	return all
}
